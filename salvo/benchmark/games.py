"""Plays games of a task: alone at its layouts, or against its opponents."""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.errors import UserError
from arena.isolation import Level
from arena.player import UNHURRIED, InProcessPlayer, Player
from arena.records import Fixture, Game, Settings, ShootStep, Termination
from arena.referee import play_game
from arena.rules import Layout, view
from salvo.benchmark.agents import Agent
from salvo.benchmark.tasks import DRAWN, VERSION, Task, layouts_of
from salvo.bundled import bot_class

AGENT = "agent"
"""What the agent is called in a game."""


class NotPlayedError(UserError):
    """The agent does not play the rules of a task."""


@dataclass(frozen=True)
class Run:
    """How an agent is evaluated.

    Attributes:
        shots: Shots that it was trained for, 0 if it was not.
        seed: The seed of its training.
        layouts: Play at the first so many layouts, or so many games against opponents, alone, where
            not every layout is played; None: all.
        fresh: The seed of fresh layouts or games; None for those of the benchmark.
        adjusted: Take luck out of so many games too, the first; each takes a second or so. Never of
            games against opponents.
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

    def games(self, task: Task) -> int:
        """Return how many games are played."""
        if task.opponents:
            return DRAWN if self.layouts is None else min(self.layouts, DRAWN)
        return len(self.at(task))


def games_of(agent: Agent, task: Task, numbers: Sequence[int], run: Run) -> Iterator[Game]:
    """Yield the games of these numbers, of an agent that remembers none before them.

    Raises:
        NotPlayedError: If the agent does not play these rules.
    """
    play = _duels if task.opponents else _solos
    for game in play(agent, task, numbers, run):
        if game.termination is Termination.UNSTARTED:
            raise NotPlayedError(f"{agent.name}: {task.name}: {game.reason}")
        yield game


def points_of(game: Game) -> float:
    """Return the points of the agent in a game against an opponent."""
    if game.result == "draw":
        return 0.5
    return float(game.fixture.seats[game.result] == AGENT)


def panel_hash(task: Task) -> str:
    """Return the SHA-256 of how the opponents of a task play: of a game of each two of them.

    A line a ship as it was placed, and a line a salvo, each with its cells: ``0,1,2``.
    """
    panel = _panel(task)
    lines: list[Sequence[int]] = []
    for first, second in itertools.combinations(task.opponents, 2):
        text = f"{VERSION} {task.name} {first} {second}"
        fixture = Fixture(text, first, second, 0, (_seed(f"{text} 1"), _seed(f"{text} 2")))
        game = play_game(fixture, task.rules, UNHURRIED, panel)
        lines += [cells for seat in game.fixture.seats for cells in game.layouts[seat].values()]
        lines += [step.cells for step in game.steps if isinstance(step, ShootStep)]
    text = "".join(",".join(map(str, cells)) + "\n" for cells in lines)
    return hashlib.sha256(text.encode()).hexdigest()


def _solos(agent: Agent, task: Task, numbers: Sequence[int], run: Run) -> Iterator[Game]:
    layouts = run.at(task)
    with agent.playing(task, run.level) as player:
        for number in numbers:
            text = f"{VERSION} {task.name} {run.seed} {number}"
            seeds = _seed(f"{text} agent"), _seed(f"{text} luck")
            fixture = Fixture(f"{task.name}-{number}", AGENT, None, number, seeds)
            players = {AGENT: player}
            yield play_game(fixture, task.rules, _settings(run), players, layout=layouts[number])


def _duels(agent: Agent, task: Task, numbers: Sequence[int], run: Run) -> list[Game]:
    """Return games against the opponents, which take turns from one number to the next.

    An agent learns of one opponent at a time: all games against it are played before those against
    the next.
    """
    opponents = len(task.opponents)
    games: list[Game] = []
    for opponent in range(opponents):
        own = [number for number in numbers if number % opponents == opponent]
        if own:
            with agent.playing(task, run.level) as player:
                games += _block(player, task, own, run)
    return sorted(games, key=lambda game: game.fixture.pair)


def _block(player: Player, task: Task, numbers: Sequence[int], run: Run) -> Iterator[Game]:
    """Yield games against one opponent, seats swapped from one to the next.

    The seed of an opponent is that of the game's number, whoever plays against it.
    """
    players = {AGENT: player, **_panel(task)}
    series = f"{VERSION} {task.name}" + ("" if run.fresh is None else f" fresh {run.fresh}")
    for number in numbers:
        turn, place = divmod(number, len(task.opponents))
        opponent = task.opponents[place]
        seeds = {
            AGENT: _seed(f"{series} {run.seed} {number} agent"),
            opponent: _seed(f"{series} {number} opponent"),
        }
        first, second = (opponent, AGENT) if turn % 2 else (AGENT, opponent)
        fixture = Fixture(
            f"{task.name}-{number}", first, second, number, (seeds[first], seeds[second])
        )
        yield play_game(fixture, task.rules, _settings(run), players)


def _panel(task: Task) -> dict[str, Player]:
    rules = view(task.rules, places=True)
    return {name: InProcessPlayer(bot_class(name), rules) for name in task.opponents}


def _settings(run: Run) -> Settings:
    return UNHURRIED if run.level is Level.NONE else Settings()


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
