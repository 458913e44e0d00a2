"""The lines that a benchmark yields."""

from collections.abc import Mapping, Sequence

import msgspec
from tabulate import tabulate

__all__ = ["Note", "aligned", "outcome_line"]


class Note(str):
    """A line on how far a benchmark is, and no part of what it found."""

    __slots__ = ()


def outcome_line(outcome: Mapping[str, object]) -> str:
    """Return the last line of a benchmark: what it found, as JSON."""
    return msgspec.json.encode(outcome).decode()


def aligned(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """Return a table, what its rows are of on the left and all else on the right."""
    sides = ("left",) + ("right",) * (len(headers) - 1)
    return str(tabulate(rows, headers, disable_numparse=True, colalign=sides))
