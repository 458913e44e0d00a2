"""Calls that Python lacks are made with what they are given; their errors are Python's."""

import ctypes
import errno
import os
from types import SimpleNamespace

import pytest

from arena.isolation import kernel
from arena.isolation.kernel import check, die_with_parent, prctl


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return what the kernel is asked."""
    calls: list[object] = []

    def note(option: int, *given: object) -> int:
        values = [one.value if isinstance(one, ctypes.c_ulong) else one for one in given]
        calls.append((option, *values))
        return 0

    monkeypatch.setattr(kernel, "libc", SimpleNamespace(prctl=note))
    return calls


def test_property_of_a_process_is_set_with_zeros_for_what_is_not_given(
    asked: list[object],
) -> None:
    prctl(38, 1)
    prctl(47, 2, 3, 4)
    prctl(22, 2, b"program")
    assert asked == [(38, 1, 0, 0, 0), (47, 2, 3, 4, 0), (22, 2, b"program", 0, 0)]


def test_negative_result_is_the_error_of_the_call() -> None:
    assert [check(result) for result in (0, 1)] == [0, 1]
    ctypes.set_errno(errno.EPERM)
    with pytest.raises(PermissionError) as caught:
        check(-1)
    assert caught.value.strerror == os.strerror(errno.EPERM)


def test_process_ends_with_its_parent_if_that_is_still_there(
    asked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert die_with_parent(os.getppid())
    assert not die_with_parent(os.getppid() + 1)
    assert asked == [(1, 15, 0, 0, 0)] * 2  # PR_SET_PDEATHSIG, SIGTERM
    monkeypatch.setattr(kernel, "libc", None)
    assert die_with_parent(os.getppid())
    assert len(asked) == 2
