"""At a terminal a table fills while games come in: real terminals, drawn by an emulator."""

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pyte
import pytest

WAITS = """
import pathlib
import time

from arena import Bot, run

HERE = pathlib.Path(FOLDER)
START = len(list(HERE.glob("start*")))
(HERE / f"start{START}").touch()


class Waits(Bot):
    def choose_shots(self, count):
        while START and not (HERE / f"go{START}").exists():
            time.sleep(0.01)
        return self.untried[:count]


run(Waits)
"""
"""Introduces itself at once, and plays each block once there is a file for it: `go1`, `go2`."""

MATCH = (
    *("match", "waits.py", "uniform_random", "--games", "40", "--rules", "ramesh-1"),
    *("--isolation", "none", "--workers", "1", "--move-time", "600", "--game-time", "6000"),
    *("--shard", "1/1"),
)
"""A shard prints no tables at its end, for which most of a small match's time goes."""

HEADS = "bot, so far"
PATIENCE_S = 120
ROWS, COLUMNS = 24, 80


class Terminal:
    """A program at a terminal, and what the terminal shows."""

    def __init__(self, folder: Path, command: list[str], rows: int, **variables: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        self.program = pexpect.spawn(
            command[0],
            command[1:],
            cwd=str(folder),
            dimensions=(rows, COLUMNS),
            env=environment | {"TERM": "xterm"} | variables,
        )
        self.screen = pyte.HistoryScreen(COLUMNS, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.sent = b""

    def _read(self) -> None:
        try:
            data = self.program.read_nonblocking(65536, timeout=0.1)
        except pexpect.TIMEOUT:
            return
        self.sent += data
        self._stream.feed(data)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def all_lines(self) -> list[str]:
        """The lines that were scrolled out at the top, and those on the screen."""
        gone = ["".join(row[x].data for x in range(COLUMNS)) for row in self.screen.history.top]
        return [*(line.rstrip() for line in gone), *self.lines]

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not any(text in line for line in self.lines):
            assert time.monotonic() < deadline, self.lines
            self._read()

    def resize(self, rows: int, columns: int) -> None:
        self.program.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def end(self) -> int | None:
        deadline = time.monotonic() + PATIENCE_S
        try:
            while time.monotonic() < deadline:
                self._read()
        except pexpect.EOF:
            self.program.close()
        return self.program.exitstatus


Begin = Callable[..., Terminal]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Return a function that begins a command at a terminal."""
    (tmp_path / "waits.py").write_text(f"FOLDER = {str(tmp_path)!r}\n{WAITS}")
    begun = []

    def begin(*words: str, rows: int = ROWS, **variables: str) -> Terminal:
        command = [sys.executable, "-m", "salvo", *words]
        terminal = Terminal(tmp_path, command, rows, **variables)
        begun.append(terminal)
        return terminal

    yield begin
    for terminal in begun:
        terminal.program.close(force=True)


@pytest.fixture
def half_way(begin: Begin, tmp_path: Path) -> Callable[..., Terminal]:
    """Return a function that begins a match of which one block is played and one waits."""

    def play(**options: Any) -> Terminal:  # noqa: ANN401 - those of `begin`
        terminal = begin(*MATCH, **options)
        terminal.wait_for("0/40")
        time.sleep(1)  # the next drawing may follow a hundredth of that after the first
        (tmp_path / "go1").touch()
        terminal.wait_for("20/40")
        return terminal

    return play


def test_table_fills_while_games_come_in_and_is_gone_at_the_end(
    half_way: Callable[..., Terminal], tmp_path: Path
) -> None:
    terminal = half_way()
    [heads] = [line for line in terminal.lines if HEADS in line]
    assert heads.split() == ["#", "bot,", "so", "far", "won", "lost", "share"]
    rows = terminal.lines[terminal.lines.index(heads) + 1 :][:2]
    assert {row.split()[1] for row in rows} == {"waits", "uniform_random"}
    assert sum(int(row.split()[2]) for row in rows) == 20
    (tmp_path / "go2").touch()
    assert terminal.end() == 0
    assert not any(HEADS in line or "/40 [" in line for line in terminal.all_lines)
    assert any("its 40 games are in salvo" in line for line in terminal.all_lines)


def test_what_is_printed_at_the_end_is_the_same_without_a_terminal(
    salvo: Callable[..., Any], tmp_path: Path
) -> None:
    match = ("match", "stupid", "uniform_random", "--games", "20", "--rules", "ramesh-1")
    plain = salvo(*match, "--isolation", "none", "--db", "plain.sqlite3")
    words = [sys.executable, "-m", "salvo", *match, "--isolation", "none"]
    terminal = Terminal(tmp_path, ["sh", "-c", f"{shlex.join(words)} > printed"], ROWS)
    assert terminal.end() == 0
    assert (tmp_path / "printed").read_text() == plain.out
    assert b"/20 [" in terminal.sent
    seen = [line for line in terminal.all_lines if line]
    assert seen == plain.err.replace("plain.sqlite3", "salvo.sqlite3").splitlines()


def test_run_that_goes_on_counts_what_is_in_the_record(begin: Begin, tmp_path: Path) -> None:
    (tmp_path / "start0").touch()
    for go in ("go1", "go2", "go3"):
        (tmp_path / go).touch()
    assert begin(*MATCH).end() == 0
    for go in tmp_path.glob("go*"):
        go.unlink()
    longer = begin(*("60" if word == "40" else word for word in MATCH))
    longer.wait_for("40/60")
    rows = [line.split() for line in longer.lines if line.endswith("%")]
    assert sum(int(row[2]) for row in rows) == 40


@pytest.mark.parametrize(("rows", "later"), [(2, (40, 120)), (4, (3, 20))])
def test_small_terminal_shows_what_fits_and_may_change_its_size(
    half_way: Callable[..., Terminal], tmp_path: Path, rows: int, later: tuple[int, int]
) -> None:
    terminal = half_way(rows=rows)
    assert any("20/40" in line for line in terminal.lines)
    assert any(HEADS in line for line in terminal.lines) == (rows > 2)
    terminal.resize(*later)
    (tmp_path / "go2").touch()
    assert terminal.end() == 0
    assert b"salvo merge" in terminal.sent
    assert terminal.sent.count(b"\x1b[?7l") == terminal.sent.count(b"\x1b[?7h") > 0


def test_first_ctrl_c_erases_the_table_and_says_what_it_does(
    half_way: Callable[..., Terminal], tmp_path: Path
) -> None:
    terminal = half_way()
    terminal.program.sendintr()
    terminal.wait_for("finished first")
    assert not any(HEADS in line for line in terminal.lines)
    (tmp_path / "go2").touch()
    assert terminal.end() == 0  # all was played
    assert not any(HEADS in line for line in terminal.all_lines)


def test_second_ctrl_c_leaves_the_terminal_as_it_was(half_way: Callable[..., Terminal]) -> None:
    terminal = half_way()
    terminal.program.sendintr()
    terminal.wait_for("finished first")
    terminal.program.sendintr()
    assert terminal.end() == 128 + signal.SIGINT
    assert any("stopped after 20 of 40 games" in line for line in terminal.all_lines)
    assert terminal.sent.count(b"\x1b[?7l") == terminal.sent.count(b"\x1b[?7h")


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"CI": "true"}])
def test_where_lines_cannot_be_drawn_again_there_is_one_without_escape_codes(
    half_way: Callable[..., Terminal], tmp_path: Path, variables: dict[str, str]
) -> None:
    terminal = half_way(**variables)
    assert not any(HEADS in line for line in terminal.lines)
    (tmp_path / "go2").touch()
    assert terminal.end() == 0
    assert b"\x1b" not in terminal.sent
    assert not any("/40 [" in line for line in terminal.all_lines)
