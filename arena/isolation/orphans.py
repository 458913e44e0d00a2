"""What a bot leaves behind: processes that outlived it and were handed to the arena.

A process whose parent ends is handed to its next ancestor that asked for it. The arena asks, so
that a bot's orphans come to it, however they hid from the bot's group and session.
"""

import contextlib
import functools
import os
import secrets
import signal
import time
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from arena.isolation.kernel import PR_SET_CHILD_SUBREAPER, libc, prctl

__all__ = ["MARK", "Mark", "adopt_orphans", "children_of", "end_abandoned", "end_orphans", "sweep"]

MARK = "SALVO_BOX"
"""The environment variable by which the processes of one bot are known."""

SWEEP_S = 2.0
"""How long to go on against a bot that starts processes faster than they are ended."""


class Mark(NamedTuple):
    """What a bot's processes carry: whose they are, and which bot's.

    Attributes:
        world: The namespace that the arena's process id belongs to; 0 where there are none.
        arena: The process id of the arena.
        began: When the arena's process began, since ids are given again.
        bot: A random word.
    """

    world: int
    arena: int
    began: int
    bot: str

    def __str__(self) -> str:
        return f"{self.world}-{self.arena}-{self.began}-{self.bot}"

    @classmethod
    def new(cls) -> "Mark":
        """Return the mark of a new bot of this process."""
        return cls(_world(), os.getpid(), _kin(os.getpid()).began, secrets.token_hex(8))

    @classmethod
    def parse(cls, text: str) -> "Mark | None":
        """Return the mark that a text says, or None."""
        with contextlib.suppress(ValueError):
            world, arena, began, bot = text.split("-")
            return cls(int(world), int(arena), int(began), bot)
        return None


class _Kin(NamedTuple):
    state: str
    parent: int
    session: int
    began: int


def adopt_orphans() -> bool:
    """Have the orphans of what this process starts handed to it; return whether that is so."""
    if libc is None:
        return False
    with contextlib.suppress(OSError):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        return True
    return False


def children_of(pid: int) -> list[int]:
    """Return the ids of a process's children, oldest first; none where there is no /proc."""
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text(encoding="ascii").split())
    except FileNotFoundError:
        # The process is gone, or the kernel keeps no such lists and all have to be asked.
        children = [child for child in _processes() if _kin(child).parent == pid]
    except OSError:
        return []
    return children


def sweep(leader: int, mark: str, uid: int | None, living: Collection[int]) -> None:
    """End and reap the orphans of a bot that has ended.

    An orphan is known by its session, by the mark in its environment, or by its uid; one that
    has ended by itself is reaped unless this process started it.

    Args:
        leader: The id that the bot had, and its session.
        mark: The value of the bot's mark.
        uid: The uid that is the bot's alone, if it has one.
        living: The ids of the bots that run.
    """
    deadline = time.monotonic() + SWEEP_S
    while time.monotonic() < deadline:
        strays = [
            pid for pid in children_of(os.getpid()) if _is_stray(pid, leader, mark, uid, living)
        ]
        if not strays:
            return
        _end(strays)


def end_orphans(spared: Collection[int]) -> None:
    """End and reap the bots of a process that was killed, which were handed to this one.

    They are known by their sessions: every bot begins one, and what shares the session of this
    process is its own. No bot of this process itself may run meanwhile.

    Args:
        spared: Children that this process had before.
    """
    deadline = time.monotonic() + SWEEP_S
    own = os.getsid(0)
    while time.monotonic() < deadline:
        children = set(children_of(os.getpid())).difference(spared)
        orphans = [pid for pid in children if _kin(pid).session not in (own, 0)]
        if not orphans:
            return
        _end(orphans)


def _end(children: Collection[int]) -> None:
    """End some children of this process, and reap them."""
    for pid in children:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    for pid in children:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


@functools.cache
def end_abandoned() -> None:
    """End the bots of this user whose arena is gone; done once in the life of a process.

    An arena that is killed takes its bots along, except for one whose box was just being built.
    """
    world = _world()
    for pid in _processes():
        with contextlib.suppress(OSError, UnicodeError):
            for variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                name, _, value = variable.partition(b"=")
                mark = Mark.parse(value.decode()) if name == MARK.encode() else None
                if mark and mark.world == world and not _lives(mark):
                    os.kill(pid, signal.SIGKILL)


def _lives(mark: Mark) -> bool:
    """Return whether the arena that gave a mark is there, and no zombie that nobody reaps."""
    kin = _kin(mark.arena)
    return kin.began == mark.began and kin.state not in {"Z", "X"}


def _is_stray(pid: int, leader: int, mark: str, uid: int | None, living: Collection[int]) -> bool:
    if pid in living:
        return False
    kin = _kin(pid)
    if kin.session == leader:
        return True
    if kin.state == "Z":
        return kin.session not in (os.getsid(0), *living)
    with contextlib.suppress(OSError):
        if uid is not None and Path(f"/proc/{pid}").stat().st_uid == uid:
            return True
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return f"{MARK}={mark}".encode() in variables
    return False


def _kin(pid: int) -> _Kin:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _Kin("X", 0, 0, 0)
    # The name in parentheses may hold anything, so the fields are counted after its end.
    fields = stat.rpartition(")")[2].split()
    return _Kin(fields[0], int(fields[1]), int(fields[3]), int(fields[19]))


def _world() -> int:
    with contextlib.suppress(OSError):
        return Path("/proc/self/ns/pid").stat().st_ino
    return 0


def _processes() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return []
