"""Reads for whom invites are to be made from a table that a school exports."""

import csv
from pathlib import Path

from arena.errors import UserError

MOST_LABEL = 80
_DELIMITERS = ",;\t"
_HEADS = ("label", "name", "student", "full name", "student name")
"""What the column of names may be called; a table without such a head has them in its first."""


def read_roster(path: Path) -> list[str]:
    """Return the labels in a table, CSV or a line each, without empty lines.

    Raises:
        UserError: If it cannot be read, a label is too long, or one is there twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"roster {path}: it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"roster {path}: it is not UTF-8; save it as CSV UTF-8") from error
    lines = text.splitlines()
    first = next(filter(None, lines), "")
    delimiter = max(_DELIMITERS, key=first.count)
    rows = list(csv.reader(lines, delimiter=delimiter))
    heads = [cell.strip().casefold() for cell in rows[0]] if rows else []
    column = next((heads.index(head) for head in _HEADS if head in heads), None)
    found: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        if column is not None and number == 1:
            continue
        label = " ".join(row[column or 0].split()) if len(row) > (column or 0) else ""
        if not label:
            continue
        if len(label) > MOST_LABEL:
            raise UserError(
                f"roster {path}, line {number}: a label of {len(label)} characters; at most "
                f"{MOST_LABEL} are shown, so shorten it"
            )
        if label in found:
            raise UserError(
                f"roster {path}, line {number}: {label!r} stands in line {found[label]} too; add "
                "what tells them apart"
            )
        found[label] = number
    if not found:
        raise UserError(f"roster {path}: it names nobody")
    return list(found)
