"""Writes the lines that a benchmark yields: notes, tables, targets, and the outcome."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
from tabulate import tabulate


class Note(str):
    """A line on the progress of a benchmark, which is not one of its results."""

    __slots__ = ()


def outcome_line(benchmark: str, **found: object) -> str:
    """Return the last line of a benchmark: what it found, as JSON."""
    return msgspec.json.encode({"benchmark": benchmark, **found}).decode()


def aligned(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """Return a table, its first column aligned left and the others aligned right."""
    sides = ("left",) + ("right",) * (len(headers) - 1)
    return str(tabulate(rows, headers, disable_numparse=True, colalign=sides))


def markdown(rows: Sequence[Sequence[object]], headers: Sequence[str]) -> str:
    """Return a table in Markdown."""
    return str(tabulate(rows, headers, tablefmt="github", disable_numparse=True))


class Target(NamedTuple):
    """One line of a table of targets: what is required, what was found, and whether that will do.

    A line without ``wanted`` is there for comparison.
    """

    what: str
    wanted: str
    found: str
    met: bool = True


@dataclass
class Findings:
    """The lines of the table of targets, and numbers for the outcome, that parts add to."""

    targets: list[Target] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)

    def add(self, what: str, wanted: object, found: object, *, met: bool = True) -> None:
        """Add a target."""
        self.targets.append(Target(what, str(wanted), str(found), met))

    def counts(self) -> dict[str, int]:
        """Return how many targets are met, and how many there are, for the outcome."""
        return {"met": sum(target.met for target in self.targets), "targets": len(self.targets)}


def target_table(targets: Iterable[Target]) -> str:
    """Return targets as a table in Markdown."""
    words = {True: "yes", False: "no"}
    rows = [(*one[:3], words[one.met] if one.wanted else "") for one in targets]
    return str(tabulate(rows, headers=("what", "target", "found", "met"), tablefmt="github"))
