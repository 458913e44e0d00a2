"""Mounts a temporary folder for one box: in memory, bounded in bytes and in files.

bubblewrap can bound the bytes of one, but not its files, each of which takes memory of the kernel.
So it is mounted between fork and exec, in namespaces made for it, over a folder that the bot does
not see; bubblewrap then binds it into the box. It is gone with the last process of the box.
"""

import ctypes
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from arena.isolation.kernel import check, libc

FOLDER = "/tmp"  # noqa: S108 - in a box of its own
"""Where it lies in the box."""

MAX_FILES = 4096
"""Files and folders in it."""

_PLACES = ("/mnt", "/media", "/srv", "/var/tmp", "/dev/shm", "/run")  # noqa: S108 - mounted over
_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_PRIVATE, _RECURSIVE, _NO_SETUID, _NO_DEVICES = 1 << 18, 1 << 14, 2, 4


def place_for(paths: Iterable[str]) -> str:
    """Return a folder of the host to mount it over, which the box does not show.

    Raises:
        OSError: If there is none.
    """
    paths = list(paths)
    for place in _PLACES:
        if Path(place).is_dir() and not any(Path(path).is_relative_to(place) for path in paths):
            return place
    raise FileNotFoundError(f"none of {', '.join(_PLACES)} is there to mount a folder over")


def mounting(place: str, megabytes: int, uid: int | None) -> Callable[[], None]:
    """Return a function that mounts the folder in a child, to call between fork and exec.

    A ``uid`` owns it, if root starts the box.
    """
    owner = os.geteuid(), os.getegid()
    options = f"size={megabytes}m,nr_inodes={MAX_FILES},mode=0755"
    if uid is not None:
        options += f",uid={uid},gid={uid}"

    def mount() -> None:
        assert libc is not None
        if uid is None:
            check(libc.unshare(_NEW_USER | _NEW_MOUNTS))
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            for kind, own in zip(("uid", "gid"), owner, strict=True):
                Path(f"/proc/self/{kind}_map").write_text(f"{own} {own} 1", encoding="ascii")
        else:
            check(libc.unshare(_NEW_MOUNTS))
        _mount(None, "/", _PRIVATE | _RECURSIVE)
        _mount("tmpfs", place, _NO_SETUID | _NO_DEVICES, options)

    return mount


def _mount(kind: str | None, place: str, flags: int, options: str | None = None) -> None:
    assert libc is not None
    named, given = (None if text is None else text.encode() for text in (kind, options))
    check(libc.mount(named, place.encode(), named, ctypes.c_ulong(flags), given))
