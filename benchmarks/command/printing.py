"""The lines of a benchmark, printed as they come."""

from collections.abc import Iterable

import click

from benchmarks.lines import Note


def print_lines(lines: Iterable[str]) -> None:
    """Print lines: what was found on stdout, notes on how far it is on stderr."""
    for line in lines:
        click.echo(line, err=isinstance(line, Note))
