"""What commands hand over: tables on stdout, in the form that was asked for, and pages."""

from pathlib import Path

import click
import pandas as pd
from pandas.api.types import is_numeric_dtype
from tabulate import tabulate

from arena.errors import UserError

__all__ = ["print_frame", "write_page"]


def print_frame(table: pd.DataFrame, format_: str) -> None:
    """Print a table: aligned for the eye, or as JSON records, CSV or Markdown."""
    match format_:
        case "json":
            click.echo(table.to_json(orient="records", force_ascii=False))
        case "csv":
            click.echo(table.to_csv(index=False), nl=False)
        case "markdown":
            click.echo(_tabulate(table, "github"))
        case _:
            click.echo(_tabulate(table, "simple"))


def _tabulate(table: pd.DataFrame, style: str) -> str:
    sides = ["right" if is_numeric_dtype(table[column]) else "left" for column in table.columns]
    # Cells are shown as they are: tabulate must not read the name "1e5" as a number.
    text: str = tabulate(
        table,
        headers="keys",
        tablefmt=style,
        showindex=False,
        disable_numparse=True,
        colalign=sides if len(table) else None,
    )
    return text


def write_page(page: str, path: Path, option: str) -> None:
    """Write an HTML page.

    Args:
        page: The page.
        path: The file, which ``option`` named.
        option: The option by which another can be named.

    Raises:
        UserError: If the file cannot be written.
    """
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{option} {path}: cannot be written: {error.strerror}; name another file"
        ) from error
