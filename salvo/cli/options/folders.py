"""Folders that commands write into, made before anything is played."""

import os
from collections.abc import Callable
from pathlib import Path

import click

from arena.errors import UserError


def make_folder(path: Path, option: str) -> None:
    """Make a folder that is to be written into, unless it is there.

    Raises:
        UserError: If it cannot be written into: better to say so before hours of games than after.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise UserError(
            f"{option} {path}: the folder cannot be made: {why}; name another"
        ) from error
    if not os.access(path, os.W_OK):
        raise UserError(f"{option} {path}: the folder cannot be written; name another")


def to_fill(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Return the folder that an option names, made and writable.

    Raises:
        UserError: If it cannot be.
    """
    if value is not None:
        make_folder(value, param.opts[0])
    return value


log_option: Callable[..., Callable[..., None]] = click.option(
    "--log",
    "logs",
    type=click.Path(file_okay=False, path_type=Path),
    callback=to_fill,
    metavar="DIR",
    help="A folder for what bots write to stderr, by block and bot; at most 1 MB a process.",
)
"""The option of every command that plays."""
