"""Landlock rules are limited to what the running kernel supports."""

import ctypes
import os
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import landlock
from arena.isolation.landlock import OF_ITSELF, Ruleset, abi

RULES = 99
EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8


class Kernel:
    """Stands for a kernel with some version of Landlock; notes what it is asked."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.attributes: tuple[int, ...] = ()
        self.rules: dict[str, int] = {}
        self.restricted: list[int] = []
        self.result = 0

    def syscall(self, number: int, *given: Any) -> int:  # noqa: ANN401 - as C takes them
        match number, given:
            case 444, (None, size, 1):
                assert size.value == 0
                return self.version
            case 444, (bytes(data), size, 0):
                assert size.value == len(data)
                self.attributes = struct.unpack(f"={len(data) // 8}Q", data)
                return RULES
            case 445, (descriptor, 1, bytes(rule), 0):
                assert descriptor == RULES
                rights, place = struct.unpack("=Qi", rule)
                self.rules[str(Path(f"/proc/self/fd/{place}").readlink())] = rights
            case 446, (descriptor, 0):
                self.restricted.append(descriptor)
            case _:
                raise AssertionError(number, given)
        return self.result


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel(6)
    monkeypatch.setattr(landlock, "libc", SimpleNamespace(syscall=made.syscall))
    return made


@pytest.mark.parametrize(("version", "told"), [(-1, 0), (0, 0), (1, 1), (7, 7)])
def test_version_of_a_kernel_without_landlock_is_none(
    kernel: Kernel, version: int, told: int
) -> None:
    kernel.version = version
    assert abi() == told


def test_other_systems_have_no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "libc", None)
    assert abi() == 0


@pytest.mark.parametrize(
    ("version", "attributes"),
    [
        (1, (2**13 - 1,)),
        (2, (2**14 - 1,)),  # to move files to other folders
        (3, (2**15 - 1,)),  # to truncate
        (4, (2**15 - 1, 3)),  # to bind and to connect
        (5, (2**16 - 1, 3)),  # to control devices
        (6, (2**16 - 1, 3, 3)),  # abstract sockets and signals
        (7, (2**16 - 1, 3, 3)),
    ],
)
def test_all_that_a_version_knows_is_forbidden(
    kernel: Kernel, version: int, attributes: tuple[int, ...]
) -> None:
    kernel.version = version
    assert Ruleset(()).descriptor == RULES
    assert kernel.attributes == attributes
    assert kernel.rules == {}


def test_paths_are_allowed_what_they_are_for(kernel: Kernel, tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("code", "listed", "device", "file")}
    for name in ("code", "listed"):
        places[name].mkdir()
    for name in ("device", "file"):
        places[name].touch()
    code, listed, device, file = map(str, places.values())
    rules = Ruleset((code, file), (listed,), (device,))
    assert kernel.rules == {
        code: EXECUTE | READ | LIST,
        file: EXECUTE | READ,
        listed: LIST,
        device: READ | WRITE,
    }
    rules.install()
    assert kernel.restricted == [RULES]


@pytest.mark.usefixtures("kernel")
def test_process_reads_of_itself_what_there_is(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed: list[tuple[str, int]] = []

    def allow(path: str, rights: int) -> None:
        allowed.append((path, rights))
        if path.endswith("auxv"):
            raise FileNotFoundError

    rules = Ruleset(())
    monkeypatch.setattr(rules, "_allow", allow)
    rules.allow_own_entry()
    assert allowed == [(f"/proc/self/{name}", READ | LIST) for name in OF_ITSELF]
    assert kernel.rules == {}


def test_rules_that_cannot_be_made_leave_nothing_open(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed: list[int] = []
    close = os.close
    monkeypatch.setattr(os, "close", lambda number: closed.append(number) or close(number))
    monkeypatch.setattr(landlock.Ruleset, "close", lambda rules: closed.append(rules.descriptor))
    with pytest.raises(FileNotFoundError):
        Ruleset([str(tmp_path / "missing")])
    assert closed == [RULES]
    kernel.result = -1
    ctypes.set_errno(22)
    with pytest.raises(OSError, match="Invalid argument"):
        Ruleset([str(tmp_path)])
    assert len(closed) == 3
    assert closed[2] == RULES
