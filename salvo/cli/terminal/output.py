"""Writes messages to stderr, and pages to files."""

from pathlib import Path

import click

from arena.errors import UserError


def notify(text: str) -> None:
    """Say something on stderr."""
    click.echo(f"salvo: {text}", err=True)


def write_page(page: str, path: Path, option: str) -> None:
    """Write an HTML page, or a drawing.

    Raises:
        UserError: If the file cannot be written.
    """
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{option} {path}: cannot be written: {error.strerror}; name another file"
        ) from error
