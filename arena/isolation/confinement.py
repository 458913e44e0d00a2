"""Restricts a process before its program starts: limits, privileges, death with the arena."""

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from arena.isolation.kernel import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, libc, prctl
from arena.isolation.landlock import Ruleset
from arena.isolation.memory_use import be_ended_first
from arena.isolation.seccomp import Filter
from arena.isolation.slots import Slot

MAX_FILE_BYTES = 16 * 1024 * 1024
"""At level ``limits``; 0 at levels where nothing can be written."""
MAX_OPEN_FILES = 256
MAX_TASKS = 128
"""Threads and processes of one bot; if it shares its uid, on top of all that run already."""
ADDRESSES_PER_BYTE = 64
"""Address space for each byte of memory. Runtimes reserve far more than they use, and reserving is
free; but the tables of its pages, a byte for 512, must not outgrow the memory itself."""


def tasks_running() -> int | None:
    """Return how many threads exist on the machine, or None if the kernel does not report it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        running = Path("/proc/loadavg").read_text(encoding="ascii").split()[3]
        return int(running.split("/")[1])
    return None


def memory_limits(memory_mb: int) -> dict[str, tuple[int, int]]:
    """Return the soft and hard limits on memory, in bytes, by the names that prlimit has for them.

    What counts is what a process may write to, whether it has or not, not what it reserves. The
    memory of files and stacks is not among it: whoever gives these limits has to bound them.
    """
    memory = memory_mb * 1024 * 1024
    if sys.platform != "linux":
        return {"as": _within(resource.RLIMIT_AS, memory)}
    soft, hard = _within(resource.RLIMIT_STACK, memory)
    own_soft = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return {
        "data": _within(resource.RLIMIT_DATA, memory),
        "as": _within(resource.RLIMIT_AS, ADDRESSES_PER_BYTE * memory),
        "stack": (soft if own_soft == resource.RLIM_INFINITY else min(soft, own_soft), hard),
    }


def _within(kind: int, most: int) -> tuple[int, int]:
    """Return a limit, soft and hard, that does not exceed the hard limit of this process."""
    _, hard = resource.getrlimit(kind)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    return bound, bound


def die_with_arena() -> Callable[[], None]:
    """Return a function that makes a child die with this process, to call between fork and exec.

    Without it a bot that is paused when its arena is killed would stay forever. The child is also
    killed before this process when memory runs out.
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
    """Return a function that restricts a child, to call between fork and exec.

    Everything that can be prepared is prepared here, before the fork.
    """
    arena = os.getpid()
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: MAX_FILE_BYTES if ruleset is None else 0,
        resource.RLIMIT_NOFILE: MAX_OPEN_FILES,
    }
    running = 0 if slot is not None else tasks_running()
    if running is not None:
        bounds[resource.RLIMIT_NPROC] = running + MAX_TASKS
    limits = {kind: _within(kind, most) for kind, most in bounds.items()} | {
        getattr(resource, f"RLIMIT_{name.upper()}"): limit
        for name, limit in memory_limits(memory_mb).items()
    }

    def bind() -> None:
        be_ended_first()  # while /proc can still be written
        for kind, limit in limits.items():
            resource.setrlimit(kind, limit)
        if slot is not None:
            slot.assume()
        if libc is None:
            return
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        if ruleset is not None:
            ruleset.allow_own_entry()
            ruleset.install()
        _die_with(arena)  # after the change of uid, which would reset it
        if calls is not None:
            calls.install()

    return bind
