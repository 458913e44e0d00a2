"""A bot's limits are never above those of the arena itself."""

import os
import resource
import signal
from typing import Any

import pytest

from arena.isolation import confinement
from arena.isolation.confinement import confine, die_with_arena, memory_limits, tasks_running

UNLIMITED = resource.RLIM_INFINITY
MB = 1 << 20


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> dict[int, tuple[int, int]]:
    """Return the limits of the arena, unlimited but for what a test sets."""
    limits: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(
        resource, "getrlimit", lambda kind: limits.get(kind, (UNLIMITED, UNLIMITED))
    )
    return limits


def test_memory_is_what_is_written_to_and_addresses_are_many_times_more(
    own: dict[int, tuple[int, int]],
) -> None:
    hundred, addresses = 100 * MB, 6400 * MB
    plain = {"data": (hundred,) * 2, "as": (addresses,) * 2, "stack": (hundred,) * 2}
    assert memory_limits(100) == plain
    own[resource.RLIMIT_STACK] = (8 * MB, UNLIMITED)
    assert memory_limits(100) == {**plain, "stack": (8 * MB, hundred)}
    own[resource.RLIMIT_STACK] = (200 * MB, 300 * MB)
    assert memory_limits(100) == plain
    own[resource.RLIMIT_STACK] = (8 * MB, 16 * MB)
    own[resource.RLIMIT_DATA] = (UNLIMITED, 50 * MB)
    assert memory_limits(100) == {
        **plain,
        "stack": (8 * MB, 16 * MB),
        "data": (50 * MB,) * 2,
    }


def test_where_data_is_not_limited_addresses_are(
    own: dict[int, tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement.sys, "platform", "darwin")
    assert memory_limits(100) == {"as": (100 * MB,) * 2}
    own[resource.RLIMIT_AS] = (UNLIMITED, 60 * MB)
    assert memory_limits(100) == {"as": (60 * MB,) * 2}


@pytest.mark.parametrize(
    ("text", "running"),
    [("0.1 0.2 0.3 2/345 6789", 345), ("0.1 0.2", None), ("0.1 0.2 0.3 x 1", None), (None, None)],
)
def test_tasks_that_run_are_told_by_the_kernel(
    monkeypatch: pytest.MonkeyPatch, text: str | None, running: int | None
) -> None:
    def read(_path: object, encoding: str) -> str:
        assert encoding == "ascii"
        if text is None:
            raise FileNotFoundError
        return text

    monkeypatch.setattr(confinement.Path, "read_text", read)
    assert tasks_running() == running


class Steps:
    """Notes what is done to a process before its program begins."""

    def __init__(self) -> None:
        self.done: list[Any] = []

    def note(self, name: str) -> Any:  # noqa: ANN401 - a function
        return lambda *given: self.done.append((name, *given))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the same
        return self.note(name)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch, own: dict[int, tuple[int, int]]) -> Steps:
    assert own == {}
    noted = Steps()
    monkeypatch.setattr(confinement, "be_ended_first", noted.note("ended first"))
    monkeypatch.setattr(confinement, "prctl", noted.note("prctl"))
    monkeypatch.setattr(resource, "setrlimit", noted.note("limit"))
    monkeypatch.setattr(os, "getppid", os.getpid)
    monkeypatch.setattr(os, "_exit", noted.note("exit"))
    monkeypatch.setattr(confinement, "tasks_running", lambda: 300)
    return noted


NO_NEW_PRIVILEGES, DIES = ("prctl", 38, 1), ("prctl", 1, signal.SIGKILL)


def limits(file_mb: int, tasks: int) -> list[Any]:
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file_mb * MB,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_NPROC: tasks,
        resource.RLIMIT_DATA: 10 * MB,
        resource.RLIMIT_AS: 640 * MB,
        resource.RLIMIT_STACK: 10 * MB,
    }
    return [("limit", kind, (most, most)) for kind, most in bounds.items()]


def test_process_of_the_arenas_user_has_limits_on_top_of_what_runs(steps: Steps) -> None:
    confine(10)()
    assert steps.done == [("ended first",), *limits(16, 428), NO_NEW_PRIVILEGES, DIES]


def test_process_of_its_own_user_is_restricted_in_this_order(steps: Steps) -> None:
    given: Any = steps
    confine(10, given, given, given)()
    rules = [("allow_own_entry",), ("install",)]
    assert steps.done == [
        *(("ended first",), *limits(0, 128), ("assume",)),
        *(NO_NEW_PRIVILEGES, *rules, DIES, ("install",)),
    ]


def test_number_of_tasks_is_not_limited_where_it_is_not_known(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement, "tasks_running", lambda: None)
    confine(10)()
    assert resource.RLIMIT_NPROC not in {step[1] for step in steps.done if step[0] == "limit"}


def test_limits_are_all_there_is_without_a_kernel_of_linux(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement, "libc", None)
    confine(10)()
    die_with_arena()()
    assert steps.done == [("ended first",), *limits(16, 428), ("ended first",)]


def test_process_whose_arena_has_gone_meanwhile_ends(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    bind = die_with_arena()
    bind()
    assert steps.done == [("ended first",), DIES]
    monkeypatch.setattr(os, "getppid", lambda: 1)
    bind()
    assert steps.done[2:] == [("ended first",), DIES, ("exit", 1)]
