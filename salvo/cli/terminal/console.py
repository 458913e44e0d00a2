"""Asks and answers a person who plays at the terminal."""

import os
import select
import shutil
import signal
import sys
import textwrap
import time
from types import FrameType
from typing import Self

import click

from arena.player.person import Chart
from salvo.cli.terminal.filtering import echo_coloured
from salvo.reports.words.board_text import HIT, LEGEND, MISS, SHIP, UNTOLD, WATER, draw_chart

READ_BYTES = 4096
_WIDEST = 100
_COLOURS = {SHIP: "green", HIT: "red", MISS: "blue", UNTOLD: "yellow", WATER: None}
_UNTOLD = "   ? shot, result not reported"


class Console:
    """Stdin and stdout; see ``arena.player.person.Terminal``.

    In a ``with`` statement, Ctrl-C while nobody is being asked is kept for the next question and
    means leaving: the game ends properly, and not in the middle of the opponent's answer.
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._asking = self._leaving = False
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self._colour = sys.stdout.isatty() and not plain

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *_: object) -> None:
        """Restore what Ctrl-C did before."""
        signal.signal(signal.SIGINT, self._before)

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        self._leaving = True
        if self._asking:
            raise KeyboardInterrupt

    def say(self, text: str) -> None:
        """Show a paragraph, its lines broken where the terminal ends."""
        width = self._width()
        for line in text.split("\n"):
            click.echo(textwrap.fill(line, width, break_on_hyphens=False))

    def show(self, chart: Chart) -> None:
        """Show both sides of the board."""
        lines = draw_chart(chart, self._width(), _paint if self._colour else None)
        untold = _UNTOLD if chart.rules.told != "cells" else ""
        echo_coloured("\n".join(["", *lines, f"{LEGEND}{untold}"]))

    def read(self, prompt: str, deadline: float | None) -> str:
        """Return a line; Ctrl-C and Ctrl-D leave."""
        click.echo(prompt, nl=False)
        try:
            self._asking = True
            while not self._leaving and b"\n" not in self._buffer:
                self._wait(deadline)
                data = os.read(sys.stdin.fileno(), READ_BYTES)
                self._buffer += data
                self._leaving = not data
        except KeyboardInterrupt:
            self._leaving = True
        finally:
            self._asking = False
        if self._leaving:
            click.echo()
            raise EOFError
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _wait(self, deadline: float | None) -> None:
        if deadline is None:
            return
        left_s = max(0.0, deadline - time.monotonic())
        if not select.select([sys.stdin], [], [], left_s)[0]:
            click.echo()
            raise TimeoutError

    def _width(self) -> int:
        return min(shutil.get_terminal_size().columns, _WIDEST)


def _paint(mark: str, fresh: bool) -> str:  # noqa: FBT001 - see ``salvo.reports.words.board_text.Paint``
    if mark == WATER and not fresh:
        return mark
    return click.style(mark, fg=_COLOURS[mark], bold=mark == HIT or None, reverse=fresh or None)
