"""Plays blocks on this machine, in this process or in worker processes."""

import contextlib
import logging
import logging.handlers
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import wait
from typing import Any

import multiprocessing_logging

from arena.errors import UserError
from arena.executors.executor import NextBlock, Play, Records
from arena.executors.places import Blocks, Places
from arena.executors.worker import Worker
from arena.isolation import adopt_orphans, children_of, end_orphans
from arena.records import Block, BlockKey, BlockRecord

_log = logging.getLogger(__name__)

MAX_DEATHS = 3
"""How often a block is retried after the worker that played it died."""

LOOK_S = 0.2
"""Interval at which `void` is asked about the blocks in play."""


class ThisProcess:
    """Plays in the calling process, which must have no other threads while bots start."""

    def run(self, next_block: NextBlock, play: Play) -> Records:
        """Play blocks one after another; see ``Executor``."""
        while (block := next_block()) is not None:
            yield play(block)


class LocalWorkers:
    """Plays in worker processes on this machine.

    Workers are forked where that is safe (Linux), otherwise spawned; their logs reach the handlers
    of this process. A worker that is killed is replaced, and its block is played again. Workers end
    when this process does, even if it is killed.

    Args:
        start_method: "fork" or "spawn"; the default depends on the platform.
        void: Asked again and again of each block in play; where it says yes, the block is ended and
            not played again. Free workers then ask for blocks as often.
        waits: Says which blocks wait for something outside and need no processor meanwhile: up to
            ``BESIDE_MOST`` of them are in play beside ``count`` others.
        stop: Says whether to begin none of the blocks that were held back.
    """

    def __init__(
        self,
        count: int,
        start_method: str | None = None,
        *,
        void: Callable[[Block], bool] | None = None,
        waits: Callable[[Block], bool] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._count = count
        self._void = void
        self._waits, self._stop = waits, stop
        self._method = start_method or ("fork" if sys.platform == "linux" else "spawn")

    def run(self, next_block: NextBlock, play: Play) -> Records:
        """Play blocks in parallel; see ``Executor``.

        Raises:
            UserError: If several workers died over the same block; the others are played first.
        """
        context = multiprocessing.get_context(self._method)
        # The bots of a worker that is killed become children of this process, which kills them.
        adopt_orphans()
        spared = children_of(os.getpid())
        with _relayed(self._method, context) as log_handler:
            make_worker = partial(Worker, context, play, log_handler)
            places = Places(self._count, self._waits)
            blocks = Blocks(next_block, places, self._stop)
            pool = _Pool(places, make_worker, blocks, spared)
            look_s = None if self._void is None else LOOK_S
            try:
                pool.grow()
                while pool.busy:
                    yield from pool.collect(look_s)
                    if self._void is not None:
                        pool.drop(self._void)
                    pool.grow()
            finally:
                pool.end()
        if pool.given_up:
            raise UserError(_complaint(pool.given_up))


def _complaint(blocks: Sequence[Block]) -> str:
    lost = sorted(blocks, key=lambda block: block.key)
    names = ", ".join(map(str, lost))
    return (
        f"{names}: {MAX_DEATHS + 1} workers died playing each. A bot may have killed them, or "
        "memory ran out: choose a stronger --isolation, fewer --workers, or leave a bot out. "
        "All other games are in the record"
    )


class _Pool:
    """Workers and the blocks they play.

    Args:
        spared: The children that this process had before the workers.

    Attributes:
        given_up: The blocks over which too many workers died.
    """

    def __init__(
        self,
        places: Places,
        make_worker: Callable[[], Worker],
        blocks: Blocks,
        spared: Sequence[int],
    ) -> None:
        self._places = places
        self._make_worker = make_worker
        self._blocks = blocks
        self._idle: list[Worker] = []
        self._spared = spared
        self._deaths: Counter[BlockKey] = Counter()
        self.given_up: list[Block] = []

    @property
    def busy(self) -> list[Worker]:
        """The workers that play a block."""
        return self._places.busy

    def grow(self) -> None:
        """Give every free worker a block, as long as there are blocks."""
        while (block := self._blocks.take()) is not None:
            worker = self._idle.pop() if self._idle else self._make_worker()
            self.busy.append(worker)
            worker.give(block)

    def collect(self, patience_s: float | None) -> Iterator[BlockRecord]:
        """Wait for the next results, so long if they do not come before, and yield them."""
        by_connection = {worker.connection: worker for worker in self.busy}
        for connection in wait(list(by_connection), patience_s):
            worker = by_connection[connection]
            record = worker.take()
            self.busy.remove(worker)
            if record is None:
                self._replay(worker)
            else:
                self._idle.append(worker)
                self.grow()  # keep it busy while the caller consumes the record
                yield record

    def _replay(self, worker: Worker) -> None:
        """Have another worker play the block of one that died, with the same seeds."""
        block = worker.block
        self._end(worker)
        self._deaths[block.key] += 1
        if self._deaths[block.key] <= MAX_DEATHS:
            _log.warning("a worker died; its block is played again")
            self._blocks.replay(block)
        else:
            self.given_up.append(block)

    def drop(self, void: Callable[[Block], bool]) -> None:
        dropped = [worker for worker in self.busy if void(worker.block)]
        self._places.busy = [worker for worker in self.busy if worker not in dropped]
        self._end(*dropped)

    def end(self) -> None:
        self._end(*self.busy, *self._idle)

    def _end(self, *workers: Worker) -> None:
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            worker.join()
        if workers:
            end_orphans(self._spared)


class _Relay(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        logging.getLogger().handle(record)


@contextlib.contextmanager
def _relayed(method: str, context: Any) -> Iterator[Callable[[], logging.Handler]]:  # noqa: ANN401 - stdlib has no name for it
    """Relay the logs of workers while entered, and yield a factory of a worker's handler."""
    if method == "fork":
        with _by_multiprocessing_logging() as handler:
            yield lambda: handler
    else:
        with _by_listener(context) as make_handler:
            yield make_handler


@contextlib.contextmanager
def _by_multiprocessing_logging() -> Iterator[logging.Handler]:
    """Relay by multiprocessing-logging, whose handler must exist before workers are forked."""
    logger = logging.Logger("workers")  # noqa: LOG001 - private, so that nobody else logs to it
    logger.addHandler(_Relay())
    # The library asserts that the global start method is fork, which is not always the default.
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method("fork", force=True)
    try:
        multiprocessing_logging.install_mp_handler(logger)
    finally:
        multiprocessing.set_start_method(before, force=True)
    [handler] = logger.handlers
    try:
        yield handler
    finally:
        handler.close()  # waits until all records have arrived


@contextlib.contextmanager
def _by_listener(context: Any) -> Iterator[Callable[[], logging.Handler]]:  # noqa: ANN401 - stdlib has no name for it
    """Relay by the standard library, which also works for spawned workers."""
    queue = context.Queue()
    listener = logging.handlers.QueueListener(queue, _Relay())
    listener.start()
    try:
        yield partial(logging.handlers.QueueHandler, queue)
    finally:
        listener.stop()
        queue.close()
        queue.join_thread()
