"""Tracks what a person knows of a game: the own fleet, and reports of the opponent's."""

from collections.abc import Sequence
from typing import Literal

from arena.rules import (
    CellsReport,
    Layout,
    Report,
    Rules,
    Waters,
    cell_name,
    fire,
    mask_of,
    move_ship,
)
from arena.rules.firing import Volley

Mark = Literal["hit", "miss", "untold"]
"""What was reported of a cell that was shot; "untold" if only hits are counted."""


class Chart:
    """Both sides of the board as one seat knows them.

    Attributes:
        own: The seat's own side, or None before its fleet is placed.
        placed: The ships placed so far, before that.
        marks: The last report on each cell that the seat shot.
        sunk: The opponent's ships that were sunk, if they are reported by name.
        fresh: The cells of the salvos that came in since.
        revealed: Where the opponent's ships lie, once that is revealed.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.own: Waters | None = None
        self.placed: Layout = ()
        self.marks: dict[int, Mark] = {}
        self.lost: list[str] = []
        self.sunk: list[str] = []
        self.sunk_count = 0
        self.salvo: tuple[int, ...] = ()
        self.fresh: frozenset[int] = frozenset()
        self.revealed: Layout = ()
        self.turn = 0

    def settle(self, layout: Layout) -> None:
        """Place the fleet for good."""
        self.own, self.placed = Waters.placed(layout), ()

    def suffer(self, cells: Sequence[int]) -> Volley:
        """Note an incoming salvo, and return what it did."""
        assert self.own is not None
        volley = fire(self.rules, self.own, len(cells), cells)
        self.own = volley.waters
        self.lost += volley.sunk
        self.fresh |= frozenset(cells)
        return volley

    def ship_at(self, cell: int) -> str:
        """Return the name of the seat's ship afloat at a cell."""
        assert self.own is not None
        return next(
            ship.name
            for number, ship in enumerate(self.rules.fleet)
            if self.own.ships[number] >> cell & 1 and not self.own.sunk >> number & 1
        )

    def shoot(self, cells: tuple[int, ...]) -> None:
        """Note a salvo of the seat."""
        self.salvo = cells
        self.fresh = frozenset()

    def learn(self, report: Report) -> None:
        """Note the report of the seat's last salvo."""
        for cell in self.salvo:
            if isinstance(report, CellsReport):
                self.marks[cell] = "hit" if cell in report.hits else "miss"
            else:
                self.marks[cell] = "untold"
        if isinstance(report.sunk, int):
            self.sunk_count += report.sunk
        elif report.sunk:
            self.sunk += report.sunk
            self.sunk_count += len(report.sunk)

    def move(self, name: str, cells: Sequence[int]) -> None:
        """Note that a ship of the seat has moved."""
        assert self.own is not None
        self.own = move_ship(self.rules, self.own, name, cells)

    def reveal(self, layout: dict[str, tuple[int, ...]]) -> None:
        """Note where the opponent's ships lie."""
        self.revealed = tuple(mask_of(cells) for cells in layout.values())

    def name(self, cell: int) -> str:
        """Return the name of a cell."""
        return cell_name(cell, self.rules.columns)

    def names(self, cells: Sequence[int]) -> str:
        """Return the names of some cells."""
        return " ".join(map(self.name, cells))
