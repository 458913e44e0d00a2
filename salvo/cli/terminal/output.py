"""Writes messages to stderr, tables to stdout, and pages to files."""

import itertools
from collections.abc import Iterable
from pathlib import Path

import click

from arena.errors import UserError

_AT_A_TIME = 500  # lines


def notify(text: str) -> None:
    """Say something on stderr."""
    click.echo(f"salvo: {text}", err=True)


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines as they come, some at a time."""
    rest = iter(lines)
    while some := list(itertools.islice(rest, _AT_A_TIME)):
        click.echo("\n".join(some))


def write_page(page: str | bytes, path: Path, option: str) -> None:
    """Write an HTML page, or a drawing.

    Raises:
        UserError: If the file cannot be written.
    """
    try:
        path.write_bytes(page.encode() if isinstance(page, str) else page)
    except OSError as error:
        raise UserError(
            f"{option} {path}: cannot be written: {error.strerror}; name another file"
        ) from error
