"""Measures what publishing games in play costs the process that plays them, in processor time."""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.entrants import parse_entrant
from arena.isolation import Choice, Level
from arena.player import UNHURRIED, InProcessPlayer
from arena.records import Block, Game, Settings
from arena.referee import Observer, play_block
from arena.rules import Rules, view
from arena.schedule import Plan
from arena.seeds import Seeds
from arena.tournament import play_here
from bots.uniform_random import UniformRandom
from salvo.bundled import bundled_bots
from salvo.server.database.server_database import folder_of
from salvo.server.in_play import A_SECOND, Publisher

_PAIRS = 10  # of games in a block
_BOT = "uniform_random"
_OTHER = "hunt_target"


class Cost(NamedTuple):
    """Microseconds of processor time, of the process that plays alone.

    Attributes:
        step_us: Of a step of a game between bots in processes of their own, unpublished.
        quick_us: Added to a step where games are over too soon to be published.
        write_us: Of publishing where a game stands.
    """

    step_us: float
    quick_us: float
    write_us: float

    @property
    def quick_percent(self) -> float:
        """Of quick games, what is added, in percent."""
        return 100 * self.quick_us / self.step_us

    @property
    def slow_percent(self) -> float:
        """Of one core, what publishing takes at most, in percent: it is done so often a second."""
        return 100 * A_SECOND * self.write_us / 1e6


def publishing_cost(rules: Rules, *, repeats: int) -> Cost:
    """Play a block again and again, with and without publishing it by turns.

    Others who use the machine can only add to what is measured: the cheapest of the repeats counts.
    What is added is measured between bots within this process, where nothing else varies.
    """
    seeds = Seeds(1, rules)
    plan = Plan(
        tournament="published",
        seeds=seeds,
        pairings=((_OTHER, _BOT),),
        soloists=(),
        pairs=_PAIRS,
        layouts=0,
        block_pairs=_PAIRS,
    )
    block = plan.block_of((_OTHER, _BOT), 0, range(_PAIRS))
    programs = [parse_entrant(name, bundled_bots()) for name in (_OTHER, _BOT)]
    bots = {entrant.name: entrant.program for entrant in programs}
    apart = play_here(rules, Settings(), seeds, bots, Choice(Level.NONE, ()))

    def within(observer: Observer | None) -> Callable[[], tuple[Game, ...]]:
        return lambda: _play_within(block, rules, observer)

    with tempfile.TemporaryDirectory() as folder:
        league = Path(folder)
        folder_of(league).mkdir()
        with (
            closing(Publisher(league)) as quick,
            closing(Publisher(league, followed_s=-1, at_once=10**9)) as slow,
        ):
            ways = (lambda: apart(block).games, *map(within, (None, quick, slow)))
            least = [float("inf")] * len(ways)
            for turn in range(repeats):
                for number in sorted(range(len(ways)), reverse=bool(turn % 2)):
                    least[number] = min(least[number], _step_us(ways[number]))
    apart_us, unseen_us, quick_us, slow_us = least
    return Cost(apart_us, quick_us - unseen_us, slow_us - unseen_us)


def _play_within(block: Block, rules: Rules, observer: Observer | None) -> tuple[Game, ...]:
    players = {
        name: InProcessPlayer(UniformRandom, view(rules), UNHURRIED) for name in block.entrants
    }
    games, _ = play_block(
        block, rules, UNHURRIED, players, lambda fixture, _: fixture.seeds, observer=observer
    )
    return games


def _step_us(play: Callable[[], tuple[Game, ...]]) -> float:
    began = time.process_time()
    games = play()
    used_s = time.process_time() - began
    return 1e6 * used_s / sum(len(game.steps) for game in games)
