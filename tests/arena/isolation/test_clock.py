"""The clock of a bot reads what the kernel tells of its threads; nothing is started."""

import math
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import clock as module
from arena.isolation.clock import RunQueue

Thread = Callable[..., None]


@pytest.fixture
def now_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list of one number: the time."""
    now = [1000.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.fixture
def thread(tmp_path: Path) -> Thread:
    """Return what says of a thread how long it waited, in seconds, and its state."""

    def write(name: str, waited_s: float, state: str = "S") -> None:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "schedstat").write_text(f"99 {int(waited_s * 1e9)} 7\n")
        (folder / "stat").write_text(f"{name} (a) R) {state} 1 2")

    return write


@pytest.fixture
def clock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, now_s: list[float], thread: Thread
) -> Iterator[RunQueue]:
    assert now_s
    opened, found = os.open, os.fstat

    def open_(path: Any, *given: Any, **named: Any) -> int:  # noqa: ANN401 - as os.open takes it
        return opened(tmp_path if path == "/proc/77/task" else path, *given, **named)

    def links(descriptor: int) -> Any:  # noqa: ANN401 - a stat
        status = found(descriptor)
        if not stat.S_ISDIR(status.st_mode):
            return status
        return SimpleNamespace(st_nlink=2 + len(list(tmp_path.iterdir())))  # as /proc counts

    thread("77", 1.0)
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", open_)
        patched.setattr(os, "fstat", links)
        made = RunQueue.open(77)
        assert made is not None
        yield made
        made.close()


def test_wait_is_that_of_the_process_since_it_began(clock: RunQueue, thread: Thread) -> None:
    assert clock.wait_s() == 1.0
    thread("77", 1.5)
    assert clock.wait_s() == 1.5
    assert clock.wait_s() == 1.5


def test_longest_wait_of_a_thread_counts_at_each_reading(clock: RunQueue, thread: Thread) -> None:
    thread("78", 0.25)
    assert clock.wait_s() == 1.25
    thread("77", 1.5)
    thread("78", 1.25)
    assert clock.wait_s() == 2.25
    thread("77", 1.75)
    assert clock.wait_s() == 2.5


def test_threads_that_end_are_forgotten(clock: RunQueue, thread: Thread, tmp_path: Path) -> None:
    thread("78", 0.25)
    clock.wait_s()
    for file in (tmp_path / "78").iterdir():
        file.unlink()
    (tmp_path / "78").rmdir()
    assert clock.wait_s() == 1.25
    assert set(clock._threads) == set(clock._seen) == set(clock._waits_ns) == {"77"}
    thread("78", 0.5)  # another by the same id
    assert clock.wait_s() == 1.75


def test_wait_may_have_begun_when_a_thread_was_last_seen_to_have_run(
    clock: RunQueue, thread: Thread, now_s: list[float]
) -> None:
    thread("77", 1.0, "R")
    assert clock.waiting_since() == -math.inf
    thread("77", 2.0, "R")
    now_s[0] = 1005.0
    clock.wait_s()
    assert clock.waiting_since() == 1000.0
    now_s[0] = 1010.0
    clock.wait_s()
    assert clock.waiting_since() == 1000.0
    thread("77", 2.5, "R")
    thread("78", 0.1, "R")
    now_s[0] = 1015.0
    clock.wait_s()
    assert clock.waiting_since() == 1010.0
    thread("78", 0.2, "R")
    now_s[0] = 1020.0
    clock.wait_s()
    assert clock.waiting_since() == 1010.0  # the first of both


def test_states_of_threads_tell_whether_it_runs_or_sleeps(clock: RunQueue, thread: Thread) -> None:
    for first, second, runs, sleeps in (
        *(("S", "S", False, True), ("S", "R", True, False), ("R", "R", True, False)),
        *(("D", "S", False, False), ("Z", "Z", False, False)),
    ):
        thread("77", 1.0, first)
        thread("78", 1.0, second)
        clock.wait_s()
        assert clock.runnable() is runs
        assert clock.asleep() is sleeps
        assert (clock.waiting_since() is not None) is runs


def test_process_that_has_ended_tells_nothing(
    clock: RunQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_given: object) -> None:
        raise ProcessLookupError

    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", gone)
        waited_s = clock.wait_s()
    assert waited_s is None


def test_thread_that_ends_while_it_is_read_is_looked_for_again(
    clock: RunQueue, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, failures = os.pread, [ProcessLookupError()]

    def fail_once(*given: Any) -> bytes:  # noqa: ANN401 - as os.pread takes them
        if failures:
            raise failures.pop()
        return read(*given)

    thread("77", 3.0)
    monkeypatch.setattr(os, "pread", fail_once)
    assert clock.wait_s() == 3.0


def test_processor_time_is_asked_by_the_id_of_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    own = RunQueue.open(os.getpid())
    if own is None:
        pytest.skip("the system does not tell who waits")
    asked: list[int] = []
    monkeypatch.setattr(module.time, "clock_gettime", lambda number: asked.append(number) or 1.5)
    assert own.cpu_s() == 1.5
    assert asked == [-8 * os.getpid() - 6]  # of a process, by the time that it was scheduled

    def gone(_number: int) -> None:
        raise OSError

    monkeypatch.setattr(module.time, "clock_gettime", gone)
    assert own.cpu_s() is None
    own.close()
