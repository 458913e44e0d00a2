"""Formats a table as text, in the form that was asked for."""

import pandas as pd
from pandas.api.types import is_numeric_dtype
from tabulate import tabulate

from leaderboards.display.spreadsheet import csv_of


def format_table(table: pd.DataFrame, format_: str = "table") -> str:
    """Return a table as text, without a newline at the end."""
    match format_:
        case "json":
            return str(table.to_json(orient="records", force_ascii=False))
        case "csv":
            return csv_of(table).removesuffix("\n")
        case "markdown":
            safe = table.map(lambda cell: _in_markdown(cell) if isinstance(cell, str) else cell)
            return _tabulate(safe, "github")
        case _:
            return _tabulate(table, "simple")


def _in_markdown(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;")


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
