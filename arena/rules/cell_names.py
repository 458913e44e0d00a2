"""Names cells as people do: rows are letters, columns are numbers, as in `B7`."""

import re

_CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,3})")


def row_name(row: int) -> str:
    """Return the letters of a row: A to Z, then AA and so on."""
    letters = ""
    row += 1
    while row:
        row, digit = divmod(row - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def cell_name(cell: int, columns: int) -> str:
    """Return the name of a cell, such as `B7` for row 1, column 6 counted from 0."""
    row, column = divmod(cell, columns)
    return f"{row_name(row)}{column + 1}"


def read_cell(text: str, rows: int, columns: int) -> int:
    """Return the cell that a name, in upper or lower case, stands for.

    Raises:
        ValueError: If it is not the name of a cell of the board; the message says why.
    """
    match = _CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a cell: type a letter and a number, such as A2.")
    row = 0
    for letter in match[1].upper():
        row = row * 26 + ord(letter) - ord("A") + 1
    column = int(match[2])
    if not (row <= rows and 1 <= column <= columns):
        raise ValueError(
            f"{text.upper()} is not on the board: rows A to {row_name(rows - 1)}, "
            f"columns 1 to {columns}."
        )
    return (row - 1) * columns + column - 1
