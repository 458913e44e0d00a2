"""Defines observations: the answer to a salvo, as a posterior takes it."""

from collections.abc import Mapping
from typing import NamedTuple

from arena.rules import CellsReport, Report, Ship


class Observation(NamedTuple):
    """The answer to one salvo."""

    cells: tuple[int, ...]
    hits: tuple[int, ...]
    # The lengths of the ships that the salvo sank, where they are named; how many it sank, where
    # they are not; None where sinkings are silent
    sunk: tuple[int, ...] | int | None
    # The ship that each of the hits hit; None where hits do not name it
    ships: tuple[Ship, ...] | None = None
    # Where those that were sunk lay, as far as that is reported
    wrecks: tuple[tuple[int, ...], ...] = ()


def observation_of(
    cells: tuple[int, ...], report: Report, lengths: Mapping[str, int]
) -> Observation:
    """Return a report as an observation, given the length of each ship of the opponent by name.

    Raises:
        TypeError: If the report does not say which cells hit.
    """
    if not isinstance(report, CellsReport):
        raise TypeError(f"a report that does not say which cells hit cannot be read: {report}")
    sunk, ships = report.sunk, report.ships
    return Observation(
        cells,
        report.hits,
        tuple(lengths[name] for name in sunk) if isinstance(sunk, tuple) else sunk,
        None if ships is None else tuple(Ship(name, lengths[name]) for name in ships),
        tuple((report.sunk_cells or {}).values()),
    )
