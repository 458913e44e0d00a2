"""A run says in one line that its cluster cannot play, when that has lasted; nothing is started."""

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import UserError
from arena.executors.dask_watch import GIVE_UP_S, LOOK_S, REPLACE_S, START_S, UNHEARD_S, Watch

NONE_YET = (
    "the cluster has no worker yet; `dask worker tcp://s:1` starts one, and Ctrl-C stops the run"
)
NONE_ANY_MORE = NONE_YET.replace("yet", "any more")
UNHEARD = "no worker of the cluster has been heard of for 15 s; the run waits, and Ctrl-C stops it"


class Cluster:
    """Stands for a client of a cluster, at a time that passes as a test says."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.status = "running"
        self.workers: dict[str, dict[str, Any]] = {}
        self.asked = 0
        self.answers = True
        self.scheduler = SimpleNamespace(address="tcp://s:1", identity="identity")

    def sync(self, what: str, callback_timeout: float) -> dict[str, Any]:
        assert (what, callback_timeout) == ("identity", 10.0)
        self.asked += 1
        if not self.answers:
            raise TimeoutError
        return {"workers": self.workers}

    def has(self, *threads: int, heard: bool = True, status: str = "running") -> None:
        seen = self.now_s if heard else 1.0
        self.workers = {
            f"w{number}": {"nthreads": count, "last_seen": seen, "status": status}
            for number, count in enumerate(threads)
        }


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Cluster:
    caplog.set_level(logging.WARNING)
    made = Cluster()
    monkeypatch.setattr(
        "arena.executors.dask_watch.time", SimpleNamespace(monotonic=lambda: made.now_s)
    )
    return made


Look = Callable[..., list[str]]


@pytest.fixture
def look(cluster: Cluster, caplog: pytest.LogCaptureFixture) -> Look:
    """Return what lets time pass, looks, and tells what was said of it."""

    def pass_and_look(watch: Watch, after_s: float = LOOK_S) -> list[str]:
        caplog.clear()
        cluster.now_s += after_s
        watch.look()
        return caplog.messages

    return pass_and_look


def test_blocks_are_submitted_for_every_thread_and_as_many_to_come(
    cluster: Cluster, look: Look
) -> None:
    watch = Watch(cluster, own=False)
    assert watch.most == 1
    for threads, most in (((1,), 2), ((2, 3), 10), ((), 1)):
        cluster.has(*threads)
        look(watch)
        assert (watch.threads, watch.most) == (sum(threads), most)


def test_scheduler_is_asked_at_an_interval(cluster: Cluster, look: Look) -> None:
    watch = Watch(cluster, own=False)
    cluster.now_s = 0.5  # the machine has just begun
    for after_s, asked in ((0, 1), (0.5, 1), (0.5, 2), (0.75, 2), (2, 3)):
        look(watch, after_s)
        assert cluster.asked == asked


def test_lost_connection_is_an_error(cluster: Cluster) -> None:
    cluster.status = "closed"
    with pytest.raises(ConnectionError):
        Watch(cluster, own=False).look()


def test_cluster_of_others_without_workers_is_told_at_once_and_once(
    cluster: Cluster, look: Look
) -> None:
    watch = Watch(cluster, own=False)
    assert look(watch) == [NONE_YET]
    assert watch.trouble == NONE_YET
    assert look(watch) == []
    assert look(watch, 10 * GIVE_UP_S) == []  # others may repair it
    cluster.has(1)
    assert look(watch) == ["the cluster plays again"]
    assert watch.trouble == ""
    assert look(watch) == []


def test_workers_that_are_gone_may_be_replaced_before_it_is_said(
    cluster: Cluster, look: Look
) -> None:
    watch = Watch(cluster, own=False)
    cluster.has(1)
    assert look(watch) == []
    cluster.has()
    assert look(watch) == []
    assert watch.trouble == NONE_ANY_MORE
    assert look(watch, REPLACE_S - LOOK_S) == []
    assert look(watch) == [NONE_ANY_MORE]
    cluster.has(1)
    assert look(watch) == ["the cluster plays again"]
    cluster.has()
    assert look(watch) == []  # the time counts anew
    assert look(watch, REPLACE_S) == [NONE_ANY_MORE]


def test_trouble_that_ends_before_it_is_said_is_not_worth_a_word(
    cluster: Cluster, look: Look
) -> None:
    watch = Watch(cluster, own=False)
    for threads in ((1,), (), (1,)):
        cluster.has(*threads)
        assert look(watch) == []


def test_own_cluster_has_time_to_start_and_is_given_up(cluster: Cluster, look: Look) -> None:
    watch = Watch(cluster, own=True)
    lacks = "the cluster has no worker yet"
    assert look(watch) == []
    assert look(watch, START_S - LOOK_S) == []
    assert look(watch) == [f"{lacks}; the run waits, and Ctrl-C stops it"]
    assert look(watch, GIVE_UP_S - START_S - LOOK_S) == []
    with pytest.raises(UserError) as caught:
        look(watch)
    assert str(caught.value) == (
        f"--cluster local: {lacks}; what was committed is safe, and the same command goes on from "
        "there"
    )


def test_scheduler_that_does_not_answer_is_trouble(cluster: Cluster, look: Look) -> None:
    watch = Watch(cluster, own=False)
    cluster.has(4)
    look(watch)
    cluster.answers = False
    look(watch)
    silent = "the scheduler has not answered for 10 s; the run waits, and Ctrl-C stops it"
    assert watch.trouble == silent
    assert watch.most == 8
    assert look(watch, REPLACE_S) == [silent]
    cluster.answers = True
    cluster.has()
    assert look(watch) == [NONE_ANY_MORE]  # one trouble after another


def test_worker_whose_heartbeat_stops_does_not_count_after_a_while(
    cluster: Cluster, look: Look
) -> None:
    watch = Watch(cluster, own=False)
    cluster.has(2, 1)
    look(watch)
    cluster.workers["w0"]["last_seen"] += 1
    look(watch, UNHEARD_S - 1)
    assert watch.threads == 3
    look(watch, 1)
    assert watch.threads == 2  # the other was last heard of at the first look
    look(watch, UNHEARD_S - 2)
    assert watch.threads == 2
    look(watch)
    assert watch.trouble == UNHEARD


def test_worker_that_is_closing_or_paused_takes_no_block(cluster: Cluster, look: Look) -> None:
    watch = Watch(cluster, own=False)
    cluster.has(2, status="paused")
    assert look(watch) == [UNHEARD]
    assert watch.threads == 0
