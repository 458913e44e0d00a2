"""Writes tables as CSV that a spreadsheet shows as they are."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_RUN = ("=", "+", "-", "@", "\t")  # how text begins that a spreadsheet takes for a formula
_MISLEADING = re.compile("[\r\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Matches a carriage return, and marks that change the direction of text."""


def csv_of(table: "pd.DataFrame") -> str:
    """Return a table as CSV with a line of headers; lines end in a newline alone."""
    # As objects, whole numbers stay whole beside cells without a value.
    cells = {name: [safe_cell(cell) for cell in column] for name, column in table.items()}
    return str(type(table)(cells, dtype=object).to_csv(index=False, lineterminator="\n"))


def safe_cell(cell: object) -> object:
    """Return a cell that a spreadsheet shows as it is.

    A spreadsheet runs text that begins like a formula, so an apostrophe is put before it, which
    spreadsheets do not show. Marks that turn the direction of text, and carriage returns, are
    written as their code. Numbers stay as they are, negative ones too.
    """
    if not isinstance(cell, str):
        return cell
    text = _MISLEADING.sub(lambda mark: f"\\u{ord(mark[0]):04x}", cell)
    return f"'{text}" if text.startswith(_RUN) else text
