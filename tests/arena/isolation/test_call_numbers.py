"""System calls have the numbers that libseccomp knows them by, on every machine."""

import ctypes
import re

import pytest

from arena.isolation import landlock, proc_rules, seccomp
from arena.isolation.probe import _KERNEL_CALLS

AUDIT = {"x86_64": 0xC0000000 | 62, "aarch64": 0xC0000000 | 183}
YOUNGER = {"futex_waitv"}
"""Calls that an older libseccomp does not know."""


def known(machine: str, name: str) -> int | None:
    """Return the number of a call; None where the machine has none."""
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.skip("libseccomp is not installed: apt install libseccomp2")
    audit = ctypes.c_uint32(AUDIT[machine])
    number: int = library.seccomp_syscall_resolve_name_arch(audit, name.encode())
    return number if number >= 0 else None


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_numbers_are_those_of_the_kernel(machine: str, column: int) -> None:
    tables = [text for text in vars(seccomp).values() if isinstance(text, str)]
    rows = re.findall(r"\b(\w+):(\d+):(\d+|-)(?=\s|$)", "\n".join(tables))
    given = {
        name: None if numbers[column] == "-" else int(numbers[column]) for name, *numbers in rows
    }
    assert len(given) > 150
    found = {name: known(machine, name) for name in given}
    for name in YOUNGER:
        found[name] = given[name] if found[name] is None else found[name]
    assert given == found


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_probe_tries_what_it_names(machine: str, column: int) -> None:
    given = {name: row[column] for name, row in _KERNEL_CALLS.items()}
    found = {name: known(machine, "mmap" if "mmap" in name else name) for name in given}
    assert given == found


@pytest.mark.parametrize("module", [landlock, proc_rules])
def test_rules_are_made_by_the_calls_for_them(module: object) -> None:
    for machine in AUDIT:
        for name in ("create_ruleset", "add_rule", "restrict_self"):
            assert getattr(module, f"_{name.upper()}") == known(machine, f"landlock_{name}")
