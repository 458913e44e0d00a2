"""Makes the options for what is written: tables, reports, and the folder of logs."""

import os
from collections.abc import Callable
from pathlib import Path

import click

from arena.errors import UserError
from salvo.cli.options.option_types import FILE, FOLDER
from salvo.reports.how_rated import TABLES, Table


def make_folder(path: Path, option: str) -> None:
    """Make the folder that an option names, unless it is there.

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


def _to_fill(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None:
        make_folder(value, param.opts[0])
    return value


def to_write(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Return the path of a page to write.

    Raises:
        UserError: If it cannot be written: better to say so before hours of games than after.
    """
    if value is not None:
        folder = value.absolute().parent
        if not folder.is_dir():
            raise UserError(f"{param.opts[0]} {value}: there is no folder {folder}; make it first")
        if not os.access(value if value.exists() else folder, os.W_OK):
            raise UserError(f"{param.opts[0]} {value}: cannot be written; name another file")
    return value


def refuse_table(table: Table | None, format_: str) -> None:
    """Refuse a choice of table where all are shown.

    Raises:
        UserError: If one was chosen for another format than CSV.
    """
    if table is not None and format_ != "csv":
        raise UserError(
            f"--table {table}: only --format csv is one table; add that, or leave out --table"
        )


log_option = click.option(
    "--log",
    "logs",
    type=FOLDER,
    callback=_to_fill,
    metavar="DIR",
    help="A folder for what bots write to stderr, by block and bot; at most 1 MB a process.",
)
report_option = click.option(
    "--report",
    "report_path",
    type=FILE,
    callback=to_write,
    default="salvo-report.html",
    show_default=True,
    help="The HTML file to write.",
)


def _format_option(*formats: str) -> Callable[..., Callable[..., None]]:
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default="table",
        show_default=True,
        help="Output format.",
    )


format_option = _format_option("table", "json", "csv", "markdown")
table_or_json_option = _format_option("table", "json")
table_option = click.option(
    "--table",
    type=click.Choice(TABLES),
    help="Which table --format csv writes.  [default: elo, or turns of solo games]",
)
