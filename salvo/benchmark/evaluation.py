"""Plays an agent at a task, and goes on where that was stopped."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from arena.errors import UserError
from arena.records import Game
from salvo.benchmark.agents import Agent
from salvo.benchmark.games import AGENT, Run, games_of, points_of
from salvo.benchmark.results import Played, read_result, write_result
from salvo.benchmark.tasks import Task, conditions_hash, task_named
from salvo.reports.tables.luck_adjustment import luck_of_game, why_not_adjusted

AT_ONCE = 20
"""Games that are played by one player, against one opponent if there are any, and then kept. The
next are by a player that remembers none, so that it makes no difference where a run was stopped."""


class OtherAgentError(UserError):
    """There is a result of another agent, or another version of it, by the same name."""


def evaluate(agent: Agent, task: Task, folder: Path, run: Run) -> Iterator[Played]:
    """Play what the folder lacks, and yield the result so far after each few games.

    Raises:
        NotPlayedError: If the agent does not play these rules.
        OtherAgentError: If the folder has a result of another agent of that name.
        UserError: If luck cannot be taken out under these rules, or the agent forfeits all.
    """
    if _adjusted(task, run) and (why := why_not_adjusted(task.rules)):
        raise UserError(why)
    total = run.games(task)
    empty = unplayed(agent.name, task, run)
    result = replace(empty, kind=agent.kind, digest=agent.digest)
    kept = _kept(folder / result.file, result)
    if len(kept.adjusted) >= min(_adjusted(task, run), len(kept.turns)):
        result = kept
    else:  # they are played again, and replaced once there are as many
        run = dataclasses.replace(run, layouts=max(total, len(kept.turns)))
        total = run.games(task)
    yield result
    while (played := len(result.scores)) < total:
        at_once = AT_ONCE * max(len(task.opponents), 1)
        numbers = range(played, min(played + at_once, total))
        games = list(games_of(agent, task, numbers, run))
        result = _with_points(result, games) if task.opponents else _with_turns(result, games, run)
        if not played and result.forfeits == len(games):
            raise UserError(
                f"agent {agent.name}: forfeits every game of {task.name}: {result.reason}"
            )
        if len(result.scores) >= len(kept.scores):
            write_result(folder, result)
        yield result


def is_played(name: str, task: Task, folder: Path, run: Run) -> bool:
    """Return whether the folder has all games of an agent of that name, whatever it played by."""
    path = folder / unplayed(name, task, run).file
    if not path.exists():
        return False
    kept = read_result(path)
    return (
        isinstance(kept, Played)
        and len(kept.scores) >= run.games(task)
        and len(kept.adjusted) >= _adjusted(task, run)
    )


def unplayed(name: str, task: Task, run: Run) -> Played:
    """Return the result of an agent without its games, and without what it plays by."""
    return Played(
        task=task.name,
        agent=name,
        kind="",
        digest="",
        shots=run.shots,
        seed=run.seed,
        layouts=conditions_hash(task, run.fresh),
        fresh=run.fresh,
    )


def _kept(path: Path, fresh: Played) -> Played:
    """Return what is known already."""
    if not path.exists():
        return fresh
    kept = read_result(path)
    known = {"turns": (), "adjusted": (), "points": (), "forfeits": 0, "reason": ""}
    if not isinstance(kept, Played) or replace(kept, **known) != fresh:
        raise OtherAgentError(
            f"result {path}: it is of another agent that was called {fresh.agent!r}; name this one "
            "differently, NAME=AGENT, or list those of one name in the order in which they were "
            "given first, or remove the file"
        )
    return kept


def _adjusted(task: Task, run: Run) -> int:
    """Return of how many games luck is taken out.

    Of none against opponents, nor where every layout is played, so that layouts bring no luck.
    """
    return 0 if task.opponents or task.is_exact else min(run.adjusted, run.games(task))


def _with_turns(result: Played, games: list[Game], run: Run) -> Played:
    task = task_named(result.task)
    rules, adjusted = task.rules, _adjusted(task, run)
    turns = tuple(rules.cells if game.forfeit else game.tallies[0].turns for game in games)
    lucks = tuple(
        float(turn) if game.forfeit else turn - luck_of_game(rules, game).turns
        for turn, game in zip(turns, games, strict=True)
        if game.fixture.pair < adjusted
    )
    return replace(
        _with_forfeits(result, games),
        turns=result.turns + turns,
        adjusted=result.adjusted + tuple(round(luck, 6) for luck in lucks),
    )


def _with_points(result: Played, games: list[Game]) -> Played:
    points = tuple(points_of(game) for game in games)
    return replace(_with_forfeits(result, games), points=result.points + points)


def _with_forfeits(result: Played, games: list[Game]) -> Played:
    forfeits = [
        game.reason
        for game in games
        if game.forfeit is not None and game.fixture.seats[game.forfeit] == AGENT
    ]
    return replace(
        result,
        forfeits=result.forfeits + len(forfeits),
        reason=result.reason or next(iter(forfeits), ""),
    )
