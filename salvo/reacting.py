"""Chooses pairings by the results so far, as the leaderboards judge these.

The arena asks for the next block and knows no statistics; the leaderboards read tables and know no
blocks. What stands between them is here.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from arena.records import Outcome
from arena.schedule import Pairing, Plan, Rounds, Schedule, Swiss
from leaderboards.elo.allocation import next_blocks, strangers
from leaderboards.elo.game_counts import Floats, Integers
from leaderboards.sprt import SCORES, Hypotheses, SequentialTest, State
from salvo.conditions import GAMES_A_BLOCK, Matching

_SMALLEST_ROUND = 4
"""Blocks of a round of an adaptive schedule in a small field: as many can be played at once."""


class EndOfTest:
    """Ends a match when a sequential test decides: what ``arena.schedule.Until`` asks."""

    def __init__(self, first: str, hypotheses: Hypotheses) -> None:
        self._first = first
        self.test = SequentialTest(hypotheses)

    @property
    def state(self) -> State:
        """Return the state of the test."""
        return self.test.state

    def __call__(self, block: Sequence[Outcome]) -> bool:
        """Take in a block, and return whether the test is decided."""
        self.test.add(_pairs_by_score(block, self._first))
        return self.state.decided


def _pairs_by_score(block: Sequence[Outcome], bot: str) -> list[int]:
    halves: dict[int, int] = {}
    for game in block:
        won = {"first": 2, "second": 0, "draw": 1}[game.result]
        mine = won if game.first == bot else 2 - won
        halves[game.pair] = halves.get(game.pair, 0) + mine
    counts = [0] * len(SCORES)
    for half in halves.values():
        counts[half] += 1
    return counts


class Adaptive:
    """Draws blocks where they shrink the intervals that matter most; see ``next_blocks``."""

    def __init__(self, bots: Iterable[str]) -> None:
        self._bots = sorted(bots)

    def __call__(self, played: Sequence[Sequence[Outcome]], size: int) -> list[Pairing]:
        """Return the pairings of the next round; see ``arena.schedule.Draw``."""
        return self._named(next_blocks(*self._tallied(played), size, GAMES_A_BLOCK))

    def missing(self, played: Sequence[Sequence[Outcome]]) -> list[Pairing]:
        """Return the neighbours in the table that have not met; see ``arena.schedule.Close``."""
        return self._named(strangers(*self._tallied(played)))

    def _named(self, chosen: Iterable[tuple[int, int]]) -> list[Pairing]:
        return [(self._bots[one], self._bots[other]) for one, other in chosen]

    def _tallied(self, played: Sequence[Sequence[Outcome]]) -> tuple[Integers, Floats]:
        """Return games (N, N) between the bots, and points (N, N) of the row."""
        place = {bot: index for index, bot in enumerate(self._bots)}
        games = np.zeros((len(place),) * 2, dtype=np.int64)
        points = np.zeros((len(place),) * 2)
        for block in played:
            for game in block:
                assert game.second is not None, "solo games are no part of a round"
                one, other = place[game.first], place[game.second]
                games[[one, other], [other, one]] += 1
                won = {"first": 1.0, "second": 0.0, "draw": 0.5}[game.result]
                points[one, other] += won
                points[other, one] += 1 - won
        return games, points


def in_rounds(matching: Matching, plan: Plan, games: int) -> Schedule:
    """Return the schedule of a tournament in which bots do not all meet.

    Each bot plays so many games, a multiple of ``GAMES_A_BLOCK``; with an odd number of bots, one
    may have a block less. All that search alone take part.
    """
    bots, rounds = plan.soloists, games // GAMES_A_BLOCK
    half = len(bots) // 2
    if matching == "swiss":
        swiss = Swiss(bots, plan.tournament)
        return Rounds(plan, blocks=rounds * half, size=half, draw=swiss)
    adaptive = Adaptive(bots)
    return Rounds(
        plan,
        blocks=rounds * len(bots) // 2,
        size=max(half, _SMALLEST_ROUND),
        draw=adaptive,
        close=adaptive.missing,
        most_closing=len(bots),
    )


def describe_rounds(
    matching: Matching, sizes: Mapping[tuple[str, ...], int], bots: Sequence[str]
) -> str:
    """Return who met whom, in a sentence or two."""
    met = {pairing: pairs for pairing, pairs in sizes.items() if len(pairing) > 1}
    # A pair is two games, each of them a game of two bots.
    games = 4 * sum(met.values()) / len(bots)
    told = (
        f"Schedule {matching}: {games:.4g} games a bot on average; {len(met)} of the "
        f"{len(bots) * (len(bots) - 1) // 2} pairings met."
    )
    left = [bot for bot in bots if not any(bot in pairing for pairing in met)]
    if left:
        told += f" {', '.join(left)} met nobody and has no Elo: raise --games."
    return told
