"""Schedules rounds: who meets whom in one follows from the results of those before it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from arena.records import PAIRS_PER_BLOCK, Block, BlockKey, Outcome
from arena.schedule.plan import Plan
from arena.schedule.schedule import WAIT, Wait
from arena.seeds import Seeds

Pairing = tuple[str, str]
"""Two names, in alphabetical order."""

Draw = Callable[[Sequence[Sequence[Outcome]], int], Sequence[Pairing]]
"""Returns so many pairings to be played next, given all blocks of two bots so far.

The same pairing may be among them twice. What it returns may depend on nothing else.
"""


class Rounds:
    """The solo blocks of a plan, and then rounds of blocks between two bots.

    A round is drawn when all blocks of the rounds before it are finished, so that it does not
    depend on how many workers there are or on who finishes first. How many blocks there are in all
    changes nothing about the first of them: a tournament can be extended.

    Args:
        plan: The solo games, and what all games have in common; it has no pairings of its own.
        blocks: How many blocks of two bots there are in all.
        size: How many of them a round has; the last may have fewer.
    """

    reacts = True

    def __init__(self, plan: Plan, *, blocks: int, size: int, draw: Draw) -> None:
        self._plan, self._blocks, self._size, self._draw = plan, blocks, size, draw
        self._alone = sum(1 for _ in plan.blocks())
        self._drawn: list[tuple[Pairing, int]] = []

    @property
    def seeds(self) -> Seeds:
        """The seeds of its games."""
        return self._plan.seeds

    @property
    def most_games(self) -> int:
        """The number of its games."""
        return self._plan.most_games + self._blocks * 2 * PAIRS_PER_BLOCK

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        """Return how many of its games a record holds; see ``Schedule``.

        Which blocks of two bots are its own only their results tell: all of them count, but never
        more than there are in all.
        """
        between = [games for (who, _), games in played.items() if len(who) > 1]
        whole = sum(games >= 2 * PAIRS_PER_BLOCK for games in between)
        return self._plan.games_in(played) + min(whole, self._blocks) * 2 * PAIRS_PER_BLOCK

    def block(
        self, position: int, results: Sequence[Sequence[Outcome]]
    ) -> Block | Literal[Wait.WAIT] | None:
        """Return the block at a position; see ``Schedule``."""
        if position < self._alone:
            return self._plan.block(position)
        place = position - self._alone
        if place >= self._blocks:
            return None
        while len(self._drawn) <= place:
            if len(results) < self._alone + len(self._drawn):
                return WAIT
            self._draw_round(results[self._alone : self._alone + len(self._drawn)])
        pairing, number = self._drawn[place]
        start = number * PAIRS_PER_BLOCK
        return self._plan.block_of(pairing, number, range(start, start + PAIRS_PER_BLOCK))

    def _draw_round(self, played: Sequence[Sequence[Outcome]]) -> None:
        """Append the blocks of the next round, numbered within their pairings."""
        met = Counter(pairing for pairing, _ in self._drawn)
        for pairing in self._draw(played, self._size)[: self._blocks - len(self._drawn)]:
            self._drawn.append((pairing, met[pairing]))
            met[pairing] += 1
