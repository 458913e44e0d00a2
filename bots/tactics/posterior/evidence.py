"""What the answers to some salvos report: which cells hit, and what sank."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.rules import CellsReport, Report

__all__ = ["Evidence", "Observation", "observation_of"]


class Observation(NamedTuple):
    """The answer to one salvo.

    Attributes:
        cells: The cells that were shot.
        hits: Those of them that hit.
        sunk: The lengths of the ships that the salvo sank, where they are named; how many it
            sank, where they are not; None where sinkings are silent.
    """

    cells: tuple[int, ...]
    hits: tuple[int, ...]
    sunk: tuple[int, ...] | int | None


Evidence = Sequence[Observation]
"""The answers to all salvos of a game, oldest first."""


def observation_of(
    cells: tuple[int, ...], report: Report, lengths: Mapping[str, int]
) -> Observation:
    """Return a report as an observation.

    Args:
        cells: The cells that were shot.
        report: What was reported of them.
        lengths: The length of each ship of the opponent, by name.

    Raises:
        TypeError: If the report does not say which cells hit.
    """
    if not isinstance(report, CellsReport):
        raise TypeError(f"a report that does not say which cells hit cannot be read: {report}")
    sunk = report.sunk
    if isinstance(sunk, tuple):
        return Observation(cells, report.hits, tuple(lengths[name] for name in sunk))
    return Observation(cells, report.hits, sunk)
