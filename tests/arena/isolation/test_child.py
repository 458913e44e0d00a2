"""How a child ended and what it uses are read from the kernel, and a child is killed whole."""

import contextlib
import math
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from arena.isolation import child as module
from arena.isolation.child import Child, Origin

PLAIN = Origin(
    mark="mark",
    slot=None,
    boxed=False,
    out_of_memory_kills=5,
    memory_mb=128,
    processes=False,
    shares=False,
)
BOXED = replace(PLAIN, boxed=True)
WITH_PROCESSES = replace(BOXED, processes=True)
OUTER, FIRST, BOT = 1000, 1001, 1002
BOX = {OUTER: [FIRST], FIRST: [BOT]}

Make = Callable[..., Child]


class Process:
    """Stands for a process, of which only what it returned is known."""

    def __init__(self, code: int | None) -> None:
        self.pid = OUTER
        self.code = code
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = (
            open(os.devnull, mode)  # noqa: PTH123, SIM115 - closed below
            for mode in ("wb", "rb", "rb")
        )

    def poll(self) -> int | None:
        self.returncode = self.code
        return self.code


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Return what makes a child of a process that has returned a code, or runs."""
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    monkeypatch.setattr(module, "out_of_memory_kills", lambda: 5)
    with contextlib.ExitStack() as stack:

        def begin(
            origin: Origin, code: int | None = None, children: dict[int, list[int]] | None = None
        ) -> Child:
            monkeypatch.setattr(module, "children_of", lambda pid: (children or {}).get(pid, []))
            process: Any = Process(code)
            child = Child(process, origin)
            for file in (process.stdin, process.stdout, process.stderr):
                stack.callback(file.close)
            stack.callback(child._living.discard, OUTER)
            return child

        yield begin


@pytest.mark.parametrize(
    ("origin", "code", "status", "killed"),
    [
        (PLAIN, None, None, False),
        (PLAIN, 0, "exited with code 0", False),
        (PLAIN, 1, "exited with code 1", False),
        (PLAIN, 137, "exited with code 137", False),
        (PLAIN, -9, "was killed by SIGKILL", True),
        (PLAIN, -1, "was killed by SIGHUP", False),
        (PLAIN, -15, "was killed by SIGTERM", False),
        (PLAIN, -99, "exited with code 99", False),  # a signal without a name
        (BOXED, None, None, False),
        (BOXED, 0, "exited with code 0", False),
        (BOXED, 127, "exited with code 127", False),
        (BOXED, 128, "exited with code 128", False),
        (BOXED, 129, "was killed by SIGHUP", False),
        (BOXED, 137, "was killed by SIGKILL", True),
        (BOXED, -9, "was killed by SIGKILL", True),
        (BOXED, 143, "was killed by SIGTERM", False),
        (BOXED, 255, "exited with code 255", False),
        (WITH_PROCESSES, 137, "was killed by SIGKILL", False),  # by one of its own, it may be
        (WITH_PROCESSES, -9, "was killed by SIGKILL", True),  # the box itself
        (WITH_PROCESSES, 0, "exited with code 0", False),
        (replace(PLAIN, processes=True), -9, "was killed by SIGKILL", True),
    ],
)
def test_end_is_told_by_what_the_process_returned(  # noqa: PLR0913 - one table
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    origin: Origin,
    code: int | None,
    status: str | None,
    *,
    killed: bool,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, resource.RLIM_INFINITY))
    child = make(origin, code)
    assert child.status() == status
    assert child.was_killed() is killed


@pytest.mark.parametrize(
    ("code", "kills", "out_of_memory"),
    [(-9, 5, False), (-9, 6, True), (-15, 6, False), (1, 6, False), (None, 6, False)],
)
def test_bot_that_is_killed_when_memory_ran_out_is_at_fault(
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    code: int | None,
    kills: int,
    *,
    out_of_memory: bool,
) -> None:
    monkeypatch.setattr(module, "out_of_memory_kills", lambda: kills)
    child = make(PLAIN, code)
    status = child.status()
    assert (status == "was killed because the system ran out of memory") is out_of_memory
    assert child.was_killed() is (code == -9 and not out_of_memory)


def test_later_kills_for_lack_of_memory_concern_others(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = make(PLAIN, -9)
    assert child.status() == "was killed by SIGKILL"
    monkeypatch.setattr(module, "out_of_memory_kills", lambda: 6)
    assert child.status() == "was killed by SIGKILL"
    assert child.was_killed()


def test_kill_under_a_limit_of_processor_time_is_taken_as_for_that(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = make(PLAIN, -9)
    for soft, hard, killed in (
        (60, resource.RLIM_INFINITY, True),
        (resource.RLIM_INFINITY, 60, False),
    ):
        monkeypatch.setattr(resource, "getrlimit", {resource.RLIMIT_CPU: (soft, hard)}.get)
        assert child.was_killed() is killed


def test_bot_in_a_box_is_a_child_of_the_first_process_in_it(make: Make) -> None:
    assert make(PLAIN).bot_pid == OUTER
    assert make(BOXED).bot_pid is None
    assert make(BOXED, children={OUTER: [FIRST]}).bot_pid is None
    assert make(BOXED, children=BOX).bot_pid == BOT


def test_nothing_is_looked_for_in_a_box_that_has_ended(make: Make) -> None:
    child = make(BOXED, 0, BOX)
    child.status()
    assert child.bot_pid is None
    child = make(WITH_PROCESSES, 0, BOX)
    child.status()
    assert child._groups() == [OUTER]
    assert make(WITH_PROCESSES, None, BOX)._groups() == [OUTER, FIRST]
    assert make(WITH_PROCESSES, None, {})._groups() == [OUTER]
    assert make(BOXED, None, BOX)._groups() == [OUTER]


def test_bot_stays_known_when_its_box_has_ended(make: Make) -> None:
    child = make(WITH_PROCESSES, 0, BOX)
    assert child.bot_pid == BOT
    child.status()
    assert child.bot_pid == BOT
    assert child._groups() == [OUTER, FIRST]


@pytest.mark.parametrize(
    ("origin", "children", "alone"),
    [
        (PLAIN, {}, True),
        (PLAIN, {OUTER: [BOT]}, False),
        (replace(PLAIN, processes=True), {}, False),
        (BOXED, {}, False),  # it is not there yet
        (BOXED, BOX, True),
        (BOXED, {**BOX, BOT: [1003]}, False),
        (BOXED, {**BOX, FIRST: [BOT, 1003]}, False),  # left behind by the bot
        (WITH_PROCESSES, BOX, False),
    ],
)
def test_bot_is_alone_if_it_has_started_nothing_and_may_not(
    make: Make, origin: Origin, children: dict[int, list[int]], *, alone: bool
) -> None:
    assert make(origin, None, children).alone() is alone


SHARING = replace(WITH_PROCESSES, shares=True)


@pytest.mark.parametrize(
    ("origin", "children", "used_mb", "files_kb", "exceeded"),
    [
        (PLAIN, {}, 176, None, None),  # 128 MB, an eighth of that, and 32 MB
        (PLAIN, {}, 177, None, 128),
        (replace(PLAIN, memory_mb=None), {}, 9999, None, None),
        (BOXED, {}, 9999, None, None),
        (BOXED, BOX, 177, None, 128),
        (WITH_PROCESSES, BOX, 177, None, 128),
        (SHARING, BOX, 176, 55, None),
        (SHARING, BOX, 177, 55, 128),
        (replace(PLAIN, shares=True), {}, 177, None, 128),
    ],
)
def test_memory_that_is_used_is_compared_with_what_may_be(  # noqa: PLR0913, PLR0917 - one table
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    origin: Origin,
    children: dict[int, list[int]],
    used_mb: int,
    files_kb: int | None,
    exceeded: int | None,
) -> None:
    child = make(origin, None, children)

    def used(pids: list[int], enough_mb: float, files: int | None) -> int:
        assert (pids, enough_mb, files) == ([FIRST if children else OUTER], 88, files_kb)
        return used_mb

    monkeypatch.setattr(module, "family", lambda pid: [pid])
    monkeypatch.setattr(module, "used_mb", used)
    places = {(f"/proc/{FIRST}/root/dev/shm", 128): 55}
    monkeypatch.setattr(module, "folder_kb", lambda *given: places[given])
    assert child.exceeded_mb() == exceeded


def clock(**given: object) -> SimpleNamespace:
    """Return a clock that tells the same at every reading."""
    return SimpleNamespace(
        **{name: lambda value=value: value for name, value in given.items()},
        close=lambda: None,
    )


@pytest.mark.parametrize(
    ("ran_s", "waited_s", "times"),
    [(1.5, 0.5, (1.5, 0.5)), (None, 0.5, None), (1.5, None, None), (0.0, 0.0, (0.0, 0.0))],
)
def test_times_are_known_while_both_are(
    make: Make, ran_s: float | None, waited_s: float | None, times: tuple[float, float] | None
) -> None:
    child = make(PLAIN)
    known: Any = clock(cpu_s=ran_s, wait_s=waited_s)
    child._clock = known
    assert child.times_s() == times


def test_clock_is_opened_once_for_the_bot(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def none_for(pid: int) -> None:
        opened.append(pid)

    monkeypatch.setattr(module.RunQueue, "open", none_for)
    assert make(BOXED).times_s() is None
    assert opened == []  # there was no bot yet
    child = make(BOXED, None, BOX)
    assert child.times_s() is child.times_s() is None
    assert opened == [BOT]
    assert child.waiting_since() is None
    assert not child.runnable()
    child._clock = clock(runnable=True, waiting_since=-math.inf)  # type: ignore[assignment]
    assert child.waiting_since() == -math.inf
    assert child.runnable()


@pytest.mark.parametrize(
    ("code", "asleep", "ran_s", "steps"),
    [
        (None, False, [1.0, 1.0, 1.5, 1.5001], 3),  # it may run for half a second
        (None, True, [1.0, 1.0], 1),
        (0, False, [1.0], 1),
        (None, False, [1.0, None, None, 2.0], 3),
        (None, False, [None], 1),  # nobody tells
    ],
)
def test_process_that_may_be_ending_is_looked_at_until_it_sleeps_has_ended_or_runs_on(
    make: Make, code: int | None, ran_s: list[float | None], steps: int, *, asleep: bool
) -> None:
    child = make(PLAIN, code)
    waits: list[float] = []
    child.wait = waits.append  # type: ignore[method-assign]
    told = iter(ran_s)
    known: Any = clock(wait_s=0.0, asleep=asleep)
    known.cpu_s = lambda: next(told)
    child._clock = known
    child.settle(0.01, 0.5)
    assert waits == [0.01] * steps


def test_process_is_waited_for_at_most_ten_times_as_long_as_it_may_run(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = make(PLAIN)
    now_s = 100.0

    def pass_time(step_s: float) -> None:
        nonlocal now_s
        now_s += step_s

    child.wait = pass_time  # type: ignore[method-assign]
    child._clock = clock(cpu_s=1.0, wait_s=0.0, asleep=False)  # type: ignore[assignment]
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    child.settle(0.25, 0.5)
    monkeypatch.undo()
    assert now_s == 105.0


def test_without_pidfds_the_process_itself_is_waited_for(make: Make) -> None:
    child = make(PLAIN)
    waits: list[float] = []

    def wait(grace_s: float) -> None:
        waits.append(grace_s)
        raise subprocess.TimeoutExpired("bot", grace_s)

    child._process.wait = wait  # type: ignore[method-assign, assignment]
    assert child.pidfd == -1
    child.wait(0.5)
    assert waits == [0.5]


def test_signals_reach_the_groups_of_a_process_that_is_not_reaped(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[int, int]] = []

    def note(group: int, number: int) -> None:
        sent.append((group, number))
        raise ProcessLookupError

    monkeypatch.setattr(os, "killpg", note)
    child = make(WITH_PROCESSES, 0, BOX)
    child.pause()
    child.resume()
    stop, go_on = signal.SIGSTOP, signal.SIGCONT
    assert sent == [(OUTER, stop), (FIRST, stop), (OUTER, go_on), (FIRST, go_on)]
    child.status()
    child.pause()
    assert len(sent) == 4


@pytest.mark.parametrize(("ends_with_the_bot", "killed"), [(True, [BOT]), (False, [BOT, FIRST])])
def test_box_is_killed_from_inside_the_bot_first(
    make: Make, monkeypatch: pytest.MonkeyPatch, killed: list[int], *, ends_with_the_bot: bool
) -> None:
    child = make(BOXED, None, BOX)
    done: list[object] = []

    def kill(pid: int, number: int) -> None:
        done.append((pid, number))
        raise ProcessLookupError

    def wait(grace_s: float) -> None:
        done.append(grace_s)
        if ends_with_the_bot:
            child._process.code = -9  # type: ignore[attr-defined]

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(os, "killpg", lambda group, number: done.append((group, number)))
    child.wait = wait  # type: ignore[method-assign]
    child._end_box()
    goes_on = (OUTER, signal.SIGCONT)
    assert done == [
        one for pid in killed for one in ((pid, signal.SIGKILL), goes_on, module.BOX_ENDS_S)
    ]


@pytest.mark.parametrize("uid", [None, 60_578])
def test_child_that_is_killed_gives_all_back_once(
    make: Make, monkeypatch: pytest.MonkeyPatch, uid: int | None
) -> None:
    given_back: list[object] = []
    slot = uid and SimpleNamespace(uid=uid, close=lambda: given_back.append("slot"))
    child = make(replace(PLAIN, slot=slot), 0)
    child._outlet = SimpleNamespace(close=lambda: given_back.append("outlet"))  # type: ignore[assignment]
    monkeypatch.setattr(module, "sweep", lambda *given: given_back.append(given[:3]))
    monkeypatch.setattr(module.RunQueue, "open", lambda _: clock(cpu_s=1.0, wait_s=0.0))
    child.status()
    assert child.times_s() == (1.0, 0.0)
    child.kill()
    assert given_back == [([OUTER], "mark", uid), "outlet", *["slot"] * bool(uid)]
    assert child.times_s() is None
    assert child._stdin.closed
    assert child._stdout.closed
    assert child._stderr.closed
    child.kill()
    assert [one for one in given_back if isinstance(one, tuple)] == [([OUTER], "mark", uid)]
