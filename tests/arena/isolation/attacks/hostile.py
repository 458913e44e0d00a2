"""Shares targets among the attacks, and system calls that Python has no name for.

An attack is a bot by itself. Whether it reached anything is judged by who looks on (``stage.py``):
by a secret in what it prints, by a change in the world, or, where neither can be, by its word.
"""

import ctypes
import json
import os
import sys

targets = json.loads(sys.argv[1])
"""Where everything is: an attacker that knows all."""

libc = ctypes.CDLL(None, use_errno=True)


def reached(what: str) -> None:
    """Say what was reached."""
    print("REACHED", what, flush=True)  # noqa: T201


def tell(what: bytes) -> None:
    """Pass on what was read."""
    print(what, flush=True)  # noqa: T201


def call(intel: int, arm: int, *arguments: object) -> int:
    """Make a system call by its number on x86-64 and on aarch64; raise OSError if it fails."""
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    number = arm if os.uname().machine == "aarch64" else intel
    result: int = libc.syscall(ctypes.c_long(number), *given)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
