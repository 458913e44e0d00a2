"""Each bot that root starts has a uid of its own."""

import os
import socket
import struct
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import slots
from arena.isolation.slots import needs_root, take_slot

FIRST, COUNT = 60_578, 512


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> set[bytes]:
    """Return the names of sockets that are taken, on a machine of its own."""
    names: set[bytes] = set()

    class Lock:
        def __init__(self, *kind: int) -> None:
            assert kind == (socket.AF_UNIX, socket.SOCK_DGRAM)
            self.name = b""

        def bind(self, name: str) -> None:
            if name.encode() in names:
                raise OSError
            self.name = name.encode()
            names.add(self.name)

        def close(self) -> None:
            names.discard(self.name)

    monkeypatch.setattr(socket, "socket", Lock)
    return names


@pytest.mark.parametrize(
    ("pid", "uids"),
    [
        (COUNT * 3, [FIRST, FIRST + 1, FIRST + 2]),
        (COUNT * 3 - 2, [FIRST + COUNT - 2, FIRST + COUNT - 1, FIRST]),
    ],
)
def test_uids_are_given_in_turn_and_again_when_they_are_free(
    monkeypatch: pytest.MonkeyPatch, taken: set[bytes], pid: int, uids: list[int]
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: pid)
    given = [take_slot() for _ in uids]
    assert [slot.uid for slot in given] == uids
    assert taken == {f"\0salvo-bot-{uid}".encode() for uid in uids}
    assert not given[0].reads_any
    given[1].close()
    assert take_slot().uid == uids[1]


def test_all_uids_are_tried_before_it_is_said_that_none_is_free(taken: set[bytes]) -> None:
    assert {take_slot().uid for _ in range(COUNT)} == {*range(FIRST, FIRST + COUNT)}
    with pytest.raises(OSError, match=r"^all 512 uids for bots are in use by other bots on this"):
        take_slot()
    taken.remove(f"\0salvo-bot-{FIRST}".encode())
    assert take_slot().uid == FIRST


@pytest.mark.parametrize(
    ("name", "mode", "needed"),
    [
        ("file", 0o644, False),
        ("file", 0o604, False),
        ("file", 0o640, True),
        ("file", 0o641, True),
        ("folder", 0o755, False),
        ("folder", 0o705, False),
        ("folder", 0o754, True),
        ("folder", 0o751, True),
        ("folder", 0o750, True),
    ],
)
def test_root_is_needed_for_what_others_cannot_read(
    folder: Path, name: str, mode: int, *, needed: bool
) -> None:
    (folder / "file").touch()
    (folder / "folder").mkdir()
    (folder / name).chmod(mode)
    needs_root.cache_clear()
    both = str(folder), str(folder / name)
    assert needs_root(both, folders_too=False) is needed


@pytest.mark.parametrize(("mode", "needed"), [(0o711, False), (0o701, False), (0o710, True)])
def test_folders_above_matter_if_asked(mode: int, *, needed: bool) -> None:
    with TemporaryDirectory() as folder:  # that of pytest may be closed to others
        file = Path(folder) / "file"
        file.touch()
        file.parent.chmod(mode)
        needs_root.cache_clear()
        assert needs_root((str(file),), folders_too=True) is needed
        assert not needs_root((str(file),), folders_too=False)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what a process does to become another user."""
    steps: list[Any] = []

    def note(name: str) -> Any:  # noqa: ANN401 - a function
        return lambda *given: steps.append((name, *given)) or 0  # type: ignore[func-returns-value]

    for name in ("setgroups", "setresgid", "setresuid"):
        monkeypatch.setattr(os, name, note(name))
    monkeypatch.setattr(slots, "prctl", note("prctl"))
    monkeypatch.setattr(slots, "libc", SimpleNamespace(capset=note("capset")))
    return steps


BECOMES = [("setgroups", []), ("setresgid", *[60_600] * 3), ("setresuid", *[60_600] * 3)]


def test_bot_keeps_the_right_to_read_if_it_needs_it_and_no_other(
    taken: set[bytes], done: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not taken
    monkeypatch.setattr(os, "getpid", lambda: 60_600 - FIRST)
    slot = take_slot()
    slot.assume()
    assert done == BECOMES
    done.clear()
    slot.reads_any = True
    slot.assume()
    reads = 1 << 2  # CAP_DAC_READ_SEARCH, in the effective, permitted and inheritable set
    capabilities = struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", *[reads] * 3, 0, 0, 0)
    assert done == [
        ("prctl", 8, 1),  # PR_SET_KEEPCAPS
        *BECOMES,
        ("capset", *capabilities),
        ("prctl", 47, 2, 2),  # PR_CAP_AMBIENT, to raise it
    ]
