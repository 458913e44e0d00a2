"""Plays an agent at the layouts of a task, and goes on where that was stopped."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.errors import UserError
from arena.isolation import Level
from arena.player import UNHURRIED
from arena.records import Fixture, Game, Settings, Termination
from arena.referee import play_game
from arena.rules import Layout
from salvo.benchmark.agents import Agent
from salvo.benchmark.results import Played, read_result, write_result
from salvo.benchmark.tasks import VERSION, Task, layouts_hash, layouts_of
from salvo.reports.tables.luck_adjustment import luck_of_game, why_not_adjusted

AT_ONCE = 20
"""Games that are played by one player and then kept. The next are by a player that remembers none,
so that it makes no difference where a run was stopped."""


class NotPlayedError(UserError):
    """The agent does not play the rules of a task."""


@dataclass(frozen=True)
class Run:
    """How an agent is evaluated.

    Attributes:
        shots: Shots that it was trained for, 0 if it was not.
        seed: The seed of its training.
        layouts: Play at the first so many layouts alone, where not every one is played; None: all.
        fresh: The seed of fresh layouts; None for those of the benchmark.
        adjusted: Take luck out of so many games too, the first; each takes a second or so.
        level: How isolated a bot's process is.
    """

    shots: int = 0
    seed: int = 1
    layouts: int | None = None
    fresh: int | None = None
    adjusted: int = 0
    level: Level = Level.NONE

    def at(self, task: Task) -> tuple[Layout, ...]:
        """Return the layouts that are played at."""
        every = layouts_of(task, self.fresh)
        return every if self.layouts is None or task.is_exact else every[: self.layouts]


class OtherAgentError(UserError):
    """There is a result of another agent, or another version of it, by the same name."""


def evaluate(agent: Agent, task: Task, folder: Path, run: Run) -> Iterator[Played]:
    """Play what the folder lacks, and yield the result so far after each few games.

    Raises:
        NotPlayedError: If the agent does not play these rules.
        OtherAgentError: If the folder has a result of another agent of that name.
        UserError: If luck cannot be taken out under these rules.
    """
    if run.adjusted and (why := why_not_adjusted(task.rules)):
        raise UserError(why)
    wanted = run.at(task)
    result = Played(
        task=task.name,
        agent=agent.name,
        kind=agent.kind,
        digest=agent.digest,
        shots=run.shots,
        seed=run.seed,
        layouts=layouts_hash(task, run.fresh),
        fresh=run.fresh,
    )
    result = _kept(folder / result.file, result, min(run.adjusted, len(wanted)))
    yield result
    while len(result.turns) < len(wanted):
        numbers = range(len(result.turns), min(len(result.turns) + AT_ONCE, len(wanted)))
        games = list(_games(agent, task, {number: wanted[number] for number in numbers}, run))
        result = _with(result, games, task, run.adjusted)
        write_result(folder, result)
        yield result


def _kept(path: Path, fresh: Played, adjusted: int) -> Played:
    """Return what is known already; the result without games if more of it is to be adjusted."""
    if not path.exists():
        return fresh
    kept = read_result(path)
    if (
        not isinstance(kept, Played)
        or replace(kept, turns=(), adjusted=(), forfeits=0, reason="") != fresh
    ):
        raise OtherAgentError(
            f"result {path}: it is of another agent that was called {fresh.agent!r}; name this one "
            "differently, NAME=AGENT, or remove the file"
        )
    return kept if len(kept.adjusted) >= min(adjusted, len(kept.turns)) else fresh


def _games(agent: Agent, task: Task, layouts: Mapping[int, Layout], run: Run) -> Iterator[Game]:
    settings = UNHURRIED if run.level is Level.NONE else Settings()
    with agent.playing(task.rules, run.level) as player:
        for number, layout in layouts.items():
            text = f"{VERSION} {task.name} {run.seed} {number}"
            own, other = (_seed(f"{text} {whose}") for whose in ("agent", "luck"))
            fixture = Fixture(f"{task.name}-{number}", "agent", None, number, (own, other))
            game = play_game(fixture, task.rules, settings, {"agent": player}, layout=layout)
            if game.termination is Termination.UNSTARTED:
                raise NotPlayedError(f"{agent.name}: {task.name}: {game.reason}")
            yield game


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def _with(result: Played, games: list[Game], task: Task, adjusted: int) -> Played:
    most = task.rules.cells
    turns = tuple(most if game.forfeit else game.tallies[0].turns for game in games)
    lucks = tuple(
        float(turn) if game.forfeit else turn - luck_of_game(task.rules, game).turns
        for turn, game in zip(turns, games, strict=True)
        if game.fixture.pair < adjusted
    )
    forfeits = [game.reason for game in games if game.forfeit]
    return replace(
        result,
        turns=result.turns + turns,
        adjusted=result.adjusted + tuple(round(luck, 6) for luck in lucks),
        forfeits=result.forfeits + len(forfeits),
        reason=result.reason or next(iter(forfeits), ""),
    )
