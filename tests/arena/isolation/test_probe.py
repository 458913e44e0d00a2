"""The probe of a level reports each promise that is broken."""

import ctypes
import errno
import os
import resource
import socket
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import probe

NO_PROCESS = 2**30


@pytest.mark.parametrize(
    ("hard", "starts", "told"),
    [
        (resource.RLIM_INFINITY, True, "there is no limit that one bot could reach"),
        (301, False, "there is no limit that one bot could reach"),
        (300, True, "the limit is not enforced for this user"),
        (300, False, ""),
    ],
)
def test_tasks_are_limited_if_the_limit_is_low_and_enforced(
    monkeypatch: pytest.MonkeyPatch, hard: int, told: str, *, starts: bool
) -> None:
    limits: list[Any] = []

    def start(*_given: object) -> None:
        assert limits == [(resource.RLIMIT_NPROC, (1, hard))]
        if not starts:
            raise RuntimeError

    monkeypatch.setattr("resource.getrlimit", {resource.RLIMIT_NPROC: (50, hard)}.get)
    monkeypatch.setattr("resource.setrlimit", lambda *given: limits.append(given))
    monkeypatch.setattr("_thread.start_new_thread", start)
    assert "; ".join(probe.tasks({"most_tasks": 300})) == told
    assert limits[1:] == ([(resource.RLIMIT_NPROC, (hard, hard))] if hard == 300 else [])


def library(privileges: tuple[int, ...] = (), answer: int = 0) -> SimpleNamespace:
    """Return a C library in which a process has some capabilities, and a setting is a number."""

    def prctl(option: int, *given: Any) -> int:  # noqa: ANN401 - as C takes them
        if option == 39:  # PR_GET_NO_NEW_PRIVS
            assert given == (0, 0, 0, 0)
            return answer
        assert option == 2  # PR_GET_PDEATHSIG
        assert given[1:] == (0, 0, 0)
        given[0]._obj.value = answer
        return 0

    def capget(header: Any, data: Any) -> None:  # noqa: ANN401 - the same
        assert list(header) == [0x20080522, 0]  # version 3, of the calling process
        data[:] = privileges

    return SimpleNamespace(prctl=prctl, capget=capget)


def use(monkeypatch: pytest.MonkeyPatch, libc: SimpleNamespace) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_given, **_named: libc)


@pytest.mark.parametrize(
    ("privileges", "roots", "others"),
    [
        ((0, 0, 0, 0, 0, 0), "", ""),
        ((4, 4, 4, 0, 0, 0), "", "it has capabilities: 4"),  # to read any file
        ((0, 4, 0, 0, 0, 0), "", "it has capabilities: 0"),
        ((2, 0, 0, 0, 0, 0), *["it has capabilities: 2"] * 2),
        ((0, 8, 0, 0, 0, 0), *["it has capabilities: 0"] * 2),
        ((0, 0, 0, 1, 0, 0), *["it has capabilities: 0"] * 2),
        ((0, 0, 0, 0, 1, 0), *["it has capabilities: 0"] * 2),
        ((0, 0, 8, 0, 0, 1), "", ""),  # what a program might inherit, and cannot by itself
    ],
)
def test_privileges_are_capabilities_but_for_one_of_roots_bots(
    monkeypatch: pytest.MonkeyPatch, privileges: tuple[int, ...], roots: str, others: str
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    use(monkeypatch, library(privileges, 1))
    assert "; ".join(probe.privileges({"root": True})) == roots
    assert "; ".join(probe.privileges({"root": False})) == others


@pytest.mark.parametrize(("uid", "euid", "root"), [(0, 9, True), (9, 0, True), (9, 9, False)])
@pytest.mark.parametrize(("bound", "told"), [(1, []), (0, ["it may gain privileges"])])
def test_root_and_whoever_may_become_it_have_privileges(  # noqa: PLR0913 - two tables
    monkeypatch: pytest.MonkeyPatch, uid: int, euid: int, *, root: bool, bound: int, told: list[str]
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: uid)
    monkeypatch.setattr(os, "geteuid", lambda: euid)
    use(monkeypatch, library((0,) * 6, bound))
    assert list(probe.privileges({"root": True})) == ["it runs as root"] * root + told


def test_death_comes_with_the_arena_by_a_signal_or_with_the_box(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number, told in ((9, []), (15, ["it does not die with the arena"])):
        use(monkeypatch, library(answer=number))
        assert list(probe.death({"boxed": False})) == told
    outside = ["it has no process namespace of its own to end with"]
    for parent, told in ((1, []), (2, outside)):
        monkeypatch.setattr(os, "getppid", lambda parent=parent: parent)
        assert list(probe.death({"boxed": True})) == told


def test_descriptors_are_those_beyond_the_usual_three(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(descriptor: int) -> None:
        if descriptor not in {0, 1, 2, 3, 255, 256}:  # a bot can open no more than 256
            raise OSError

    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", look)
        assert probe._open_descriptors() == [3, 255]


@pytest.mark.parametrize(
    ("result", "code", "works"),
    [
        (-1, errno.EPERM, False),
        (-1, errno.EACCES, False),
        (-1, errno.ENOSYS, False),
        (-1, errno.EINVAL, True),  # the kernel looked at the arguments
        (0, errno.EPERM, True),  # of a call before
        (7, 0, True),
    ],
)
@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_call_works_unless_it_is_forbidden_or_missing(  # noqa: PLR0913 - two tables
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    column: int,
    result: int,
    code: int,
    *,
    works: bool,
) -> None:
    made = []

    def syscall(*given: ctypes.c_long) -> int:
        made.append([one.value for one in given])
        ctypes.set_errno(code)
        return result

    use(monkeypatch, SimpleNamespace(syscall=syscall))
    monkeypatch.setattr("platform.machine", lambda: machine)
    calls = probe._KERNEL_CALLS
    assert list(probe.kernel({})) == [f"{name} works" for name in calls if works]
    assert made == [[row[column], *[*row[2:], *[0] * 6][:6]] for row in calls.values()]


@pytest.mark.parametrize(("machine", "number"), [("x86_64", 101), ("aarch64", 117)])
@pytest.mark.parametrize(
    ("result", "told"),
    [(-1, []), (0, [f"the {who} process could be traced" for who in ("arena", "other")])],
)
def test_processes_that_are_not_there_are_traced_if_the_kernel_says_so(
    monkeypatch: pytest.MonkeyPatch, machine: str, number: int, result: int, told: list[str]
) -> None:
    made = []

    def syscall(*given: ctypes.c_long) -> int:
        made.append([one.value for one in given])
        return result

    use(monkeypatch, SimpleNamespace(syscall=syscall))
    monkeypatch.setattr("platform.machine", lambda: machine)
    pids = NO_PROCESS, NO_PROCESS + 1
    assert list(probe.processes(dict(zip(("arena", "other"), pids, strict=True)))) == told
    assert made == [[number, 0x4206, pid, 0, 0, 0, 0] for pid in pids]  # PTRACE_SEIZE


def test_sockets_of_every_kind_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []

    class Closed(socket.socket):
        def __init__(self, *kind: int) -> None:
            tried.append(kind)
            super().__init__(socket.AF_UNIX)

        def connect(self, address: object) -> None:
            tried.append(address)
            raise PermissionError

    def pair(*kind: int) -> None:
        tried.append(kind)
        raise PermissionError

    monkeypatch.setattr(socket, "socket", Closed)
    monkeypatch.setattr(socket, "socketpair", pair)
    told = list(probe.network({"port": 99, "abstract": "name", "socket": "/place"}))
    assert told == [
        f"a {kind} socket could be made" for kind in ("UDP", "local", "netlink", "vsock")
    ]
    assert tried == [
        *((socket.AF_INET,), ("127.0.0.1", 99)),
        *((socket.AF_UNIX,), "\0name", (socket.AF_UNIX,), "/place"),
        *((socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_UNIX, socket.SOCK_DGRAM)),
        *((socket.AF_NETLINK, socket.SOCK_RAW), (socket.AF_VSOCK, socket.SOCK_STREAM)),
        (socket.AF_UNIX, socket.SOCK_DGRAM),
    ]


@pytest.mark.parametrize(("after_kb", "shows"), [(50, False), (49, True)])
def test_memory_in_use_shows_if_it_changes(
    monkeypatch: pytest.MonkeyPatch, after_kb: int, *, shows: bool
) -> None:
    free_kb = iter([50, after_kb])
    monkeypatch.setattr(probe, "_COUNTERS", ())
    monkeypatch.setattr(probe, "_free_kb", lambda: next(free_kb))
    told = "/proc/meminfo shows what memory is in use"
    assert (told in list(probe.counters({}))) is shows


def test_free_memory_is_read_from_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "MemTotal: 100 kB\nMemFree: 50 kB\nMemAvailable: 70 kB\n"
    file = SimpleNamespace(read_text=lambda **_: text)
    monkeypatch.setattr(probe, "Path", {"/proc/meminfo": file}.get)
    assert probe._free_kb() == 50


@pytest.mark.parametrize(
    ("visible", "told"),
    [([], []), (["88", "77"], ["process 77 is visible in /proc"])],
)
def test_host_shows_by_other_processes_than_its_own_and_the_first(
    monkeypatch: pytest.MonkeyPatch, visible: list[str], told: list[str]
) -> None:
    entries = ["self", "1", str(os.getpid()), *visible]
    monkeypatch.setattr(probe, "_listed", {"/proc": entries}.get)
    assert list(probe.host({"file": "/no/such", "other": NO_PROCESS, "host": ""})) == told
