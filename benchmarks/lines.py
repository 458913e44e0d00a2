"""The lines that a benchmark yields."""

from collections.abc import Mapping, Sequence

import msgspec
from tabulate import tabulate


class Note(str):
    """A line on the progress of a benchmark, which is not one of its results."""

    __slots__ = ()


def outcome_line(outcome: Mapping[str, object]) -> str:
    """Return the last line of a benchmark: what it found, as JSON."""
    return msgspec.json.encode(outcome).decode()


def aligned(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """Return a table, its first column aligned left and the others aligned right."""
    sides = ("left",) + ("right",) * (len(headers) - 1)
    return str(tabulate(rows, headers, disable_numparse=True, colalign=sides))
