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
from typing import Any

import msgspec
from msgspec import Struct

from arena.errors import UserError
from arena.executors.cargo import Answer, Cargo
from arena.executors.errand import Broken, Missing, Outcome, Played, Refused, Software, software
from arena.executors.interface import NextBlock, Play, Records, WorkerError
from arena.executors.task import installed, play_errand
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
        cargo: What is played.
        workers: The size of a cluster that is started.

    Raises:
        UserError: If the extra is not installed.
    """

    def __init__(self, address: str, cargo: Cargo, workers: int) -> None:
        if find_spec("distributed") is None:
            raise UserError(
                f"--cluster {address}: Dask is not installed; pip install 'salvo-arena[cluster]'"
            )
        self._address = address
        self._cargo = cargo
        self._workers = workers

    def run(self, next_block: NextBlock, play: Play) -> Records:
        """Play blocks; see ``Executor``. What plays them is in the cargo, not ``play``.

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
            self._refuse_others(client.run(installed, self._cargo.packages, on_error="return"))
            if not client.nthreads():
                where = client.scheduler.address
                _log.warning("the cluster has no worker yet; `dask worker %s` starts one", where)
            flights = _Flights(client, self._cargo, self._address)
            try:
                flights.submit(next_block)
                while flights.aloft:
                    record = flights.land()
                    flights.submit(next_block)
                    if record is not None:
                        yield record
                        flights.submit(next_block)
            finally:
                flights.cancel()
        if flights.given_up:
            raise UserError(_complaint(flights.given_up))

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Any]:
        """Connect to the scheduler, or start one."""
        dask: Any = importlib.import_module("distributed")  # its extra may not be installed
        # What happens to the connection is said by the errors below.
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
        """Refuse workers that have another Salvo or Python, before a game is played.

        Raises:
            UserError: If one has.
        """
        mine = software(self._cargo.packages)
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
    """An errand that is played when it is unpickled, and gives what comes of that."""

    def __init__(self, errand: bytes) -> None:
        self._errand = errand

    def __reduce__(self) -> tuple[Callable[[bytes], bytes], tuple[bytes]]:
        return play_errand, (self._errand,)


class _Flight(Struct, frozen=True):
    """A block that was submitted.

    Attributes:
        block: The block.
        attempt: How often it was submitted before.
    """

    block: Block
    attempt: int


class _Flights:
    """The blocks that the cluster has.

    Args:
        client: The connection to the scheduler.
        cargo: What is played.
        address: The scheduler's address.

    Attributes:
        aloft: By the future's key: the blocks that were submitted and have not come back.
        given_up: The blocks over which too many workers died.
    """

    def __init__(self, client: Any, cargo: Cargo, address: str) -> None:  # noqa: ANN401 - no types without the extra
        self._client, self._cargo, self._address = client, cargo, address
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._futures: dict[str, Any] = {}
        self._killed: Counter[BlockKey] = Counter()
        self._run = secrets.token_hex(_RUN_BITS // 8)
        self._log_level = logging.getLogger().getEffectiveLevel()
        self.aloft: dict[str, _Flight] = {}
        self.given_up: list[Block] = []

    def submit(self, next_block: NextBlock) -> None:
        """Submit blocks, as long as there are any, until the cluster has as many as it may."""
        threads = sum(self._client.nthreads().values()) if self._is_there() else 0
        while len(self.aloft) < max(1, 2 * threads):
            block = next_block()
            if block is None:
                return
            self._send(_Flight(block, 0))

    def _send(self, flight: _Flight, missing: Missing | None = None) -> None:
        block = flight.block
        errand = self._cargo.errand(
            block, self._log_level, () if missing is None else missing.parcels
        )
        names = "+".join(block.entrants)
        key = f"salvo-{self._run}-{names}-{block.number}-{flight.attempt}"
        future = self._client.submit(
            # Of a message that names what a worker cannot import Dask makes no error: it sends it
            # again for ever. Unpickled within the task, it is the task that fails.
            pickle.loads,
            pickle.dumps(_Call(errand)),
            key=key,
            pure=False,
            workers=None if missing is None else [missing.worker],
            allow_other_workers=missing is not None,
        )
        self.aloft[key], self._futures[key] = flight, future
        future.add_done_callback(self._done.put)

    def land(self) -> BlockRecord | None:
        """Wait for a block to come back, and return its record, or None if it is sent again.

        Raises:
            UserError: If the scheduler is gone, or the block cannot be played there.
            WorkerError: If playing it failed.
        """
        future = self._next()
        flight = self.aloft.pop(future.key)
        del self._futures[future.key]
        if future.status == "finished":
            return self._read(flight, future.result())
        if future.status == "cancelled":
            # Nobody here cancels what has not come back: the scheduler went, and came again.
            raise _gone(self._address)
        error = future.exception()
        if type(error).__name__ != "KilledWorker":
            self._fail(error)
        key = (flight.block.entrants, flight.block.number)
        self._killed[key] += 1
        if self._killed[key] >= MAX_KILLED:
            self.given_up.append(flight.block)
            return None
        _log.warning("workers died over a block, which is played again")
        self._send(_Flight(flight.block, flight.attempt + 1))
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

    def _read(self, flight: _Flight, outcome: bytes) -> BlockRecord | None:
        match msgspec.msgpack.decode(outcome, type=Outcome):
            case Missing() as missing:
                self._send(_Flight(flight.block, flight.attempt + 1), missing)
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

    def _fail(self, error: BaseException | None) -> None:
        """Raise what a task raised.

        Raises:
            UserError: If the worker has no Salvo.
            WorkerError: If it failed in any other way.
        """
        cause = error
        while cause is not None:  # Dask wraps what a worker could not even read
            if isinstance(cause, ImportError):
                reason = f"--cluster {self._address}: a worker has no such Salvo ({cause!r})"
                needed = f"{software(self._cargo.packages)} is needed"
                raise UserError(_mismatch(f"{reason}, and {needed}")) from error
            cause = cause.__cause__
        raise WorkerError(f"a worker failed; this is a bug: {error!r}") from error

    def cancel(self) -> None:
        """Give up the blocks that have not come back."""
        if self._futures and self._is_there():
            with contextlib.suppress(Exception):
                self._client.cancel(list(self._futures.values()), force=True)


def _complaint(blocks: list[Block]) -> str:
    names = ", ".join(f"block {block.number} of {' and '.join(block.entrants)}" for block in blocks)
    return (
        f"{names}: Dask gave up each {MAX_KILLED} times, since the workers that played it died. A "
        "bot may have killed them, or memory ran out: choose a stronger --isolation, give workers "
        "more memory, or leave a bot out. All other games are in the record"
    )
