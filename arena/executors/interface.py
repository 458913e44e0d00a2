"""What every executor does."""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from arena.errors import SalvoError
from arena.records import Block, BlockRecord

__all__ = ["Executor", "Play", "Records", "WorkerError"]

Play = Callable[[Block], BlockRecord]
"""Plays a block; for workers in other processes it can be pickled."""

Records = Generator[BlockRecord, None, None]
"""Records of blocks as they are finished; closing it ends what still runs."""


class WorkerError(SalvoError):
    """A worker failed in a way that no bot and no user can cause: a bug, told with its trace."""


class Executor(Protocol):
    """Plays blocks somewhere."""

    def run(self, blocks: Sequence[Block], play: Play) -> Records:
        """Play ``blocks`` by ``play`` and yield each record as it is finished, in any order.

        Raises:
            UserError: If ``play`` raises it, or blocks cannot be played; others are played first.
            WorkerError: If it fails in any other way.
        """
        ...
