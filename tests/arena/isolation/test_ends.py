"""Bots report how they ended: killed from outside, or by its own doing."""

import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.isolation import Child, Level, Program

WAITS = "print(flush=True); input()"
COMPUTES = """
import time
while time.process_time() < 0.15:
    pass
print(flush=True)
time.sleep(600)
"""
PATIENCE_S = 20.0

UNDER_A_LIMIT_OF_PROCESSOR_TIME = """
import os, resource, signal, sys
from arena.isolation import Level, Program, start
resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
child = start(Level.NONE, Program((sys.executable, "-c", "input()"), "/", ()))
os.kill(child.pid, signal.SIGKILL)
child.wait(10)
print(child.status(), child.was_killed())
"""

TERMINATED_WHILE_IT_FORKS = """
import os, signal, sys
from arena.isolation import Level, Program, start
signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit(3))
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGTERM))
start(Level.LIMITS, Program((sys.executable, "-c", "input()"), "/", ()))
"""

Start = Callable[[Level, Program], Child]
Make = Callable[..., Program]


def ready(child: Child) -> int:
    """Return the id of a bot that has begun."""
    assert select.select([child.stdout], [], [], PATIENCE_S)[0]
    assert os.read(child.stdout, 100) == b"\n"
    pid = child.bot_pid
    assert pid is not None
    return pid


def test_kill_from_outside_is_recognized(level: Level, started: Start, program: Make) -> None:
    child = started(level, program(WAITS))
    os.kill(ready(child), signal.SIGKILL)
    child.wait(PATIENCE_S)
    assert child.status() == "was killed by SIGKILL"
    assert child.was_killed()


def test_end_by_another_signal_is_no_kill_from_outside(
    level: Level, started: Start, program: Make
) -> None:
    child = started(level, program(WAITS))
    os.kill(ready(child), signal.SIGTERM)
    child.wait(PATIENCE_S)
    assert not child.was_killed()


def test_kill_where_processor_time_is_limited_is_taken_as_for_that() -> None:
    told = subprocess.run(
        [sys.executable, "-c", UNDER_A_LIMIT_OF_PROCESSOR_TIME],
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout == "was killed by SIGKILL False\n"


def test_arena_that_is_terminated_while_it_starts_a_bot_ends() -> None:
    told = subprocess.run([sys.executable, "-c", TERMINATED_WHILE_IT_FORKS], check=False)
    assert told.returncode == 3


def test_bots_are_ended_before_the_arena_when_memory_runs_out(
    level: Level, started: Start, program: Make
) -> None:
    pid = ready(started(level, program(WAITS)))
    adjusted = Path(f"/proc/{pid}/oom_score_adj")
    if not adjusted.exists():
        pytest.skip("this system ends processes as it likes")
    assert adjusted.read_text("ascii") == "1000\n"


def test_processor_time_of_a_bot_that_is_ended_is_counted(
    level: Level,
    started: Start,
    program: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.isolation.child.BOX_ENDS_S", PATIENCE_S)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bot = started(level, program(COMPUTES))
    assert select.select([bot.stdout], [], [], PATIENCE_S)[0]
    bot.kill()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime > 0.14
