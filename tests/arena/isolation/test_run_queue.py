"""The kernel reports of a process that waits for a processor, but some of it late."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from arena.isolation.clock import RunQueue, own_wait_s

PATIENCE_S = 25.0
SPINS = "while True: pass"
RIVALS = 4

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the system does not tell who waits"
)


@pytest.fixture
def clock_of() -> Iterator[Callable[[str], RunQueue]]:
    """Return what runs a program on one processor, which this process shares, and its clock."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    processes, clocks = [], []

    def run(code: str) -> RunQueue:
        processes.append(subprocess.Popen([sys.executable, "-c", code], start_new_session=True))
        clock = RunQueue.open(processes[-1].pid)
        assert clock is not None
        clocks.append(clock)
        return clock

    yield run
    for clock in clocks:
        clock.close()
    for process in processes:
        process.kill()
        process.wait()
    os.sched_setaffinity(0, before)


def await_true(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline


def test_process_that_sleeps_does_not_wait(clock_of: Callable[[str], RunQueue]) -> None:
    clock = clock_of("import time; time.sleep(60)")
    await_true(clock.asleep)
    assert clock.waiting_since() is None


def test_wait_began_after_the_process_has_last_been_seen_to_have_run(
    clock_of: Callable[[str], RunQueue],
) -> None:
    clock = clock_of(SPINS)
    begun = time.monotonic()

    def has_run_since() -> bool:
        clock.wait_s()
        return (clock.waiting_since() or 0) > begun

    await_true(has_run_since)


def test_process_that_does_not_run_between_two_readings_waits_all_the_time(
    clock_of: Callable[[str], RunQueue],
) -> None:
    clock = clock_of(SPINS)
    for _ in range(RIVALS):
        clock_of(SPINS)

    def is_held_up() -> bool:
        before_s, since = clock.wait_s(), clock.waiting_since()
        unseen_s = clock.wait_s()
        return unseen_s == before_s and clock.waiting_since() == since

    await_true(is_held_up)


def test_own_wait_grows_where_others_run(clock_of: Callable[[str], RunQueue]) -> None:
    clock_of(SPINS)
    before_s = own_wait_s()
    await_true(lambda: own_wait_s() > before_s)


def test_own_wait_is_that_of_the_thread_that_asks_also_in_a_process_that_was_forked(
    clock_of: Callable[[str], RunQueue],
) -> None:
    clock_of(SPINS)
    await_true(lambda: own_wait_s() > 0)
    before_s = own_wait_s()
    with ThreadPoolExecutor(1) as another:
        assert another.submit(_is_own_wait).result()
    with ProcessPoolExecutor(1, get_context("fork")) as forked:
        assert forked.submit(_is_own_wait).result()
    assert own_wait_s() >= before_s


def _is_own_wait() -> bool:
    least_s = _said_s()
    return least_s <= own_wait_s() <= _said_s()


def _said_s() -> float:
    return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e9
