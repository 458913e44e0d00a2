"""Plays blocks on this machine: in this process, or in worker processes beside it."""

import logging
import multiprocessing
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait

from arena.errors import UserError
from arena.executors.interface import Play, Records
from arena.executors.logs import relayed
from arena.executors.worker import Task, Worker
from arena.isolation import adopt_orphans, children_of, end_orphans
from arena.records import Block, BlockRecord

__all__ = ["LocalWorkers", "ThisProcess"]

_log = logging.getLogger(__name__)

MAX_DEATHS = 3
"""How often a block is given to another worker after the one that played it died."""


class ThisProcess:
    """Plays in the calling process, which must have no other thread while bots start."""

    def run(self, blocks: Sequence[Block], play: Play) -> Records:
        """Play blocks one after another; see ``Executor``."""
        yield from map(play, blocks)


class LocalWorkers:
    """Plays in worker processes on this machine.

    Workers are forked where that is safe (Linux), else spawned; their logs reach the handlers of
    this process. A worker that is killed is replaced, and its block played anew. Workers end when
    this process does, however it does.

    Args:
        count: How many workers.
        start_method: "fork" or "spawn"; by default what suits the platform.
    """

    def __init__(self, count: int, start_method: str | None = None) -> None:
        self._count = count
        self._method = start_method or ("fork" if sys.platform == "linux" else "spawn")

    def run(self, blocks: Sequence[Block], play: Play) -> Records:
        """Play blocks side by side; see ``Executor``.

        Raises:
            UserError: If a block ended worker after worker; the others are played first.
        """
        context = multiprocessing.get_context(self._method)
        # What a worker that is killed leaves behind comes to this process, which ends it.
        adopt_orphans()
        spared = children_of(os.getpid())
        with relayed(self._method, context) as log_handler:
            task = Task(play, log_handler, logging.getLogger().level)
            pool = _Pool(lambda: Worker(context, task), blocks, spared)
            try:
                pool.grow(self._count)
                while pool.busy:
                    yield from pool.collect()
            finally:
                pool.end()
        if pool.given_up:
            raise UserError(_lament(pool.given_up))


def _lament(blocks: Sequence[Block]) -> str:
    lost = sorted(blocks, key=lambda block: (block.entrants, block.number))
    names = ", ".join(f"block {block.number} of {' and '.join(block.entrants)}" for block in lost)
    return (
        f"{names}: {MAX_DEATHS + 1} workers died over each. A bot may have killed them, or memory "
        "ran out: choose a stronger --isolation, fewer --workers, or leave a bot out. "
        "All other games are in the record"
    )


class _Pool:
    """Workers, the blocks they play, and those that wait for one.

    Args:
        make_worker: Starts a worker.
        blocks: What is to be played.
        spared: The children that this process had before it had workers.
    """

    def __init__(
        self, make_worker: Callable[[], Worker], blocks: Sequence[Block], spared: Sequence[int]
    ) -> None:
        self._make_worker = make_worker
        self._pending = deque(blocks)
        self._spared = spared
        self._deaths: Counter[int] = Counter()
        self.busy: list[Worker] = []
        self.given_up: list[Block] = []

    def grow(self, count: int) -> None:
        """Start workers and give each a block."""
        for _ in range(min(count, len(self._pending))):
            worker = self._make_worker()
            self.busy.append(worker)
            worker.give(self._pending.popleft())

    def collect(self) -> Iterator[BlockRecord]:
        """Wait for the next results and yield them; give each free worker another block.

        Raises:
            UserError: If playing raises it.
            WorkerError: If playing fails in any other way.
        """
        by_connection = {worker.connection: worker for worker in self.busy}
        for connection in wait(list(by_connection)):
            worker = by_connection[connection]
            record = worker.take()
            if record is None:
                self._bury(worker)
            elif self._pending:
                worker.give(self._pending.popleft())
            else:
                self._part_with(worker)
            if record is not None:
                yield record

    def _bury(self, worker: Worker) -> None:
        """Put a fresh worker in the place of one that died, on the same block or the next."""
        block = worker.block
        self._part_with(worker)
        end_orphans(self._spared)
        self._deaths[id(block)] += 1
        if self._deaths[id(block)] <= MAX_DEATHS:
            _log.warning("a worker died; its block is played anew")
            self._pending.appendleft(block)
        else:
            self.given_up.append(block)
        self.grow(1)

    def _part_with(self, worker: Worker) -> None:
        self.busy.remove(worker)
        worker.dismiss()
        worker.join()

    def end(self) -> None:
        """End every worker."""
        for worker in self.busy:
            worker.dismiss()
        for worker in self.busy:
            worker.join()
        end_orphans(self._spared)
