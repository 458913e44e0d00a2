"""Applies Landlock: the kernel's allow-list of paths, and its limits on sockets and signals.

Three system calls and two structures are all that a bot needs, so they are called directly; the
available bindings are young. The kernel is asked for its version of Landlock: an older one
restricts less, and the proof at start-up (``arena.isolation.proof``) shows whether it is enough.

Landlock does not check ``stat``, ``chmod`` and the like. The seccomp filter blocks those that
change something; whether a path exists, its size and its times stay visible.
"""

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

from arena.isolation.kernel import check, libc

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FILE_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many rights to files each version knows; they are the lowest bits."""
_NETWORK_ABI, _BIND_AND_CONNECT = 4, 0b11
_SCOPE_ABI, _ABSTRACT_SOCKETS_AND_SIGNALS = 6, 0b11

OF_ITSELF = (
    *("auxv", "cgroup", "cmdline", "comm", "environ", "limits", "maps", "stat", "statm"),
    *("status", "fd", "fdinfo"),
)
"""What a process may read of its own entry in /proc. The rest tells of the whole machine, such as
``net`` and ``mountinfo``, or of what other processes have in memory, such as ``smaps``,
``numa_maps`` and ``pagemap``, or holds it all again, such as ``task``."""


def abi() -> int:
    """Return the kernel's version of Landlock; 0 if it has none or it is disabled."""
    if libc is None:
        return 0
    found: int = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return max(found, 0)


class Ruleset:
    """Rules on what a process, and all it starts, may open; all else is forbidden.

    Args:
        read: Files, and folders with their contents, to read and execute.
        listed: Folders to list, recursively, without reading their files.

    Raises:
        OSError: If the kernel has no Landlock.
    """

    def __init__(
        self, read: Iterable[str], listed: Iterable[str] = (), written: Iterable[str] = ()
    ) -> None:
        version = abi()
        known = max(
            (count for since, count in _FILE_RIGHTS_BY_ABI.items() if since <= version), default=0
        )
        attributes = struct.pack("=Q", (1 << known) - 1)
        if version >= _NETWORK_ABI:
            attributes += struct.pack("=Q", _BIND_AND_CONNECT)
        if version >= _SCOPE_ABI:
            attributes += struct.pack("=Q", _ABSTRACT_SOCKETS_AND_SIGNALS)
        assert libc is not None
        self.descriptor = check(
            libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
        )
        try:
            for path in read:
                self._allow(path, _EXECUTE | _READ_FILE | _READ_DIR)
            for path in listed:
                self._allow(path, _READ_DIR)
            for path in written:
                self._allow(path, _READ_FILE | _WRITE_FILE)
        except OSError:
            self.close()
            raise

    def _allow(self, path: str, rights: int) -> None:
        if not Path(path).is_dir():
            rights &= ~_READ_DIR
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = struct.pack("=Qi", rights, place)
            assert libc is not None
            check(libc.syscall(_ADD_RULE, self.descriptor, _PATH_BENEATH, rule, 0))
        finally:
            os.close(place)

    def allow_own_entry(self) -> None:
        """Allow the calling process to read what /proc says of itself; not of what it starts."""
        for name in OF_ITSELF:
            with contextlib.suppress(OSError):  # a kernel may lack one
                self._allow(f"/proc/self/{name}", _READ_FILE | _READ_DIR)

    def install(self) -> None:
        """Apply the rules to the calling process for good; no_new_privs must be set.

        Raises:
            OSError: If the kernel refuses.
        """
        assert libc is not None
        check(libc.syscall(_RESTRICT_SELF, self.descriptor, 0))

    def close(self) -> None:
        """Close the descriptor of the rules; processes they were applied to stay restricted."""
        os.close(self.descriptor)
