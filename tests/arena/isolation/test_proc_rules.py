"""The rules by which a bot is kept from most of /proc."""

import ctypes
import os
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import proc_rules

RULES = 99


class Executed(Exception):  # noqa: N818 - no error
    pass


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what the program asks of the kernel: paths with rights, and other calls."""
    asked: list[Any] = []

    def syscall(number: ctypes.c_long, *given: Any) -> int:  # noqa: ANN401 - as C takes them
        values = [one if isinstance(one, bytes) else one.value for one in given]
        match number.value, values:
            case 444, [bytes(data), 8, 0]:
                asked.append(struct.unpack("=Q", data)[0])
                return RULES
            case 445, [99, 1, bytes(rule), 0]:
                rights, place = struct.unpack("=Qi", rule)
                asked.append((str(Path(f"/proc/self/fd/{place}").readlink()), rights))
            case 446, [99, 0]:
                asked.append("restricted")
            case _:
                raise AssertionError(number, values)
        return 0

    def execute(path: str, command: list[str]) -> None:
        asked.append((path, command))
        raise Executed

    signals = SimpleNamespace(signal=lambda *given: asked.append(given), syscall=syscall)
    monkeypatch.setattr(proc_rules, "_libc", signals)
    monkeypatch.setattr(os, "execv", execute)
    return asked


def test_rules_are_for_all_but_proc_and_for_what_is_named_there(
    done: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    names = os.listdir
    root = ["etc", "proc"]
    monkeypatch.setattr(os, "listdir", lambda place: root if place == "/" else names(place))
    command = ["/bin/bot", "--", "x"]
    missing = str(tmp_path / "missing")
    monkeypatch.setattr(sys, "argv", ["rules", "8206", str(file), missing, "--", *command])
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(Executed):
        proc_rules.main()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert done == [
        8206,
        ("/etc", 8206),
        (str(file), 6),  # reading and writing: the others are rights to folders
        "restricted",
        *((13, None), (25, None)),
        ("/bin/bot", command),
    ]


def test_kernel_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object) -> int:
        ctypes.set_errno(1)
        return -1

    monkeypatch.setattr(proc_rules, "_libc", SimpleNamespace(syscall=refuse))
    with pytest.raises(PermissionError, match="Landlock: Operation not permitted"):
        proc_rules._call(446, RULES, 0)
    monkeypatch.setattr(proc_rules, "_libc", SimpleNamespace(syscall=lambda *_: 0))
    assert proc_rules._call(446, RULES, 0) == 0
