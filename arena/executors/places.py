"""Decides which block may begin: those that wait for something outside take no worker's place."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.executors.executor import NextBlock
from arena.records import Block

if TYPE_CHECKING:
    from arena.executors.worker import Worker

BESIDE_MOST = 8
"""How many blocks that wait for something outside are in play beside those of the workers."""

HELD_MOST = 64
"""How many blocks are held back at most, for one that may begin before them."""


class Places:
    """The room for blocks in play: for those that compute, and for those that wait.

    Attributes:
        busy: The workers that play a block.
    """

    def __init__(self, count: int, waits: Callable[[Block], bool] | None) -> None:
        self._count = count
        self._waits = waits
        self.busy: list[Worker] = []

    def has_room(self) -> bool:
        """Return whether there is room for some block."""
        waiting = self._waiting()
        return len(self.busy) - waiting < self._count or (
            self._waits is not None and waiting < BESIDE_MOST
        )

    def fits(self, block: Block) -> bool:
        """Return whether there is room for a block."""
        waiting = self._waiting()
        if self._waits is not None and self._waits(block):
            return waiting < BESIDE_MOST
        return len(self.busy) - waiting < self._count

    def _waiting(self) -> int:
        return 0 if self._waits is None else sum(self._waits(one.block) for one in self.busy)


class Blocks:
    """The blocks to be played: those held back, and the next ones."""

    def __init__(self, next_block: NextBlock, places: Places, stop: Callable[[], bool]) -> None:
        self._next_block, self._places, self._stop = next_block, places, stop
        self._held: list[Block] = []
        self._again: list[Block] = []

    def replay(self, block: Block) -> None:
        """Have a block played before all others."""
        self._again.append(block)

    def take(self) -> Block | None:
        """Return a block for which there is room; None if there is none, at least for now."""
        if not self._places.has_room():
            return None
        held = self._again if self._stop() else [*self._again, *self._held]
        for block in held:
            if self._places.fits(block):
                (self._again if block in self._again else self._held).remove(block)
                return block
        while len(self._held) < HELD_MOST:
            following = self._next_block()
            if following is None or self._places.fits(following):
                return following
            self._held.append(following)
        return None
