"""Reserves uids for the bots that root starts, so that no two running bots share one."""

import contextlib
import functools
import os
import socket
import struct
from pathlib import Path

from arena.isolation.kernel import PR_CAP_AMBIENT, PR_SET_KEEPCAPS, check, libc, prctl

_FIRST, _COUNT = 60_578, 512
"""A range of uids that neither Debian nor systemd assigns."""

_READ_ANY = 2  # CAP_DAC_READ_SEARCH
_CAPABILITIES_VERSION = 0x20080522
_RAISE_AMBIENT = 2


class Slot:
    """A uid that is reserved until ``close``, or until this process ends.

    Attributes:
        reads_any: Whether the bot keeps the capability to read any file, because the interpreter
            or the bot is readable by root alone. Levels that restrict paths still do; at
            ``limits`` such a bot can read what root can.
    """

    def __init__(self, uid: int, lock: socket.socket) -> None:
        self.uid = uid
        self.reads_any = False
        self._lock = lock

    def close(self) -> None:
        """Release the uid."""
        self._lock.close()

    def assume(self) -> None:
        """Switch the calling process from root to the uid, keeping at most the one capability."""
        if self.reads_any:
            prctl(PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(self.uid, self.uid, self.uid)
        os.setresuid(self.uid, self.uid, self.uid)
        if self.reads_any:
            assert libc is not None
            header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
            only = 1 << _READ_ANY
            check(libc.capset(header, struct.pack("=6I", only, only, only, 0, 0, 0)))
            prctl(PR_CAP_AMBIENT, _RAISE_AMBIENT, _READ_ANY)


def take_slot() -> Slot:
    """Return a uid that no other bot on this machine has.

    An abstract socket named after the uid reserves it; the kernel closes it with this process, so
    nothing is left behind however the arena ends.

    Raises:
        OSError: If all are in use.
    """
    start = os.getpid()
    for step in range(_COUNT):
        uid = _FIRST + (start + step) % _COUNT
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(OSError):
            lock.bind(f"\0salvo-bot-{uid}")
            return Slot(uid, lock)
        lock.close()
    raise OSError(f"all {_COUNT} uids for bots are in use by other bots on this machine")


@functools.lru_cache(maxsize=256)
def needs_root(paths: tuple[str, ...], *, folders_too: bool) -> bool:
    """Return whether a path, or if asked a folder above one, is readable by root alone."""
    for name in paths:
        path = Path(name)
        if folders_too and any(not parent.stat().st_mode & 0o001 for parent in path.parents):
            return True
        wanted = 0o005 if path.is_dir() else 0o004
        if path.stat().st_mode & wanted != wanted:
            return True
    return False
