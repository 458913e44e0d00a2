"""What the answers to some salvos tell: which cells hit, and what sank."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena import Bot
from arena.rules import CellsReport

__all__ = ["Evidence", "Observation", "Reader"]


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


class Reader:
    """Reads what is new in a bot's book; make one a game."""

    def __init__(self) -> None:
        self._read = 0

    def read(self, bot: Bot) -> list[Observation]:
        """Return what was told since the last call.

        Raises:
            TypeError: If something else than cells was told.
        """
        lengths = {ship.name: ship.length for ship in bot.rules.opponent_fleet or ()}
        found = []
        for cells, report in bot.reports[self._read :]:
            if not isinstance(report, CellsReport):
                raise TypeError(f"a report that tells no cells cannot be read: {report}")
            found.append(Observation(cells, report.hits, _lengths(report.sunk, lengths)))
        self._read = len(bot.reports)
        return found


def _lengths(
    sunk: tuple[str, ...] | int | None, lengths: Mapping[str, int]
) -> tuple[int, ...] | int | None:
    return tuple(lengths[name] for name in sunk) if isinstance(sunk, tuple) else sunk
