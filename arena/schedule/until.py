"""Ends a schedule when a test of the results says so."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from arena.records import Block, BlockKey, Outcome
from arena.schedule.plan import Plan
from arena.schedule.schedule import WAIT, Wait
from arena.seeds import Seeds

_FEWEST_AHEAD = 3
_MOST_AHEAD = 15
_SHARE_AHEAD = 8


class Until:
    """The blocks of a plan, until a test ends them.

    The test takes in the outcomes of each block, in the order of the plan, and the first block at
    which it says so ends the schedule. So that several blocks can be played at once, some are begun
    before it has seen all of those before them: three at first, one more for every eight that were
    played, fifteen at most. Which ones these are depends on nothing but their position.
    """

    reacts = True

    def __init__(self, plan: Plan, ends: Callable[[Sequence[Outcome]], bool]) -> None:
        self._plan = plan
        self._ends = ends
        self._seen = 0
        self._ended_after: int | None = None

    @property
    def seeds(self) -> Seeds:
        """The seeds of its games."""
        return self._plan.seeds

    @property
    def most_games(self) -> int:
        """The number of its games, at most."""
        return self._plan.most_games

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        """Return how many of its games a record holds; see ``Schedule``."""
        return self._plan.games_in(played)

    def block(
        self, position: int, results: Sequence[Sequence[Outcome]]
    ) -> Block | Literal[Wait.WAIT] | None:
        """Return the block at a position; see ``Schedule``."""
        ahead = min(_FEWEST_AHEAD + position // _SHARE_AHEAD, _MOST_AHEAD)
        needed = max(0, position - ahead)
        if len(results) < needed:
            return WAIT
        while self._ended_after is None and self._seen < needed:
            ended = self._ends(results[self._seen])
            self._seen += 1
            self._ended_after = self._seen if ended else None
        if self._ended_after is not None and self._ended_after <= needed:
            return None
        return self._plan.block(position)
