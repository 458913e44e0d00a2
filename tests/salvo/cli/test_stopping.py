"""Ctrl-C, and runs too long to end: real processes and real signals."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from salvo.cli.runs.running import repeated

WAITS = """
import pathlib
import time

from arena import Bot, run

HERE = pathlib.Path(FOLDER)
START = len(list(HERE.glob("start*")))
(HERE / f"start{START}").touch()


class Waits(Bot):
    def choose_shots(self, count):
        while START == 2 and not (HERE / "go").exists():
            time.sleep(0.01)
        return self.untried[:count]


run(Waits)
"""
"""Plays its introduction and its first block at once, and the second once there is a file `go`."""

LAYOUTS = 4000
QUICK = ("--rules", "ramesh-1", "--isolation", "none", "--workers", "1")
SHARD = ("--shard", "1/1")
"""Prints no tables at its end, for which most of a small match's time goes."""
UNHURRIED = ("--move-time", "600", "--game-time", "6000")
PATIENCE_S = 120


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def read_until(stderr: IO[str], pattern: str) -> str:
    """Return what a process says until a line that has a pattern."""
    said = ""
    for line in stderr:
        said += line
        if re.search(pattern, line):
            return said
    raise AssertionError(said)


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Return a function that begins a command in a session of its own, as a terminal does."""
    processes = []

    def begin(*words: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "salvo", *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture
def waiting(
    begun: Callable[..., "subprocess.Popen[str]"], salvo: Callable[..., Any], tmp_path: Path
) -> "subprocess.Popen[str]":
    """Return a run of which one block is in the record, and another is in play and waits."""
    (tmp_path / "waits.py").write_text(f"FOLDER = {str(tmp_path)!r}\n{WAITS}")
    process = begun("solo", "waits.py", *QUICK, "--layouts", str(LAYOUTS), *UNHURRIED)
    wait_for((tmp_path / "start2").exists)
    wait_for(lambda: salvo("games", "--format", "csv").out.count(",sunk,") == 50)
    return process


def test_first_ctrl_c_lets_the_games_in_play_finish(
    waiting: "subprocess.Popen[str]", salvo: Callable[..., Any], tmp_path: Path
) -> None:
    assert waiting.stderr is not None
    os.killpg(waiting.pid, signal.SIGINT)
    said = read_until(waiting.stderr, "finished first")
    assert re.search(r"in about \d+ \w+ at most; Ctrl-C again stops at once", said)
    (tmp_path / "go").touch()
    out, err = waiting.communicate(timeout=PATIENCE_S)
    assert (waiting.returncode, out) == (130, "")
    assert "stopped after 100 of 4,000 games, which are safe in salvo.sqlite3; `salvo solo " in err
    assert salvo("games", "--format", "csv").out.count(",sunk,") == 100


def test_a_long_command_is_not_repeated_word_by_word() -> None:
    assert repeated(["solo", "my bot.py"]) == "`salvo solo 'my bot.py'`"
    assert repeated(["solo", *(f"bots/{number}.py" for number in range(1415))]) == (
        "the same command"
    )


def test_second_ctrl_c_stops_at_once(
    waiting: "subprocess.Popen[str]", salvo: Callable[..., Any]
) -> None:
    assert waiting.stderr is not None
    os.killpg(waiting.pid, signal.SIGINT)
    read_until(waiting.stderr, "finished first")
    os.killpg(waiting.pid, signal.SIGINT)
    out, err = waiting.communicate(timeout=PATIENCE_S)
    assert (waiting.returncode, out) == (130, "")
    assert "stopped after 50 of 4,000 games" in err
    assert "Traceback" not in err
    assert salvo("games", "--format", "csv").out.count(",sunk,") == 50


def test_command_that_is_named_goes_on_from_there(
    waiting: "subprocess.Popen[str]", salvo: Callable[..., Any], tmp_path: Path
) -> None:
    assert waiting.stderr is not None
    (tmp_path / "go").touch()
    os.killpg(waiting.pid, signal.SIGINT)
    _, err = waiting.communicate(timeout=PATIENCE_S)
    [named] = re.findall(r"`salvo (.*)` goes on", err)
    done = salvo("games", "--format", "csv").out.count(",sunk,")
    words = named.replace(str(LAYOUTS), str(done + 50)).split()
    ran = salvo(*words)
    assert ran.code == 0
    assert f"50 games to play, beside {done} in salvo.sqlite3" in ran.err


def test_ctrl_c_that_a_shell_has_ignored_stays_ignored(
    begun: Callable[..., "subprocess.Popen[str]"],
) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = begun("match", "stupid", "uniform_random", *QUICK, "--games", "60", *SHARD)
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.stderr is not None
    read_until(process.stderr, "games to play")
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert "finished first" not in err


def test_run_without_end_says_what_it_takes_and_begins(
    begun: Callable[..., "subprocess.Popen[str]"], salvo: Callable[..., Any]
) -> None:
    process = begun("match", "stupid", "uniform_random", *QUICK, "--games", str(10**12))
    assert process.stderr is not None
    assert read_until(process.stderr, "to play") == "salvo: 1,000,000,000,000 games to play\n"
    said = read_until(process.stderr, "take about")
    assert re.search(r"the first \d+ games say that the other [\d,]+ take about [\d,]+ years", said)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        read_until(process.stderr, "finished first|stopped after")
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert salvo("games", "--format", "csv").out.count(",sunk,") >= 20


def test_ctrl_c_that_comes_in_a_callback_of_weakref_ends_a_command() -> None:
    # What such a callback raises, Python prints and drops.
    code = """if True:
        import os, signal, time, weakref
        import click
        from salvo.cli.main import run

        class Thing:
            pass

        def interrupted(_):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

        @click.command()
        def waits():
            thing = Thing()
            ref = weakref.ref(thing, interrupted)
            del thing
            time.sleep(600)

        run(waits, "salvo")
    """
    ended = subprocess.run(
        (sys.executable, "-c", code), capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr.strip()) == (130, "salvo: stopped")
