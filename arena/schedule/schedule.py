"""Defines the protocol of schedules, which decide block by block what is played."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, Literal, Protocol

from arena.records import Block, BlockKey, Outcome
from arena.seeds import Seeds


class Wait(Enum):
    """The answer of a schedule that needs more results first."""

    WAIT = "wait"


WAIT: Final = Wait.WAIT


class Schedule(Protocol):
    """Decides block by block what is played, given what has been played.

    The blocks stand in one order, the schedule's. So that a tournament is the same at any number
    of workers, what a schedule says of a position may depend on nothing but that position and
    results before another one that it fixes: a Swiss round on the rounds before it, a sequential
    test on all but the last few blocks. Until these results are there it says ``WAIT``.
    """

    @property
    def seeds(self) -> Seeds:
        """The seeds of its games."""
        ...

    @property
    def reacts(self) -> bool:
        """Whether results change what it says; else none are kept for it."""
        ...

    @property
    def most_games(self) -> int:
        """The number of its games, at most."""
        ...

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        """Return how many of its games a record holds, given the games of each block there.

        Only blocks that are whole count.
        """
        ...

    def block(
        self, position: int, results: Sequence[Sequence[Outcome]]
    ) -> Block | Literal[Wait.WAIT] | None:
        """Return the block at a position, or None if the schedule ends before it.

        Args:
            position: Which block in the order of the schedule, from 0.
            results: The outcomes of the first blocks, as far as all before them are finished.
        """
        ...
