"""Shares system calls that Python has no name for, and a word when one fails.

A trick is a bot by itself that would look as if somebody had killed it. One that comes to its end
has failed, and so has one that ends in any other way.
"""

import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)


def call(intel: int, arm: int, *arguments: object) -> int:
    """Make a system call by its number on x86-64 and on aarch64; raise OSError if it fails."""
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    number = arm if platform.machine() == "aarch64" else intel
    result: int = libc.syscall(ctypes.c_long(number), *given)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
