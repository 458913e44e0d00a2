"""Makes system calls that Python's standard library does not expose."""

import contextlib
import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
"""The C library; None where the system is not Linux."""


def check(result: int) -> int:
    """Return the result of a call, unless that is an error.

    Raises:
        OSError: If the result is negative: the call failed.
    """
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def prctl(option: int, first: int, second: int | bytes = 0, third: int = 0) -> None:
    """Change a property of the calling process.

    Raises:
        OSError: If the kernel refuses.
    """
    assert libc is not None
    last = second if isinstance(second, bytes) else ctypes.c_ulong(second)
    check(libc.prctl(option, ctypes.c_ulong(first), last, ctypes.c_ulong(third), ctypes.c_ulong(0)))


def die_with_parent(parent: int) -> bool:
    """Have the kernel send SIGTERM to this process when its parent ends; Linux only.

    The signal comes when the *thread* that started this process ends, so start it from one that
    keeps running. Returns whether the process is still there that was the ``parent``.
    """
    if libc is not None:
        with contextlib.suppress(OSError):
            prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    return os.getppid() == parent
