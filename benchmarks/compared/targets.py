"""Targets that a benchmark tries: what was required, and what was measured."""

from collections.abc import Iterable
from typing import NamedTuple

from tabulate import tabulate


class Target(NamedTuple):
    """One line of a table of targets: what is required, what was found, and whether that will do.

    A line without ``wanted`` is there for comparison.
    """

    what: str
    wanted: str
    found: str
    met: bool

    @property
    def verdict(self) -> str:
        """Return whether it is met, in words."""
        return "" if not self.wanted else "yes" if self.met else "no"


def target_table(targets: Iterable[Target]) -> str:
    """Return the targets as a table in Markdown."""
    rows = [(one.what, one.wanted, one.found, one.verdict) for one in targets]
    return str(tabulate(rows, headers=("what", "target", "found", "met"), tablefmt="github"))
