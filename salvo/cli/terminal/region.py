"""Draws lines at the bottom of a terminal, over and over in the same place."""

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import click
from tqdm.utils import disp_len, disp_trim

from arena.text import printable

_UP = "\x1b[A"
_CLEAR_LINE, _CLEAR_BELOW = "\x1b[K", "\x1b[J"
_WRAP_OFF, _WRAP_ON = "\x1b[?7l", "\x1b[?7h"
_USUAL_SIZE = os.terminal_size((80, 24))


class Region:
    """Lines at the bottom of the terminal of stderr, and messages above them.

    In a ``with`` statement; at its end the lines are erased.

    Where stderr is no terminal nothing is drawn, and messages are printed as they are. A terminal
    without escape codes (``TERM=dumb``), and one of a CI job, gets the first line alone.

    Lines are written by system calls and not through ``sys.stderr``, so that a signal handler can
    erase them.
    """

    def __init__(self) -> None:
        self.shows = sys.stderr.isatty()
        self._single = os.environ.get("TERM", "dumb") == "dumb" or bool(os.environ.get("CI"))
        # Logs of workers arrive in a thread of their own.
        self._lock = threading.RLock()
        self._lines: Sequence[str] = ()
        self._widths: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.erase()

    @property
    def width(self) -> int:
        """The most columns that a line may have."""
        return _size().columns - 1

    @property
    def height(self) -> int:
        """The most lines that are drawn."""
        return 1 if self._single else max(1, _size().lines - 1)

    def draw(self, lines: Sequence[str]) -> None:
        """Draw lines in place of the ones before; what does not fit the terminal is cut off."""
        if not self.shows:
            return
        with self._lock:
            fitting = [disp_trim(printable(line), self.width) for line in lines[: self.height]]
            widths = [disp_len(line) for line in fitting]
            if self._single:
                text = "\r" + "".join(fitting).ljust(max(self._widths, default=0))
            else:
                rows = f"{_CLEAR_LINE}\n".join(fitting)
                text = f"{_WRAP_OFF}{self._back()}{rows}{_CLEAR_BELOW}{_WRAP_ON}"
            _write(text)
            self._lines, self._widths = lines, widths

    def erase(self) -> None:
        """Erase what is drawn; a signal handler may call this."""
        with self._lock:
            if self._widths:
                blank = " " * max(self._widths)
                _write(f"\r{blank}\r" if self._single else f"{self._back()}{_CLEAR_BELOW}")
            self._widths = []

    def say(self, text: str) -> None:
        """Print a message above the lines."""
        with self._lock:
            drawn = bool(self._widths)
            self.erase()
            click.echo(text, err=True)
            if drawn:
                self.draw(self._lines)

    def _back(self) -> str:
        """Return what moves the cursor to the beginning of the region."""
        if not self._widths:
            return "\r"
        size = _size()
        if max(self._widths) >= size.columns:
            # Terminals differ in what they do to lines that were wider than they now are: to
            # overwrite nothing else, the region begins again below.
            return "\n"
        return "\r" + _UP * (min(len(self._widths), size.lines) - 1)


def _size() -> os.terminal_size:
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return _USUAL_SIZE
    return size if size.columns and size.lines else _USUAL_SIZE


def _write(text: str) -> None:
    data = text.encode(sys.stderr.encoding or "utf-8", "backslashreplace")
    # A terminal that is gone ends no run.
    with suppress(OSError):
        while data:
            data = data[os.write(sys.stderr.fileno(), data) :]
