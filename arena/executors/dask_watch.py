"""Watches a Dask cluster, and says so when it cannot play: no worker, or a silent scheduler."""

import logging
import time
from typing import Any

from arena.errors import UserError

_log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Interval at which the scheduler is asked about its workers."""

ANSWER_S = 10.0
"""Timeout for answers of the scheduler and of workers."""

UNHEARD_S = 15.0
"""A worker without a heartbeat for so long does not count; Dask itself waits for 5 minutes."""

REPLACE_S = 5.0
"""Delay before missing workers are reported, where there were some: Dask may replace them."""

START_S = 30.0
"""Delay before missing workers of a local cluster are reported, where none was up yet."""

GIVE_UP_S = 120.0
"""Time after which a run ends whose local cluster cannot play."""

_WAITS = "the run waits, and Ctrl-C stops it"


class Watch:
    """Asks the scheduler about its workers, and says so in one line when no game can be played.

    Args:
        client: A client of the cluster.
        own: Whether the cluster was started for this run, so that nobody else will repair it.

    Attributes:
        threads: How many threads its workers have.
        trouble: Why no game is played at present; empty if games are played.
    """

    def __init__(self, client: Any, *, own: bool) -> None:  # noqa: ANN401 - no types without the extra
        self._client, self._own = client, own
        self._heard: dict[str, tuple[float, float]] = {}
        self._looked_s = -LOOK_S
        self._since_s: float | None = None
        self._said = ""
        self._had_workers = False
        self.threads = 0
        self.trouble = ""

    def look(self) -> None:
        """Ask the scheduler, unless that was just done.

        Raises:
            ConnectionError: If the connection to it was lost.
            UserError: If the cluster was started for this run, and will not recover.
        """
        if self._client.status != "running":
            raise ConnectionError
        if time.monotonic() - self._looked_s < LOOK_S:
            return
        try:
            found = self._client.sync(self._client.scheduler.identity, callback_timeout=ANSWER_S)
        except TimeoutError:
            self._note(f"the scheduler has not answered for {ANSWER_S:.0f} s; {_WAITS}")
        else:
            workers = found["workers"]
            self.threads = sum(worker["nthreads"] for worker in self._alive(workers))
            self._had_workers |= bool(self.threads)
            self._note("" if self.threads else self._lack(len(workers)))
        self._looked_s = time.monotonic()

    @property
    def most(self) -> int:
        """The most blocks that are submitted: one for each thread of workers, and a next one."""
        return max(1, 2 * self.threads)

    def _alive(self, workers: dict[str, Any]) -> list[Any]:
        """Return the workers that take blocks: a stopped one sends no heartbeats."""
        now_s = time.monotonic()
        heard = {}
        for name, worker in workers.items():
            before = self._heard.get(name)
            same = before is not None and before[0] == worker["last_seen"]
            heard[name] = before if before and same else (worker["last_seen"], now_s)
        self._heard = heard
        return [
            worker
            for name, worker in workers.items()
            if now_s - heard[name][1] < UNHEARD_S and worker["status"] == "running"
        ]

    def _lack(self, listed: int) -> str:
        if listed:
            return f"no worker of the cluster has been heard of for {UNHEARD_S:.0f} s; {_WAITS}"
        lacks = f"the cluster has no worker {'any more' if self._had_workers else 'yet'}"
        if self._own:
            return f"{lacks}; {_WAITS}"
        start = f"`dask worker {self._client.scheduler.address}`"
        return f"{lacks}; {start} starts one, and Ctrl-C stops the run"

    def _note(self, trouble: str) -> None:
        now_s = time.monotonic()
        self.trouble = trouble
        if not trouble:
            if self._said:
                _log.warning("the cluster plays again")
            self._since_s, self._said = None, ""
            return
        if self._since_s is None:
            self._since_s = now_s
        lasted_s = now_s - self._since_s
        # One trouble may follow another between two looks.
        if trouble != self._said and lasted_s >= self._patience_s():
            self._said = trouble
            _log.warning("%s", trouble)
        if self._own and lasted_s >= GIVE_UP_S:
            raise UserError(
                f"--cluster local: {trouble.partition(';')[0]}; what was committed is safe, and "
                "the same command goes on from there"
            )

    def _patience_s(self) -> float:
        """Return how long there may be trouble before it is said."""
        if self._had_workers:
            return REPLACE_S
        return START_S if self._own else 0.0
