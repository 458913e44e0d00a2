"""Submits blocks to a Dask scheduler, and reads what comes of them."""

import contextlib
import logging
import pickle
import queue
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from typing import Any, NamedTuple, NoReturn

import msgspec

from arena.errors import UserError
from arena.executors.dask_task import (
    Broken,
    Missing,
    Outcome,
    Played,
    Refused,
    played_on_worker,
    run_on_worker,
    software,
)
from arena.executors.dask_watch import ANSWER_S
from arena.executors.executor import NextBlock, WorkerError
from arena.executors.payload import Answer, Payload
from arena.records import Block, BlockKey, BlockRecord

_log = logging.getLogger(__name__)

MAX_KILLED = 6
"""A block is given up for good when Dask has given it up so often, each time after several deaths
of workers."""

LOOK_UP_S = 1.0
"""Interval at which the cluster is looked at while no block is completed."""

_RUN_BITS = 64


def mismatch(reason: str) -> str:
    """Return what to say of a worker with other software."""
    return f"{reason}; install the same on all machines"


class _Call:
    """A task that is run when it is unpickled, and becomes its outcome."""

    def __init__(self, task: bytes) -> None:
        self._task = task

    def __reduce__(self) -> tuple[Callable[[bytes], bytes], tuple[bytes]]:
        return run_on_worker, (self._task,)


class _Submitted(NamedTuple):
    future: Any
    block: Block
    attempt: int


class Futures:
    """The blocks that were submitted to the scheduler.

    Attributes:
        pending: By the future's key: the blocks that are not completed yet.
        given_up: The blocks over which too many workers died.
    """

    def __init__(self, client: Any, payload: Payload, address: str) -> None:  # noqa: ANN401 - no types without the extra
        self._client, self._payload, self._address = client, payload, address
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._killed: Counter[BlockKey] = Counter()
        self._run = secrets.token_hex(_RUN_BITS // 8)
        self._log_level = logging.getLogger().getEffectiveLevel()
        self.pending: dict[str, _Submitted] = {}
        self.given_up: list[Block] = []

    def submit(self, next_block: NextBlock, most: int) -> None:
        """Submit blocks, as long as there are any, until so many are pending."""
        while len(self.pending) < most:
            block = next_block()
            if block is None:
                return
            self._send(block, 0)

    def _send(self, block: Block, attempt: int, missing: Missing | None = None) -> None:
        task = self._payload.to_task(
            block, self._log_level, () if missing is None else missing.hashes
        )
        key = f"salvo-{self._run}-{'+'.join(block.entrants)}-{block.number}-{attempt}"
        future = self._client.submit(
            # Of a message that names what a worker cannot import Dask makes no error: it sends it
            # again for ever. Unpickled within the task, it is the task that fails.
            pickle.loads,
            pickle.dumps(_Call(task)),
            key=key,
            pure=False,
            workers=None if missing is None else [missing.worker],
            allow_other_workers=missing is not None,
        )
        self.pending[key] = _Submitted(future, block, attempt)
        future.add_done_callback(self._done.put)

    def complete(self) -> BlockRecord | None:
        """Wait a little for a block, and return its record, or None if there is none yet.

        Raises:
            ConnectionError: If the connection to the scheduler was lost.
            UserError: If a worker cannot play it.
            WorkerError: If it failed in any other way.
        """
        try:
            future = self._done.get(timeout=LOOK_UP_S)
        except queue.Empty:
            return None
        if future.key not in self.pending:
            return None  # it was dropped
        if future.status == "error":
            self._replay(self.pending.pop(future.key), future.exception())
            return None
        try:
            outcome = future.result(timeout=ANSWER_S)
        except TimeoutError:
            future.add_done_callback(self._done.put)  # is waited for again
            return None
        except CancelledError:
            # Nobody here cancels what has not come back: the scheduler went, and came again.
            raise ConnectionError from None
        return self._read(self.pending.pop(future.key), outcome)

    def _replay(self, submitted: _Submitted, error: BaseException | None) -> None:
        """Have a block played again of which Dask says that workers died over it."""
        if type(error).__name__ != "KilledWorker":
            self._fail(error)
        block = submitted.block
        self._killed[block.key] += 1
        if self._killed[block.key] >= MAX_KILLED:
            self.given_up.append(block)
        else:
            _log.warning("workers died over a block, which is played again")
            self._send(block, submitted.attempt + 1)

    def _read(self, submitted: _Submitted, outcome: bytes) -> BlockRecord | None:
        match msgspec.msgpack.decode(outcome, type=Outcome):
            case Missing() as missing:
                self._send(submitted.block, submitted.attempt + 1, missing)
                return None
            case Refused(reason):
                raise UserError(mismatch(reason))
            case Broken(reason):
                raise WorkerError(reason)
            case Played(answer):
                return self._accept(msgspec.msgpack.decode(answer, type=Answer))
        raise AssertionError(outcome)

    def _accept(self, answer: Answer) -> BlockRecord:
        for line in answer.log:
            logging.getLogger(line.logger).log(line.level, "%s", line.text)
        if answer.trace:
            raise WorkerError(f"a worker failed; this is a bug:\n{answer.trace}")
        if answer.record is None:
            raise UserError(f"--cluster {self._address}: on a worker: {answer.refusal}")
        return answer.record

    def _fail(self, error: BaseException | None) -> NoReturn:
        cause = error
        while cause is not None:  # Dask wraps what a worker could not even read
            if isinstance(cause, ImportError):
                reason = f"--cluster {self._address}: a worker has no such Salvo ({cause!r})"
                needed = f"{software(self._payload.packages)} is needed"
                raise UserError(mismatch(f"{reason}, and {needed}")) from error
            cause = cause.__cause__
        raise WorkerError(f"a worker failed; this is a bug: {error!r}") from error

    def drop_waiting(self) -> None:
        """Cancel the blocks that no worker plays yet."""
        try:
            played = self._client.run(
                played_on_worker, on_error="ignore", callback_timeout=ANSWER_S
            )
        except TimeoutError:
            return  # a worker was stopped
        begun = {key for keys in played.values() for key in keys}
        waiting = {
            key: one
            for key, one in self.pending.items()
            if key not in begun and one.future.status == "pending"
        }
        self.pending = {key: one for key, one in self.pending.items() if key not in waiting}
        self._cancel(waiting.values())

    def cancel(self) -> None:
        """Cancel all that are pending; what plays them on a worker is ended."""
        with contextlib.suppress(Exception):
            self._cancel(self.pending.values())

    def _cancel(self, submitted: Iterable[_Submitted]) -> None:
        self._client.cancel([one.future for one in submitted], force=True)
