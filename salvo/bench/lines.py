"""The lines that a benchmark yields."""

from collections.abc import Mapping

import msgspec

__all__ = ["Note", "outcome_line"]


class Note(str):
    """A line on how far a benchmark is, and no part of what it found."""

    __slots__ = ()


def outcome_line(outcome: Mapping[str, object]) -> str:
    """Return the last line of a benchmark: what it found, as JSON."""
    return msgspec.json.encode(outcome).decode()
