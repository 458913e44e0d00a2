"""Plays blocks on the workers of a Dask cluster; needs the extra ``cluster``."""

import contextlib
import importlib
import logging
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from arena.errors import UserError, not_installed
from arena.executors.dask_futures import MAX_KILLED, Futures, mismatch
from arena.executors.dask_task import Software, software
from arena.executors.dask_watch import ANSWER_S, Watch
from arena.executors.executor import NextBlock, Play, Records
from arena.executors.local_cluster import local_cluster
from arena.executors.payload import Payload
from arena.records import Block

LOCAL = "local"
"""The address of a cluster that is started for one run."""

CONNECT_S = 10.0
LEAVE_S = 2.0
"""Timeout for closing the connection to the scheduler."""


class Cluster:
    """Plays on the workers of a Dask cluster.

    At most twice as many blocks are submitted as the workers have threads: its scheduler is not
    made for all blocks of a large tournament at once. A block whose worker died is submitted again
    under another key, so that a late answer to the first is nobody's.

    Args:
        address: Where the scheduler listens, such as ``tcp://10.0.0.1:8786``; ``local`` starts a
            cluster on this machine, which ends with the run.
        workers: How many workers a local cluster has.
        stop: Says whether to end no more than the blocks that workers play.

    Raises:
        UserError: If the extra is not installed.
    """

    def __init__(
        self,
        address: str,
        payload: Payload,
        workers: int,
        *,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        if find_spec("distributed") is None:
            raise UserError(f"--cluster {address}: {not_installed('Dask', 'cluster')}")
        self._address = address
        self._payload = payload
        self._workers = workers
        self._stop = stop

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
            self._refuse_others(client)
            watch = Watch(client, own=self._address == LOCAL)
            futures = Futures(client, self._payload, self._address)
            try:
                yield from self._played(watch, futures, next_block)
            finally:
                futures.cancel()
        if futures.given_up:
            raise UserError(_complaint(futures.given_up))

    def _played(self, watch: Watch, futures: Futures, next_block: NextBlock) -> Records:
        stopping = False
        while True:
            watch.look()
            futures.submit(next_block, watch.most)
            if not futures.pending or (watch.trouble and self._stop()):
                return
            if self._stop() and not stopping:
                stopping = True
                futures.drop_waiting()
            record = futures.complete()
            if record is not None:
                futures.submit(next_block, watch.most)  # keeps workers busy meanwhile
                yield record

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Any]:
        dask: Any = importlib.import_module("distributed")  # its extra may not be installed
        # The errors below report what happens to the connection.
        theirs = logging.getLogger("distributed")
        theirs.handlers[:], theirs.propagate = [logging.NullHandler()], False
        with contextlib.ExitStack() as stack:
            where = self._address
            if where == LOCAL:
                where = stack.enter_context(local_cluster(self._workers))
            try:
                client = _quiet(dask.Client)(where, timeout=CONNECT_S, set_as_default=False)
            except (OSError, ValueError) as error:
                if self._address == LOCAL:  # ours, which has just begun, was ended
                    raise _gone(LOCAL) from error
                raise UserError(
                    f"--cluster {self._address}: no scheduler answers there ({error}); start one "
                    "with `dask scheduler`, and name the address that it prints"
                ) from error
            stack.callback(_close, client)
            yield client

    def _refuse_others(self, client: Any) -> None:  # noqa: ANN401 - no types without the extra
        """Refuse workers that have another Salvo or Python, before a game is played."""
        mine = software(self._payload.packages)
        try:
            found: dict[str, Software | Exception] = client.run(
                software, self._payload.packages, on_error="return", callback_timeout=ANSWER_S
            )
        except TimeoutError:
            return  # some worker was stopped; each refuses what it cannot play
        for worker, theirs in sorted(found.items()):
            if isinstance(theirs, OSError):
                continue  # it is gone
            if theirs != mine:
                what = f"no such Salvo ({theirs})" if isinstance(theirs, Exception) else theirs
                raise UserError(mismatch(f"worker {worker} has {what}, and {mine} is needed"))


def _quiet(client: Any) -> Any:  # noqa: ANN401 - no types without the extra
    """Return a class of clients that are closed where they are used, and by nothing else.

    One that found no scheduler would try to close its connection when it is collected, and say
    that it cannot.
    """
    return type("Client", (client,), {"__del__": lambda _: None})


def _close(client: Any) -> None:  # noqa: ANN401 - no types without the extra
    with contextlib.suppress(TimeoutError):  # the scheduler was stopped
        client.close(timeout=LEAVE_S)


def _gone(address: str) -> UserError:
    again = "" if address == LOCAL else " once it is back"
    return UserError(
        f"--cluster {address}: the scheduler is gone; what was committed is safe, and the same "
        f"command goes on from there{again}"
    )


def _complaint(blocks: list[Block]) -> str:
    names = ", ".join(map(str, blocks))
    return (
        f"{names}: Dask gave up each {MAX_KILLED} times, since the workers that played it died. A "
        "bot may have killed them, or memory ran out: choose a stronger --isolation, give workers "
        "more memory, or leave a bot out. All other games are in the record"
    )
