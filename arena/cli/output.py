"""Tables on stdout, in the form that was asked for."""

import click
import pandas as pd
from pandas.api.types import is_numeric_dtype
from tabulate import tabulate

__all__ = ["print_frame"]


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
