"""What binds a process before its program starts: limits, privileges, death with its parent."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from arena.isolation.kernel import (
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    libc,
    prctl,
)
from arena.isolation.landlock import Ruleset
from arena.isolation.seccomp import Filter
from arena.isolation.shortage import be_ended_first
from arena.isolation.slots import Slot

if sys.platform != "win32":
    import resource

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_OPEN_FILES",
    "MAX_TASKS",
    "confine",
    "die_with_arena",
    "tasks_running",
]

MAX_FILE_BYTES = 16 * 1024 * 1024
"""At ``limits``; where there is nothing to write to, it is nothing."""
MAX_OPEN_FILES = 256
MAX_TASKS = 128
"""Threads and processes of one bot; where it shares its uid, beside all that run already."""


def tasks_running() -> int | None:
    """Return how many threads run on the machine, or None where the kernel does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        running = Path("/proc/loadavg").read_text(encoding="ascii").split()[3]
        return int(running.split("/")[1])
    return None


def die_with_arena() -> Callable[[], None]:
    """Return what has a process die with this one, to be called in it between fork and exec.

    Without it a bot that is paused when its arena is killed would stay for ever. Where memory runs
    out, it is ended before this one.
    """
    arena = os.getpid()

    def bind() -> None:
        be_ended_first()
        _die_with(arena)

    return bind


def _die_with(arena: int) -> None:
    if libc is None:
        return
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != arena:  # the parent died before the line above took effect
        os._exit(1)


def confine(
    memory_mb: int,
    slot: Slot | None = None,
    ruleset: Ruleset | None = None,
    calls: Filter | None = None,
) -> Callable[[], None]:
    """Return what binds a process, to be called in it between fork and exec.

    All that can be built is built here, before the fork.

    Args:
        memory_mb: The address space it may use, in megabytes.
        slot: The uid it gets, if root starts it.
        ruleset: The paths it may open.
        calls: The system calls it may make.
    """
    arena = os.getpid()
    walled = ruleset is not None
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0 if walled else MAX_FILE_BYTES,
        resource.RLIMIT_NOFILE: MAX_OPEN_FILES,
        resource.RLIMIT_AS: memory_mb * 1024 * 1024,
    }
    running = 0 if slot is not None else tasks_running()
    if running is not None:
        limits[resource.RLIMIT_NPROC] = running + MAX_TASKS

    def bind() -> None:
        be_ended_first()  # while there is a /proc to write to
        for kind, most in limits.items():
            _, hard = resource.getrlimit(kind)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bound, bound))
        if slot is not None:
            slot.assume()
        if libc is None:
            return
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        if ruleset is not None:
            ruleset.install()
        _die_with(arena)  # a change of uid undoes it, so it comes after
        if calls is not None:
            calls.install()

    return bind
