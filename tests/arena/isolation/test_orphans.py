"""Processes of an arena that is gone are ended by the next; those of a living one never are."""

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.isolation import Level, Program
from arena.isolation.orphans import end_abandoned

PATIENCE_S = 25.0

ARENA = """
import os, sys
from arena.isolation import Level, Program, start
level, script, folder = sys.argv[1:]
argv = (sys.executable, "-P", script)
bot = start(Level(level), Program(argv, folder, (script,), processes=True))
os.set_blocking(bot.stdout, True)
print(os.read(bot.stdout, 100).decode(), end="", flush=True)
sys.stdin.read()
bot.close_stdin()
bot.wait(25)
print(bot.status(), flush=True)
bot.kill()
"""
"""Starts a bot, passes on the first line that it says, and tells at the end how it ended."""

FORGES = """
import ctypes, os, sys, time
def forge():
    for place in ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ"):
        text = ctypes.string_at(place)
        if text.startswith(b"SALVO_BOX="):
            # Its arena is said to have begun at another time: it is gone, and its id used again.
            head, began, bot = text.rsplit(b"-", 2)
            forged = b"-".join([head, b"7" * len(began), bot])
            ctypes.memmove(place, forged, len(forged))
            return
"""
ITSELF = f"{FORGES}forge()\nprint(os.getpid(), flush=True)\nsys.stdin.read()\n"
ADOPTED = f"""{FORGES}
if os.fork() == 0:
    parent = os.getpid()
    if os.fork():
        os._exit(0)
    os.setsid()
    forge()
    while os.getppid() == parent:
        time.sleep(0.01)
    print(os.getpid(), flush=True)
    time.sleep(600)
sys.stdin.read()
"""
LEAVES_ONE_BEHIND = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    print(os.getpid(), flush=True)
    time.sleep(600)
sys.stdin.read()
"""

Arena = subprocess.Popen[str]
Begin = Callable[[Level, str], Arena]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="marks are read in /proc")


@pytest.fixture
def begin(program: Callable[[str], Program]) -> Iterator[Begin]:
    """Start an arena in a process of its own, with one bot."""
    with contextlib.ExitStack() as stack:

        def run(level: Level, code: str) -> Arena:
            bot = program(code)
            command = [sys.executable, "-c", ARENA, level.value, *bot.files, bot.folder]
            arena = stack.enter_context(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/"
                )
            )
            stack.callback(arena.kill)
            return arena

        yield run


def line_of(arena: Arena) -> str:
    assert arena.stdout is not None
    assert select.select([arena.stdout], [], [], PATIENCE_S)[0]
    return arena.stdout.readline().strip()


def runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return False


def another_arena_starts() -> None:
    end_abandoned.cache_clear()
    end_abandoned()


def test_bot_that_forges_its_mark_is_not_ended_by_another_arena(level: Level, begin: Begin) -> None:
    arena = begin(level, ITSELF)
    assert line_of(arena)
    another_arena_starts()
    assert arena.stdin is not None
    assert arena.stdout is not None
    arena.stdin.close()
    assert arena.stdout.read() == "exited with code 0\n"


@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS], indirect=True)
def test_what_a_bot_hands_to_its_arena_with_a_forged_mark_is_not_ended_by_another(
    level: Level, begin: Begin
) -> None:
    stray = int(line_of(begin(level, ADOPTED)))
    another_arena_starts()
    time.sleep(0.1)
    assert runs(stray)
    os.kill(stray, 9)


@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS], indirect=True)
def test_what_an_arena_left_behind_that_was_killed_is_ended_by_the_next(
    level: Level, begin: Begin
) -> None:
    arena = begin(level, LEAVES_ONE_BEHIND)
    stray = int(line_of(arena))
    another_arena_starts()
    assert runs(stray)
    arena.kill()
    arena.wait()
    deadline = time.monotonic() + PATIENCE_S
    while runs(stray):
        assert time.monotonic() < deadline
        another_arena_starts()  # while the arena ends, it is not gone yet
        time.sleep(0.01)
