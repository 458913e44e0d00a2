"""Chooses pairings by the results so far, as the leaderboards judge these.

The arena asks for the next block and knows no statistics; the leaderboards read tables and know no
blocks. What stands between them is here.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from arena.records import Outcome
from arena.schedule import Draw, Pairing, Plan, Rounds, Schedule, Swiss
from leaderboards.elo.allocation import next_blocks
from leaderboards.elo.closeness import nats_beyond_near
from leaderboards.elo.elo_table import ELO_PER_NAT
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


class Reaction:
    """Chooses who meets whom by the games so far."""

    def __init__(self, bots: Iterable[str]) -> None:
        self._bots = sorted(bots)

    def adaptive(self, played: Sequence[Sequence[Outcome]], size: int) -> list[Pairing]:
        """Return the pairings that tell most; see ``next_blocks`` and ``arena.schedule.Draw``."""
        chosen = next_blocks(*self._tallied(played), size, GAMES_A_BLOCK)
        return [(self._bots[one], self._bots[other]) for one, other in chosen]

    def too_far(self, played: Sequence[Sequence[Outcome]]) -> list[list[int]]:
        """Return by how many Elo two bots differ beyond near ones; see ``arena.schedule.Swiss``."""
        beyond = np.rint(ELO_PER_NAT * nats_beyond_near(*self._tallied(played))).astype(int)
        rows: list[list[int]] = beyond.tolist()
        return rows

    def _tallied(self, played: Sequence[Sequence[Outcome]]) -> tuple[Integers, Floats]:
        """Return games (N, N) between the bots, and points (N, N) of the row."""
        size = len(self._bots)
        place = {bot: index for index, bot in enumerate(self._bots)}
        seats, points = [], []
        for block in played:
            for game in block:
                assert game.second is not None, "solo games are no part of a round"
                seats.append(place[game.first] * size + place[game.second])
                points.append({"first": 1.0, "second": 0.0, "draw": 0.5}[game.result])
        games = np.bincount(seats, minlength=size**2).reshape(size, size)
        won = np.bincount(seats, weights=points, minlength=size**2).reshape(size, size)
        return games + games.T, won + (games - won).T


def draw_of(matching: Matching, plan: Plan) -> Draw:
    """Return what draws the rounds of a tournament, each once, for any number of schedules of it.

    All that search alone in the plan take part.
    """
    reaction = Reaction(plan.soloists)
    choose: Draw = reaction.adaptive
    if matching == "swiss":
        choose = Swiss(plan.soloists, plan.tournament, reaction.too_far)
    drawn: dict[int, Sequence[Pairing]] = {}

    def draw(played: Sequence[Sequence[Outcome]], size: int) -> Sequence[Pairing]:
        # Results do not change, so the number of blocks before a round says which round it is.
        if len(played) not in drawn:
            drawn[len(played)] = choose(played, size)
        return drawn[len(played)]

    return draw


def in_rounds(matching: Matching, plan: Plan, games: int, draw: Draw) -> Schedule:
    """Return the schedule of a tournament in which bots do not all meet.

    Each bot plays so many games, a multiple of ``GAMES_A_BLOCK``; with an odd number of bots, one
    may have a block less.
    """
    bots, rounds = len(plan.soloists), games // GAMES_A_BLOCK
    half = bots // 2
    if matching == "swiss":
        return Rounds(plan, blocks=rounds * half, size=half, draw=draw)
    return Rounds(plan, blocks=rounds * bots // 2, size=max(half, _SMALLEST_ROUND), draw=draw)


def describe_rounds(
    matching: Matching, sizes: Mapping[tuple[str, ...], int], bots: Sequence[str]
) -> str:
    """Return who met whom, in a sentence or two."""
    met = {pairing: pairs for pairing, pairs in sizes.items() if len(pairing) > 1}
    # A pair is two games, each of them a game of two bots.
    games = 4 * sum(met.values()) / len(bots)
    number = f"{games:.4g}" if games < 1000 else f"{games:,.0f}"  # noqa: PLR2004 - digits enough
    told = (
        f"Schedule {matching}: {number} games a bot on average; {len(met)} of the "
        f"{len(bots) * (len(bots) - 1) // 2} pairings met."
    )
    left = [bot for bot in bots if not any(bot in pairing for pairing in met)]
    if left:
        told += f" {', '.join(left)} met nobody and has no Elo: raise --games."
    return told
