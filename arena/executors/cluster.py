"""Plays blocks on the workers of a Dask cluster; needs the extra ``cluster``."""

import contextlib
import importlib
import logging
import pickle
import queue
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple, NoReturn

import msgspec

from arena.errors import UserError, not_installed
from arena.executors.dask_task import (
    Broken,
    Missing,
    Outcome,
    Played,
    Refused,
    Software,
    run_on_worker,
    software,
)
from arena.executors.executor import NextBlock, Play, Records, WorkerError
from arena.executors.payload import Answer, Payload
from arena.records import Block, BlockKey, BlockRecord

_log = logging.getLogger(__name__)

LOCAL = "local"
"""The address of a cluster that is started for one run."""

MAX_KILLED = 6
"""How often Dask may give up a block, each time after several deaths of workers, before we do."""

CONNECT_S = 10.0
LOOK_UP_S = 1.0
"""How often the connection to the scheduler is looked at while nothing comes."""

_RUN_BITS = 64


class Cluster:
    """Plays on the workers of a Dask cluster.

    At most twice as many blocks are submitted as the workers have threads: its scheduler is not
    made for all blocks of a large tournament at once. A block whose worker died is submitted again
    under another key, so that a late answer to the first is nobody's.

    Args:
        address: Where the scheduler listens, such as ``tcp://10.0.0.1:8786``; ``local`` starts a
            cluster on this machine, which ends with the run.

    Raises:
        UserError: If the extra is not installed.
    """

    def __init__(self, address: str, payload: Payload, workers: int) -> None:
        if find_spec("distributed") is None:
            raise UserError(f"--cluster {address}: {not_installed('Dask', 'cluster')}")
        self._address = address
        self._payload = payload
        self._workers = workers

    def run(self, next_block: NextBlock, play: Play) -> Records:
        """Play blocks; see ``Executor``. What plays them is in the payload, not ``play``.

        Raises:
            UserError: If the scheduler is not there or goes away, a worker has another Salvo or
                Python, or cannot isolate bots as asked; or, after all other blocks, if too many
                workers died over some.
        """
        del play
        try:
            yield from self._records(next_block)
        except OSError as error:  # of any call that talks to the scheduler
            raise _gone(self._address) from error

    def _records(self, next_block: NextBlock) -> Records:
        with self._connected() as client:
            self._refuse_others(client.run(software, self._payload.packages, on_error="return"))
            if not client.nthreads():
                where = client.scheduler.address
                _log.warning("the cluster has no worker yet; `dask worker %s` starts one", where)
            futures = _Futures(client, self._payload, self._address)
            try:
                futures.submit(next_block)
                while futures.pending:
                    record = futures.complete()
                    futures.submit(next_block)
                    if record is not None:
                        yield record
                        futures.submit(next_block)
            finally:
                futures.cancel()
        if futures.given_up:
            raise UserError(_complaint(futures.given_up))

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Any]:
        dask: Any = importlib.import_module("distributed")  # its extra may not be installed
        # The errors below report what happens to the connection.
        theirs = logging.getLogger("distributed")
        theirs.handlers[:], theirs.propagate = [logging.NullHandler()], False
        with contextlib.ExitStack() as stack:
            where: Any = self._address
            if where == LOCAL:
                where = stack.enter_context(
                    dask.LocalCluster(
                        n_workers=self._workers,
                        threads_per_worker=1,
                        dashboard_address=None,
                        silence_logs=logging.CRITICAL,
                    )
                )
            try:
                client = stack.enter_context(
                    _quiet(dask.Client)(where, timeout=CONNECT_S, set_as_default=False)
                )
            except (OSError, ValueError) as error:
                raise UserError(
                    f"--cluster {self._address}: no scheduler answers there ({error}); start one "
                    "with `dask scheduler`, and name the address that it prints"
                ) from error
            yield client

    def _refuse_others(self, found: dict[str, Software | Exception]) -> None:
        """Refuse workers that have another Salvo or Python, before a game is played."""
        mine = software(self._payload.packages)
        for worker, theirs in sorted(found.items()):
            if isinstance(theirs, OSError):
                continue  # it is gone
            if theirs != mine:
                what = f"no such Salvo ({theirs})" if isinstance(theirs, Exception) else theirs
                raise UserError(_mismatch(f"worker {worker} has {what}, and {mine} is needed"))


def _quiet(client: Any) -> Any:  # noqa: ANN401 - no types without the extra
    """Return a class of clients that are closed where they are used, and by nothing else.

    One that found no scheduler would try to close its connection when it is collected, and say
    that it cannot.
    """
    return type("Client", (client,), {"__del__": lambda _: None})


def _gone(address: str) -> UserError:
    return UserError(
        f"--cluster {address}: the scheduler is gone; what was committed is safe, and the same "
        "command goes on from there once it is back"
    )


def _mismatch(reason: str) -> str:
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


class _Futures:
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

    def submit(self, next_block: NextBlock) -> None:
        """Submit blocks, as long as there are any, until the cluster has as many as it may."""
        threads = sum(self._client.nthreads().values()) if self._is_there() else 0
        while len(self.pending) < max(1, 2 * threads):
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
        """Wait for a future, and return the record of its block, or None if that is sent again."""
        future = self._next()
        submitted = self.pending.pop(future.key)
        if future.status == "finished":
            return self._read(submitted, future.result())
        if future.status == "cancelled":
            # Nobody here cancels what has not come back: the scheduler went, and came again.
            raise _gone(self._address)
        error = future.exception()
        if type(error).__name__ != "KilledWorker":
            self._fail(error)
        block = submitted.block
        self._killed[block.key] += 1
        if self._killed[block.key] >= MAX_KILLED:
            self.given_up.append(block)
            return None
        _log.warning("workers died over a block, which is played again")
        self._send(block, submitted.attempt + 1)
        return None

    def _next(self) -> Any:  # noqa: ANN401 - no types without the extra
        while True:
            try:
                return self._done.get(timeout=LOOK_UP_S)
            except queue.Empty:
                if not self._is_there():
                    raise _gone(self._address) from None

    def _is_there(self) -> bool:
        return bool(self._client.status == "running")

    def _read(self, submitted: _Submitted, outcome: bytes) -> BlockRecord | None:
        match msgspec.msgpack.decode(outcome, type=Outcome):
            case Missing() as missing:
                self._send(submitted.block, submitted.attempt + 1, missing)
                return None
            case Refused(reason):
                raise UserError(_mismatch(reason))
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
                raise UserError(_mismatch(f"{reason}, and {needed}")) from error
            cause = cause.__cause__
        raise WorkerError(f"a worker failed; this is a bug: {error!r}") from error

    def cancel(self) -> None:
        if self.pending and self._is_there():
            with contextlib.suppress(Exception):
                self._client.cancel([one.future for one in self.pending.values()], force=True)


def _complaint(blocks: list[Block]) -> str:
    names = ", ".join(map(str, blocks))
    return (
        f"{names}: Dask gave up each {MAX_KILLED} times, since the workers that played it died. A "
        "bot may have killed them, or memory ran out: choose a stronger --isolation, give workers "
        "more memory, or leave a bot out. All other games are in the record"
    )
