"""Orphans of an arena are recognised by what /proc says of processes."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import orphans
from arena.isolation.orphans import (
    Mark,
    _is_below_arena,
    _is_orphan,
    _names_dead_arena,
    _stat,
    adopt_orphans,
    children_of,
    end_abandoned,
    end_children,
    end_orphans,
    sweep,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="orphans are found in /proc")

ME = os.getpid()
Proc = Callable[..., None]


@pytest.fixture
def proc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Proc:
    """Return what adds a process to a /proc of the test's own."""

    def place(path: str) -> Path:
        assert path.startswith("/proc")
        return tmp_path / path.removeprefix("/")

    (tmp_path / "proc" / "sys").mkdir(parents=True)
    monkeypatch.setattr(orphans, "Path", place)

    def add(pid: int, stat: str, environ: bytes = b"", files: tuple[str, ...] = ()) -> None:
        own = tmp_path / "proc" / str(pid)
        (own / "fd").mkdir(parents=True, exist_ok=True)
        state, parent, session, began = stat.split()
        between = " ".join(map(str, range(100, 115)))
        fields = f"{state} {parent} 90 {session} {between} {began} 99"
        (own / "stat").write_text(f"{pid} (a ) S 7 (b) {fields}")
        (own / "environ").write_bytes(environ)
        for number, target in enumerate(files):
            (own / "fd" / str(number)).symlink_to(target)

    return add


def test_mark_is_read_as_it_was_written(proc: Proc, monkeypatch: pytest.MonkeyPatch) -> None:
    proc(ME, "R 1 5 777")
    monkeypatch.setattr(orphans, "_pid_namespace", lambda: 4)
    mark = Mark.new()
    assert mark[:3] == (4, ME, 777)
    assert len(mark.bot) == 16
    assert Mark.parse(str(mark)) == mark
    assert str(Mark(1, 2, 3, "b")) == "1-2-3-b"
    for text in ("", "1-2-3", "1-2-3-b-c", "x-2-3-b", "1-2-x-b"):
        assert Mark.parse(text) is None
    assert Mark.new().bot != mark.bot


def test_process_is_told_by_fields_after_its_name_which_may_be_anything(proc: Proc) -> None:
    proc(50, "S 40 30 777")
    assert _stat(50) == ("S", 40, 30, 777)
    assert _stat(51) == ("X", 0, 0, 0)  # it is gone


@pytest.mark.parametrize(
    ("pid", "stat", "environ", "living", "orphan"),
    [
        (50, "S 1 30 1", b"", (), False),
        (50, "S 1 20 1", b"", (), True),  # the session of the bot
        (50, "S 1 20 1", b"", (50,), False),
        (50, "S 1 30 1", b"A=1\0SALVO_BOX=mark\0B=2\0", (), True),
        (50, "S 1 30 1", b"SALVO_BOX=marked\0", (), False),
        (50, "S 1 30 1", b"XSALVO_BOX=mark\0", (), False),
        (50, "Z 1 30 1", b"", (), True),  # ended by itself, in a session of its own
        (50, "Z 1 9 1", b"", (), False),  # ended, in the session of the arena
        (50, "Z 1 31 1", b"", (31,), False),  # ended, in the session of another bot
        (50, "Z 1 20 1", b"", (), True),
    ],
)
def test_orphan_is_known_by_its_session_or_mark(  # noqa: PLR0913, PLR0917 - one table
    proc: Proc,
    monkeypatch: pytest.MonkeyPatch,
    pid: int,
    stat: str,
    environ: bytes,
    living: tuple[int, ...],
    *,
    orphan: bool,
) -> None:
    proc(pid, stat, environ)
    monkeypatch.setattr(os, "getsid", lambda _: 9)
    assert _is_orphan(pid, (20, 21), "mark", None, living) is orphan


def test_orphan_is_known_by_its_uid(proc: Proc) -> None:
    proc(50, "S 1 30 1")
    assert _is_orphan(50, (), "mark", os.getuid(), ())
    assert not _is_orphan(50, (), "mark", os.getuid() + 1, ())
    assert not _is_orphan(51, (), "mark", os.getuid(), ())  # it is gone


def test_children_are_found_by_their_parents_where_the_kernel_keeps_no_lists(proc: Proc) -> None:
    nobody = 2**30
    for pid, parent in ((50, nobody), (51, nobody), (52, 50)):
        proc(pid, f"S {parent} 1 1")
    assert sorted(children_of(nobody)) == [50, 51]


HERE = 4
DEAD = f"SALVO_BOX={HERE}-60-600-bot".encode()


@pytest.mark.parametrize(
    ("arena", "environ", "dead"),
    [
        (None, DEAD, True),
        ("S 1 1 600", DEAD, False),
        ("S 1 1 601", DEAD, True),  # another process has its id
        ("Z 1 1 600", DEAD, True),
        ("X 1 1 600", DEAD, True),
        (None, b"A=1\0" + DEAD + b"\0", True),
        (None, b"OTHER=4-60-600-bot", False),
        (None, b"SALVO_BOX=5-60-600-bot", False),  # in another namespace it may live
        (None, b"SALVO_BOX=nonsense", False),
        (None, b"SALVO_BOX=\xff-60", False),
        (None, b"", False),
    ],
)
def test_arena_is_dead_if_no_process_of_its_age_has_its_id(
    proc: Proc, arena: str | None, environ: bytes, *, dead: bool
) -> None:
    proc(50, "S 1 1 700", environ)
    if arena is not None:
        proc(60, arena)
    assert _names_dead_arena(50, HERE) is dead


SIGN = ("/dev/null", "/memfd:salvo-arena (deleted)")


@pytest.mark.parametrize(
    ("parents", "below"),
    [
        ({50: "S 0 1 9"}, False),
        ({50: "S 1 1 9", 1: "S 0 1 1"}, False),
        ({50: "S 40 1 9", 40: "S 1 1 8", 1: "S 0 1 1"}, True),  # 40 holds the sign
        ({50: "S 41 1 9", 41: "S 1 1 8", 1: "S 0 1 1"}, False),
        ({50: "S 41 1 9", 41: "S 40 1 8", 40: "S 0 1 7"}, True),
        ({50: "S 41 1 9", 41: "Z 1 1 8", 1: "S 0 1 1"}, True),  # it ends just now
        ({50: "S 41 1 9", 41: "S 1 1 10", 1: "S 0 1 1"}, True),  # its id is another's
        ({50: "S 41 1 9", 41: "S 1 1 9", 1: "S 0 1 1"}, False),  # of the same moment
        ({50: "S 41 1 9"}, True),  # it is gone
        ({50: f"S {ME} 1 9", ME: "S 0 1 8"}, False),  # this one
        ({50: f"S {ME} 1 9", ME: "S 40 1 8", 40: "S 0 1 7"}, True),
        ({}, True),
        ({50: "Z 0 1 9"}, True),
    ],
)
def test_living_arena_above_a_process_spares_it(
    proc: Proc, parents: dict[int, str], *, below: bool
) -> None:
    for pid, stat in parents.items():
        proc(pid, stat, files=SIGN if pid in {40, ME} else ("/memfd:salvo-arena-not", "pipe:[1]"))
    assert _is_below_arena(50) is below


@pytest.fixture
def family(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Return the children of this process, with their sessions; those that are killed are gone."""
    sessions: dict[int, int] = {}

    def kill(pid: int, number: int) -> None:
        assert number == signal.SIGKILL
        if pid % 2:
            raise ProcessLookupError

    def wait(pid: int, options: int) -> None:
        assert options == 0
        del sessions[pid]
        if pid == 30:
            sessions[31] = 77  # left to this process by the one that ended
        if pid == 33:
            raise ChildProcessError

    monkeypatch.setattr(orphans, "children_of", lambda pid: list(sessions) if pid == ME else [])
    stat = orphans._Stat
    monkeypatch.setattr(orphans, "_stat", lambda pid: stat("S", ME, sessions[pid], 1))
    monkeypatch.setattr(os, "getsid", lambda _: 9)
    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(os, "waitpid", wait)
    return sessions


def test_orphans_of_workers_are_those_with_sessions_of_their_own(family: dict[int, int]) -> None:
    family |= {30: 30, 32: 9, 33: 33, 34: 0, 36: 36}
    end_orphans([36])
    assert family == {32: 9, 34: 0, 36: 36}
    end_children()
    assert family == {}


def test_sweep_ends_what_a_bot_has_left_alone(
    family: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    family |= {30: 20, 32: 21, 34: 9}
    asked: set[Any] = set()

    def is_orphan(pid: int, *given: object) -> bool:
        asked.add(given)
        return family[pid] == 20

    monkeypatch.setattr(orphans, "_is_orphan", is_orphan)
    sweep((20,), "mark", 5, (21,))
    assert family == {31: 77, 32: 21, 34: 9}
    assert asked == {((20,), "mark", 5, (21,))}


def test_bot_that_starts_processes_without_end_is_given_up(
    family: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = iter(range(100))
    ended: list[int] = []
    monkeypatch.setattr(orphans, "time", SimpleNamespace(monotonic=lambda: next(now_s)))
    monkeypatch.setattr(os, "waitpid", lambda pid, _: ended.append(pid))
    family[30] = 30
    end_children()
    assert ended == [30]  # at one second, and not at two


def test_arena_adopts_where_there_are_such(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(orphans, "prctl", lambda *given: asked.append(given))
    assert adopt_orphans()
    assert asked == [(36, 1)]  # PR_SET_CHILD_SUBREAPER

    def refuse(*_given: object) -> None:
        raise PermissionError

    monkeypatch.setattr(orphans, "prctl", refuse)
    assert not adopt_orphans()
    monkeypatch.setattr(orphans, "libc", None)
    assert not adopt_orphans()


@pytest.mark.parametrize("holds", [True, False])
def test_processes_of_dead_arenas_below_no_living_one_are_ended(
    monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    ended: list[int] = []
    descriptors = {pid: os.open(os.devnull, os.O_RDONLY) for pid in (50, 51, 52)}

    def open_(pid: int) -> int:
        if pid not in descriptors:
            raise ProcessLookupError
        return descriptors[pid]

    def send(descriptor: int, number: int) -> None:
        assert number == signal.SIGKILL
        ended.extend(pid for pid, one in descriptors.items() if one == descriptor)

    monkeypatch.setattr(orphans, "_hold_sign", lambda: holds)
    monkeypatch.setattr(orphans, "_pid_namespace", lambda: HERE)
    monkeypatch.setattr(orphans, "_processes", lambda: [49, 50, 51, 52])
    monkeypatch.setattr(orphans, "_names_dead_arena", lambda pid, here: here == HERE and pid > 50)
    monkeypatch.setattr(orphans, "_is_below_arena", lambda pid: pid == 52)
    monkeypatch.setattr(os, "pidfd_open", open_, raising=False)
    monkeypatch.setattr(signal, "pidfd_send_signal", send, raising=False)
    end_abandoned.cache_clear()
    end_abandoned()
    assert ended == ([51] if holds else [])
    for descriptor in descriptors.values():
        with contextlib.suppress(OSError) if not holds else pytest.raises(OSError, match="Bad"):
            os.close(descriptor)
    end_abandoned.cache_clear()
