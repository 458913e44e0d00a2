"""Defines the protocol of executors, which play blocks somewhere."""

from collections.abc import Callable, Generator
from typing import Protocol

from arena.errors import SalvoError
from arena.records import Block, BlockRecord

NextBlock = Callable[[], Block | None]
"""Returns the next block to play; None if there is none, at least for now."""

Play = Callable[[Block], BlockRecord]
"""Plays a block; must be picklable for workers in other processes."""

Records = Generator[BlockRecord, None, None]
"""Records of blocks as they finish; closing the generator ends the blocks still being played."""


class WorkerError(SalvoError):
    """A worker failed in a way that no bot or user can cause: a bug, with its traceback."""


class Executor(Protocol):
    """Plays blocks somewhere."""

    def run(self, next_block: NextBlock, play: Play) -> Records:
        """Play blocks with ``play`` and yield each record as it finishes, in any order.

        Calls ``next_block`` when a worker is free, and again after each record was consumed. Ends
        when it returns None and no block is being played.

        Raises:
            UserError: If ``play`` raises it, or, after all other blocks, if some cannot be played.
            WorkerError: If a worker fails in any other way.
        """
        ...
