"""A person at a console: what is shown, and how a line, its end and Ctrl-C are read."""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator

import click
import pytest
from msgspec.structs import replace

from arena.player.person import Chart
from arena.rules import Waters, mask_of, rules_from_toml
from salvo.cli.terminal.console import READ_BYTES, Console, _paint

RULES = rules_from_toml(
    'name = "small"\nrows = 2\ncolumns = 3\nfleet = [{ name = "Short", length = 2 }]\n', ""
)


class Typist:
    """Types into a pipe, from which stdin reads."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self._patched = patched
        end, own = os.pipe()
        self.stdin = os.fdopen(end, encoding="utf-8")
        self._keys = os.fdopen(own, "w", encoding="utf-8")

    def type(self, text: str) -> Console:
        """Type something; return a console that reads it."""
        self._patched.setattr(sys, "stdin", self.stdin)
        self._keys.write(text)
        self._keys.flush()
        return Console()

    def leave(self) -> None:
        self._keys.close()


@pytest.fixture
def typist(monkeypatch: pytest.MonkeyPatch) -> Iterator[Typist]:
    typist = Typist(monkeypatch)
    yield typist
    typist.leave()
    typist.stdin.close()


def test_lines_are_read_one_by_one(typist: Typist, capsys: pytest.CaptureFixture[str]) -> None:
    console = typist.type("b7 \nc3\n\n")
    assert [console.read(f"{number}? ", None) for number in range(3)] == ["b7 ", "c3", ""]
    assert capsys.readouterr().out == "0? 1? 2? "


def test_line_may_be_longer_than_what_is_read_at_once(typist: Typist) -> None:
    line = "x" * (READ_BYTES + 1)
    assert typist.type(f"{line}\n").read("", None) == line


def test_who_closes_stdin_leaves(typist: Typist, capsys: pytest.CaptureFixture[str]) -> None:
    console = typist.type("b7\nc")
    typist.leave()
    assert console.read("? ", None) == "b7"
    for _ in range(2):
        with pytest.raises(EOFError):
            console.read("? ", None)
    assert capsys.readouterr().out == "? ? \n? \n"


def test_answer_is_waited_for_until_its_deadline(
    typist: Typist, capsys: pytest.CaptureFixture[str]
) -> None:
    console = typist.type("b7\n")
    assert console.read("? ", 0.0) == "b7"  # it was there already
    with pytest.raises(TimeoutError):
        console.read("? ", 0.0)
    assert capsys.readouterr().out == "? ? \n"


def test_ctrl_c_while_nobody_is_asked_is_kept_for_the_next_question(typist: Typist) -> None:
    before = signal.getsignal(signal.SIGINT)
    with typist.type("b7\n") as console:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(EOFError):
            console.read("? ", None)
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_while_somebody_is_asked_ends_the_question(
    typist: Typist, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_file: int, _size: int) -> bytes:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("it did not interrupt")

    with typist.type("b7\n") as console:
        monkeypatch.setattr(os, "read", interrupted)
        with pytest.raises(EOFError):
            console.read("? ", None)
        monkeypatch.undo()
    assert capsys.readouterr().out == "? \n"


@pytest.mark.parametrize(("columns", "widest"), [(50, 50), (100, 100), (101, 100)])
def test_lines_are_broken_where_the_terminal_ends_and_at_100(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, widest: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    fits = "a" * (widest - 4) + " b-c"
    Console().say(f"{fits}\n{fits}d\n\nend")
    assert capsys.readouterr().out == f"{fits}\n{'a' * (widest - 4)}\nb-cd\n\nend\n"


def test_both_sides_are_shown_above_what_the_marks_mean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for told, more in (("cells", ""), ("count", "   ? shot, result not reported")):
        chart = Chart(replace(RULES, told=told))
        chart.own = Waters((mask_of((0, 1)),), mask_of((0, 1)), mask_of((0, 5)), mask_of((0,)))
        Console().show(chart)
        assert capsys.readouterr().out.splitlines() == [
            "",
            "Yours      Theirs",
            "  1 2 3      1 2 3",
            "A X # .    A . . .",
            "B . . o    B . . .",
            f"X hit   o miss   # ship   . water{more}",
        ]


@pytest.fixture
def coloured(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Return a function that says whether marks are coloured at a terminal."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def shown() -> bool:
        chart = Chart(RULES)
        chart.placed = (1,)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", Terminal())
            Console().show(chart)
            return "\x1b[32m#" in sys.stdout.getvalue()  # type: ignore[attr-defined]

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_marks_are_coloured_at_a_terminal_unless_that_is_not_wanted(
    coloured: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert coloured()
    monkeypatch.setenv("TERM", "dumb")
    assert not coloured()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured()


@pytest.mark.parametrize(
    ("mark", "usual", "fresh"),
    [
        (".", ".", "\x1b[7m.\x1b[0m"),
        ("#", "\x1b[32m#\x1b[0m", "\x1b[32m\x1b[7m#\x1b[0m"),
        ("X", "\x1b[31m\x1b[1mX\x1b[0m", "\x1b[31m\x1b[1m\x1b[7mX\x1b[0m"),
        ("o", "\x1b[34mo\x1b[0m", "\x1b[34m\x1b[7mo\x1b[0m"),
        ("?", "\x1b[33m?\x1b[0m", "\x1b[33m\x1b[7m?\x1b[0m"),
    ],
)
def test_mark_has_its_colour_and_is_reversed_where_it_is_new(
    mark: str, usual: str, fresh: str
) -> None:
    assert _paint(mark, False) == usual  # noqa: FBT003 - as it is called
    assert _paint(mark, True) == fresh  # noqa: FBT003
    assert click.unstyle(fresh) == mark
