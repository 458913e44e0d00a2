"""Bots for the tests of isolation, and what becomes of them."""

import contextlib
import os
import select
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.isolation import Child, Level, Program, start

PATIENCE_S = 25.0
"""After this a test has failed; bots that stay do so for longer."""


@dataclass
class Ended:
    """A bot that has ended: how, and what it said."""

    status: str
    said: str
    complained: str


@pytest.fixture(params=list(Level))
def level(request: pytest.FixtureRequest) -> Level:
    """Every level in turn."""
    name: Level = request.param
    require(name)
    return name


def require(level: Level) -> None:
    """Skip where a level is not available; a missing bubblewrap fails where everything must run."""
    if level in {Level.LITE, Level.SANDBOX} and sys.platform != "linux":
        pytest.skip("levels with walls are Linux's")
    if level is Level.SANDBOX and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")


@pytest.fixture
def needs() -> Callable[[Level], None]:
    """Return what skips a test where a level is not available."""
    return require


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a bot, which others may enter as they may a bot's that is not root's."""
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(0o755)
    return tmp_path


@pytest.fixture
def program(folder: Path) -> Callable[..., Program]:
    """Make a program of the code of a bot in Python."""

    def make(code: str, **settings: int) -> Program:
        script = folder / "bot_of_a_test.py"
        script.write_text(code, encoding="utf-8")
        return Program(
            argv=(sys.executable, "-P", str(script)),
            folder=str(folder),
            files=(str(script),),
            **settings,
        )

    return make


@pytest.fixture
def started() -> Iterator[Callable[[Level, Program], Child]]:
    """Start bots that are ended with the test."""
    with contextlib.ExitStack() as stack:

        def begin(level: Level, program: Program) -> Child:
            child = start(level, program)
            stack.callback(child.kill)
            return child

        yield begin


@pytest.fixture
def play(program: Callable[..., Program]) -> Callable[..., Ended]:
    """Run the code of a bot, or a program, to its end."""

    def run(level: Level, what: str | Program, **settings: int) -> Ended:
        child = start(level, what if isinstance(what, Program) else program(what, **settings))
        try:
            said, complained = hear(child)
            child.wait(PATIENCE_S)
            return Ended(child.status() or "runs on", said, complained)
        finally:
            child.kill()

    return run


def hear(child: Child) -> tuple[str, str]:
    """Return all that a bot says until it ends."""
    words = {child.stdout: b"", child.stderr: b""}
    still = set(words)
    deadline = time.monotonic() + PATIENCE_S
    while still and (left := deadline - time.monotonic()) > 0:
        for descriptor in select.select(list(still), [], [], left)[0]:
            data = os.read(descriptor, 65_536)
            words[descriptor] += data
            if not data:
                still.discard(descriptor)
    said, complained = words.values()
    return said.decode(), complained.decode()
