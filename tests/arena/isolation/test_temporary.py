"""Folders in memory are mounted over folders of the host that a bot does not see."""

import ctypes
import json
import os
import shutil
from pathlib import Path

import pytest

from arena.isolation import Extra, kernel, refused, temporary
from arena.isolation.temporary import InMemory, folders_in_memory, mounting


def test_each_is_mounted_over_a_folder_that_the_box_does_not_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    monkeypatch.setattr(temporary, "_PLACES", (str(first), "/no/such/folder", str(second)))
    both = [InMemory("/tmp", str(first), 16), InMemory("/dev/shm", str(second), 8)]  # noqa: S108 - in a box
    sizes_mb = {one.path: one.megabytes for one in both}
    assert folders_in_memory(sizes_mb, [str(tmp_path / "third")]) == both
    with pytest.raises(FileNotFoundError, match="too few are there to mount 2 folders over"):
        folders_in_memory(sizes_mb, [str(first / "bot.py")])


def share_all_mounts() -> None:
    """Have mounts of this process, in a namespace of its own, be seen in those made from it."""
    new_mounts, shared, recursive = 0x20000, 1 << 20, 1 << 14
    assert kernel.libc is not None
    kernel.check(kernel.libc.unshare(new_mounts))
    kernel.check(kernel.libc.mount(None, b"/", None, ctypes.c_ulong(shared | recursive), None))
    os.open("/proc/self/ns/mnt", os.O_RDONLY)  # it stays while this process does


def may_mount() -> bool:
    """Return whether a process may mount folders in memory in namespaces of its own."""
    new_mounts, new_user = 0x20000, 0x10000000
    child = os.fork()
    if child == 0:
        code = 1
        try:
            assert kernel.libc is not None
            kernel.check(kernel.libc.unshare(new_user | new_mounts))
            kernel.check(kernel.libc.mount(b"tmpfs", b"/mnt", b"tmpfs", ctypes.c_ulong(0), None))
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def test_boxes_are_given_folders_in_memory_where_they_can_be_mounted() -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    if not may_mount():
        pytest.skip("this machine lets nobody mount in namespaces of their own")
    # Else all tests of them would be skipped.
    assert [refused(extra) for extra in (Extra.TEMPORARY, Extra.SHARED)] == [None, None]


def shared_mounts() -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if " shared:" in line or " master:" in line]


@pytest.mark.parametrize("uid", [None, 60_600])
def test_folder_in_memory_is_bounded_private_and_of_no_use_for_privileges(
    tmp_path: Path, uid: int | None
) -> None:
    if not may_mount():
        pytest.skip("this machine lets nobody mount in namespaces of their own")
    if uid is not None and os.geteuid() != 0:
        pytest.skip("only root can give a folder to another")
    places = [tmp_path / name for name in ("first", "second")]
    for place in places:
        place.mkdir()
    mount = mounting([InMemory("/x", str(places[0]), 3), InMemory("/y", str(places[1]), 5)], uid)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                share_all_mounts()
            mount()
            seen: list[object] = [shared_mounts()]
            for place in places:
                (place / "file").touch()
                found, status = os.statvfs(place), place.stat()
                bytes_, flags = found.f_blocks * found.f_frsize, os.ST_NOSUID | os.ST_NODEV
                mode, owner = status.st_mode & 0o7777, [status.st_uid, status.st_gid]
                seen.append([bytes_ >> 20, found.f_files, found.f_flag & flags, mode, owner])
            os.write(writer, json.dumps(seen).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        seen = json.loads(told.read())
    os.waitpid(child, 0)
    flags = os.ST_NOSUID | os.ST_NODEV
    owner = [os.geteuid(), os.getegid()] if uid is None else [uid, uid]
    assert seen == [[], *([size_mb, 4096, flags, 0o755, owner] for size_mb in (3, 5))]
    assert [list(place.iterdir()) for place in places] == [[], []]
