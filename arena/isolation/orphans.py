"""Finds and ends orphans: processes that outlived the bot that started them.

The kernel gives a process whose parent ends to its nearest ancestor that is a "subreaper". The
arena is one, so a bot's orphans become its children even if they left the bot's group and session.
So whatever a living arena started is below it, and that no bot can change; what is below it is its
own business. Only below no living arena does the mark in a process's environment say, which a bot
can overwrite, that it was left behind by an arena that is gone.
"""

import contextlib
import functools
import os
import secrets
import signal
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from arena.isolation.kernel import PR_SET_CHILD_SUBREAPER, libc, prctl

MARK = "SALVO_BOX"
"""The environment variable that marks the processes of one bot."""

_SIGN = "salvo-arena"
"""The name of a file in memory that every arena holds open, by which others know that it lives."""

SWEEP_S = 2.0
"""When to give up on a bot that starts processes faster than they can be killed."""


class Mark(NamedTuple):
    """The mark on a bot's processes: which arena started them, and for which bot."""

    pid_namespace: int  # the namespace of the arena's process id; 0 where there are none
    arena: int
    began: int  # when the arena's process began, since process ids are reused
    bot: str

    def __str__(self) -> str:
        return f"{self.pid_namespace}-{self.arena}-{self.began}-{self.bot}"

    @classmethod
    def new(cls) -> "Mark":
        """Return the mark of a new bot of this process."""
        return cls(_pid_namespace(), os.getpid(), _stat(os.getpid()).began, secrets.token_hex(8))

    @classmethod
    def parse(cls, text: str) -> "Mark | None":
        """Return the mark that a text stands for, or None if it is not one."""
        with contextlib.suppress(ValueError):
            pid_namespace, arena, began, bot = text.split("-")
            return cls(int(pid_namespace), int(arena), int(began), bot)
        return None


_ENDED = frozenset("ZX")


class _Stat(NamedTuple):
    state: str
    parent: int
    session: int
    began: int


def adopt_orphans() -> bool:
    """Have the kernel give this process the orphans of its descendants; return whether it does."""
    if libc is None:
        return False
    _hold_sign()
    with contextlib.suppress(OSError):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        return True
    return False


@functools.cache
def _hold_sign() -> bool:
    """Open the sign of a living arena until this process ends; return whether there is one.

    No bot inherits it. One that makes its own is only taken for an arena, as which it is spared.
    """
    with contextlib.suppress(OSError, AttributeError):
        os.memfd_create(_SIGN)
        return True
    return False


def children_of(pid: int) -> list[int]:
    """Return the ids of a process's children, oldest first; empty where there is no /proc."""
    children: list[int] = []
    try:
        # Not by pathlib, which takes several times as long: this is asked often.
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - see above
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:  # noqa: PTH123 - see above
                children += map(int, file.read().split())
    except FileNotFoundError:
        # The process is gone, or the kernel has no lists of children: look at all processes.
        children = [child for child in _processes() if _stat(child).parent == pid]
    except OSError:
        return []
    return children


def sweep(sessions: Collection[int], mark: str, uid: int | None, living: Collection[int]) -> None:
    """Kill and reap the orphans of a bot that has ended, but spare those in ``living``.

    An orphan is recognized by its session, which is one that the bot or its box began, by the mark
    in its environment, or by its uid; one that has ended by itself is reaped unless this process
    started it. While a process is ending it has neither a mark nor a uid any more.
    """
    _end_children(lambda pid: _is_orphan(pid, sessions, mark, uid, living))


def end_orphans(spared: Collection[int]) -> None:
    """Kill and reap the bots of a child process that was killed; this process inherited them.

    They are recognized by their sessions: every bot starts its own, while other children share the
    session of this process. Children that it had before are spared. This process itself must not
    run bots meanwhile.
    """
    own = os.getsid(0)
    _end_children(lambda pid: pid not in spared and _stat(pid).session not in (own, 0))


def end_children() -> None:
    """Kill and reap every child of this process, and what they leave to it if it adopts orphans."""
    _end_children(lambda _pid: True)


def _end_children(is_orphan: Callable[[int], bool]) -> None:
    """Kill and reap orphans until there are none, or time is up."""
    deadline = time.monotonic() + SWEEP_S
    while time.monotonic() < deadline:
        orphans = [pid for pid in children_of(os.getpid()) if is_orphan(pid)]
        if not orphans:
            return
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in orphans:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


@functools.cache
def end_abandoned() -> None:
    """Kill the bots of this user whose arena is gone; done once in the life of a process.

    The bots of a killed arena die with it, except for one whose box was just being built, and what
    they started. To be called before this process starts bots: it tells those from others by a
    living arena above them that is not this process.
    """
    if not _hold_sign():
        return  # others could not hold theirs either
    here = _pid_namespace()
    for pid in _processes():
        with contextlib.suppress(OSError):
            process = os.pidfd_open(pid)
            try:
                if _names_dead_arena(pid, here) and not _is_below_arena(pid):
                    signal.pidfd_send_signal(process, signal.SIGKILL)
            finally:
                os.close(process)


def _names_dead_arena(pid: int, here: int) -> bool:
    for variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        name, _, value = variable.partition(b"=")
        mark = Mark.parse(value.decode(errors="replace")) if name == MARK.encode() else None
        if mark and mark.pid_namespace == here and not _arena_runs(mark):
            return True
    return False


def _arena_runs(mark: Mark) -> bool:
    stat = _stat(mark.arena)
    return stat.began == mark.began and stat.state not in _ENDED


def _is_below_arena(pid: int) -> bool:
    """Return whether another living arena than this process is above a process.

    True too if that cannot be told, as when a process above it ends meanwhile.
    """
    stat = _stat(pid)
    while stat.parent != 0:
        above = _stat(stat.parent)
        # A younger one has only the id of the one that was there.
        if above.state in _ENDED or above.began > stat.began:
            return True
        if stat.parent != os.getpid() and _holds_sign(stat.parent):
            return True
        stat = above
    return stat.state in _ENDED


def _holds_sign(pid: int) -> bool:
    """Return whether a process holds the sign of a living arena; False if that is not shown."""
    with contextlib.suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if str(descriptor.readlink()).startswith(f"/memfd:{_SIGN} "):
                    return True
    return False


def _is_orphan(
    pid: int, sessions: Collection[int], mark: str, uid: int | None, living: Collection[int]
) -> bool:
    if pid in living:
        return False
    stat = _stat(pid)
    if stat.session in sessions:
        return True
    if stat.state == "Z":
        return stat.session not in (os.getsid(0), *living)
    with contextlib.suppress(OSError):
        if uid is not None and Path(f"/proc/{pid}").stat().st_uid == uid:
            return True
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return f"{MARK}={mark}".encode() in variables
    return False


def _stat(pid: int) -> _Stat:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _Stat("X", 0, 0, 0)
    # The name in parentheses may contain anything, so count the fields after its end.
    fields = stat.rpartition(")")[2].split()
    return _Stat(fields[0], int(fields[1]), int(fields[3]), int(fields[19]))


def _pid_namespace() -> int:
    with contextlib.suppress(OSError):
        return Path("/proc/self/ns/pid").stat().st_ino
    return 0


def _processes() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return []
