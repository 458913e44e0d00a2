"""Lines at the bottom of a terminal: what is written to draw, erase and draw them again."""

import io
import os
import sys
from collections.abc import Iterator

import pytest

from salvo.cli.terminal.region import Region

OFF, ON, UP = "\x1b[?7l", "\x1b[?7h", "\x1b[A"
LINE, BELOW = "\x1b[K\n", "\x1b[J"


class Terminal(io.TextIOWrapper):
    """A terminal of 5 rows and 20 columns, which notes what it is sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patched = monkeypatch
        self._end, own = os.pipe()
        os.set_blocking(self._end, False)
        super().__init__(os.fdopen(own, "wb"), encoding="utf-8", write_through=True)
        self.resize(5, 20)

    def isatty(self) -> bool:
        return True

    def resize(self, rows: int, columns: int) -> None:
        size = os.terminal_size((columns, rows))
        self._patched.setattr(os, "get_terminal_size", lambda _: size)

    def region(self) -> Region:
        """Return a region of it, which is stderr from now on."""
        self._patched.setattr(sys, "stderr", self)
        return Region()

    def sent(self) -> str:
        """Return what was written since it was last asked."""
        try:
            return os.read(self._end, 65_536).decode()
        except BlockingIOError:
            return ""

    def close(self) -> None:
        super().close()
        os.close(self._end)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)
    with Terminal(monkeypatch) as terminal:
        yield terminal


def test_last_row_and_column_are_left_free(terminal: Terminal) -> None:
    region = terminal.region()
    assert (region.shows, region.height, region.width) == (True, 4, 19)
    terminal.resize(1, 30)
    assert (region.height, region.width) == (1, 29)


def test_lines_are_drawn_over_those_before_and_erased(terminal: Terminal) -> None:
    with terminal.region() as region:
        region.draw(["one", "two", "three"])
        assert terminal.sent() == f"{OFF}\rone{LINE}two{LINE}three{BELOW}{ON}"
        region.draw(["four", "five"])
        assert terminal.sent() == f"{OFF}\r{UP}{UP}four{LINE}five{BELOW}{ON}"
    assert terminal.sent() == f"\r{UP}{BELOW}"
    region.erase()
    assert terminal.sent() == ""


def test_what_does_not_fit_is_cut_off(terminal: Terminal) -> None:
    terminal.region().draw(["a" * 19, "b" * 20, "\x1b[2J", "four", "five"])
    lines = ["a" * 19, "b" * 19, "\\x1b[2J", "four"]
    assert terminal.sent() == f"{OFF}\r{LINE.join(lines)}{BELOW}{ON}"


def test_message_stands_above_lines_that_are_drawn_again(terminal: Terminal) -> None:
    region = terminal.region()
    region.say("begun")
    assert terminal.sent() == "begun\n"
    region.draw(["one", "two"])
    terminal.sent()
    region.say("note")
    assert terminal.sent() == f"\r{UP}{BELOW}note\n{OFF}\rone{LINE}two{BELOW}{ON}"


def test_lines_wider_than_the_terminal_now_is_are_left_above(terminal: Terminal) -> None:
    region = terminal.region()
    region.draw(["0123456789", "one"])
    terminal.resize(5, 11)
    terminal.sent()
    region.draw(["two"])
    assert terminal.sent() == f"{OFF}\r{UP}two{BELOW}{ON}"
    region.draw(["0123456789"])
    terminal.resize(5, 10)
    terminal.sent()
    region.draw(["two"])
    assert terminal.sent() == f"{OFF}\ntwo{BELOW}{ON}"


def test_lines_that_were_scrolled_out_are_not_gone_back_to(terminal: Terminal) -> None:
    region = terminal.region()
    region.draw(["1", "2", "3", "4"])
    terminal.resize(2, 20)
    terminal.sent()
    region.draw(["5"])
    assert terminal.sent() == f"{OFF}\r{UP}5{BELOW}{ON}"


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("CI", "1"), ("TERM", None)])
def test_terminal_without_escape_codes_has_one_line(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, name: str, value: str | None
) -> None:
    if value is None:
        monkeypatch.delenv(name)
    else:
        monkeypatch.setenv(name, value)
    region = terminal.region()
    assert region.height == 1
    region.draw(["longer", "two"])
    region.draw(["one"])
    assert terminal.sent() == "\rlonger\rone   "
    region.erase()
    assert terminal.sent() == "\r   \r"


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (0, 50), (50, 0)])
def test_terminal_that_does_not_know_its_size_has_the_usual_one(
    terminal: Terminal, rows: int, columns: int
) -> None:
    terminal.resize(rows, columns)
    region = terminal.region()
    assert (region.height, region.width) == (23, 79)


def test_without_a_terminal_messages_are_printed_and_nothing_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    with Region() as region:
        assert (region.shows, region.width) == (False, 79)
        region.draw(["one"])
        region.say("note")
        region.draw(["two"])
    assert stderr.getvalue() == "note\n"
