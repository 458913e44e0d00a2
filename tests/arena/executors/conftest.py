"""Processes to be started, interrupted and looked for."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("playing.py")

Playing = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Playing]:
    """Return a function that starts ``playing.py`` in a process group of its own."""
    with contextlib.ExitStack() as stack:

        def start(
            method: str, workers: int, play: str, folder: Path = tmp_path
        ) -> "subprocess.Popen[str]":
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, PROGRAM, method, str(workers), play, folder],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
            )
            stack.callback(process.kill)
            return process

        yield start


def _running(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


@pytest.fixture
def gone_within() -> Callable[[str, float], bool]:
    """Return a function that tells whether no process with a mark in its command is left soon."""

    def wait(mark: str, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while _running(mark) and time.monotonic() < deadline:
            time.sleep(0.02)
        return not _running(mark)

    return wait


@pytest.fixture
def wait_for() -> Callable[[Callable[[], bool]], None]:
    """Return a function that waits until something is so."""

    def wait(is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not is_so():
            assert time.monotonic() < deadline, "it never came to be"
            time.sleep(0.02)

    return wait
