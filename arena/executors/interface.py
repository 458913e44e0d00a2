"""What every executor does."""

from collections.abc import Callable, Generator
from typing import Protocol

from arena.errors import SalvoError
from arena.records import Block, BlockRecord

__all__ = ["Executor", "NextBlock", "Play", "Records", "WorkerError"]

NextBlock = Callable[[], Block | None]
"""Returns the next block to play; None if there is none now, or none at all."""

Play = Callable[[Block], BlockRecord]
"""Plays a block; for workers in other processes it can be pickled."""

Records = Generator[BlockRecord, None, None]
"""Records of blocks as they are finished; closing it ends what still runs."""


class WorkerError(SalvoError):
    """A worker failed in a way that no bot and no user can cause: a bug, told with its trace."""


class Executor(Protocol):
    """Plays blocks somewhere."""

    def run(self, next_block: NextBlock, play: Play) -> Records:
        """Play blocks by ``play`` and yield each record as it is finished, in any order.

        A block is asked for when a worker is free, and again after each record was taken in. It
        ends when there is no block and none is being played.

        Raises:
            UserError: If ``play`` raises it, or blocks cannot be played; others are played first.
            WorkerError: If it fails in any other way.
        """
        ...
