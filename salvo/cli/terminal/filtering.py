"""Makes text safe for a terminal: all that `salvo` writes to one passes here.

Records hold what bots wrote, and terminals obey what they are sent. Files and pipes get the data as
it is.
"""

import io
import re
import sys
from typing import BinaryIO, cast

import click

from arena.text import printable

_TEXT = re.compile("[^\n\t]+")
_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")


class _Terminal(io.TextIOWrapper):
    """A terminal that is sent no control characters: what is not printable is written as its code.

    A carriage return at the beginning of a write passes, since progress bars begin so; what is
    printed of a record never does.
    """

    def __init__(self, unfiltered: io.TextIOWrapper) -> None:
        self._unfiltered = unfiltered  # closes what both write to where nobody holds it any more
        super().__init__(
            unfiltered.buffer,
            encoding=unfiltered.encoding,
            errors="backslashreplace",
            line_buffering=unfiltered.line_buffering,
            write_through=unfiltered.write_through,
        )

    def write(self, text: str, /) -> int:
        bar = "\r" if text.startswith("\r") else ""
        super().write(bar + _TEXT.sub(lambda run: printable(run[0]), text[len(bar) :]))
        return len(text)

    @property
    def buffer(self) -> BinaryIO:
        return cast("BinaryIO", _Bytes(self))


class _Bytes(io.RawIOBase):
    """Takes bytes for a terminal."""

    def __init__(self, terminal: _Terminal) -> None:
        self._terminal = terminal

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self._terminal.write(data.decode("utf-8", "backslashreplace"))
        self._terminal.flush()
        return len(data)

    def flush(self) -> None:
        self._terminal.flush()


def filter_terminals() -> None:
    """Put the filter before stdout and stderr, each where it is a terminal."""
    sys.stdout = _filtered(sys.stdout)
    sys.stderr = _filtered(sys.stderr)


def _filtered(stream: object) -> "io.TextIOWrapper":
    if type(stream) is not io.TextIOWrapper or not stream.isatty():
        return cast("io.TextIOWrapper", stream)
    return _Terminal(stream)


def echo_coloured(text: str, *, err: bool = False) -> None:
    """Print a line of our own with the colours that `click.style` gave it; see `click.echo`.

    What a bot wrote must be printable in it already.
    """
    stream = sys.stderr if err else sys.stdout
    if not isinstance(stream, _Terminal):
        click.echo(text, err=err)
        return
    for number, part in enumerate(_COLOUR.split(f"{text}\n")):
        if number % 2:
            io.TextIOWrapper.write(stream, part)
        else:
            stream.write(part)
    stream.flush()
