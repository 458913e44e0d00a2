"""Mounts folders for one box: in memory, bounded in bytes and in files.

There are two: a temporary folder, and one for what processes share. bubblewrap can bound the bytes
of one, but not its files, each of which takes memory of the kernel. So each is mounted between fork
and exec, in namespaces made for them, over a folder that the bot does not see; bubblewrap then
binds it into the box. They are gone with the last process of the box.
"""

import ctypes
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from arena.isolation.kernel import check, libc

TEMPORARY = "/tmp"  # noqa: S108 - in a box of its own
"""Where the temporary folder lies in the box."""

SHARED = "/dev/shm"  # noqa: S108 - the same
"""Where what processes share lies in the box: the C library looks for it there."""

MAX_FILES = 4096
"""Files and folders in each."""

_PLACES = ("/mnt", "/media", "/srv", "/var/tmp", "/dev/shm", "/run")  # noqa: S108 - mounted over
_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_PRIVATE, _RECURSIVE, _NO_SETUID, _NO_DEVICES = 1 << 18, 1 << 14, 2, 4


class InMemory(Struct, frozen=True):
    """A folder in memory.

    Attributes:
        path: Where it lies in the box.
        place: The folder of the host that it is mounted over.
    """

    path: str
    place: str
    megabytes: int


def folders_in_memory(megabytes: dict[str, int], paths: Iterable[str]) -> list[InMemory]:
    """Return folders of some sizes, by their paths in the box, for a box that shows ``paths``.

    Raises:
        OSError: If the host has no folders to mount them over that the box does not show.
    """
    paths = list(paths)
    places = [
        place
        for place in _PLACES
        if Path(place).is_dir() and not any(f"{path}/".startswith(f"{place}/") for path in paths)
    ]
    if len(places) < len(megabytes):
        raise FileNotFoundError(
            f"of {', '.join(_PLACES)} too few are there to mount {len(megabytes)} folders over"
        )
    sized = zip(megabytes.items(), places, strict=False)
    return [InMemory(path, place, size) for (path, size), place in sized]


def mounting(folders: Sequence[InMemory], uid: int | None) -> Callable[[], None]:
    """Return a function that mounts folders in a child, to call between fork and exec.

    A ``uid`` owns them, if root starts the box.
    """
    owner = os.geteuid(), os.getegid()
    owned = "" if uid is None else f",uid={uid},gid={uid}"

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
        for folder in folders:
            options = f"size={folder.megabytes}m,nr_inodes={MAX_FILES},mode=0755{owned}"
            _mount("tmpfs", folder.place, _NO_SETUID | _NO_DEVICES, options)

    return mount


def _mount(kind: str | None, place: str, flags: int, options: str | None = None) -> None:
    assert libc is not None
    named, given = (None if text is None else text.encode() for text in (kind, options))
    check(libc.mount(named, place.encode(), named, ctypes.c_ulong(flags), given))
