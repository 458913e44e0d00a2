"""Boards as text: rows are letters, columns are numbers, so that a cell is called `B7`."""

from collections.abc import Callable, Collection, Sequence
from typing import Literal

import click

from arena.player.person import Chart
from arena.rules import Waters, row_name

__all__ = ["LEGEND", "CellState", "cell_states", "draw_board", "draw_chart"]

SHIP, HIT, MISS, WATER, UNTOLD = "#", "X", "o", ".", "?"
LEGEND = f"{HIT} hit   {MISS} miss   {SHIP} ship   {WATER} water"

CellState = Literal["water", "ship", "miss", "hit", "sunk"]
"""What is on a cell: a ship, whole, hit or sunk with it; a shot that missed; nothing."""

_COLOURS = {SHIP: "green", HIT: "red", MISS: "blue", UNTOLD: "yellow", WATER: None}
_GAP = "    "

_MARKS: dict[CellState, str] = {
    "water": WATER,
    "ship": SHIP,
    "miss": MISS,
    "hit": HIT,
    "sunk": HIT,
}

Paint = Callable[[str, int], str]
"""Returns a mark as it is to be shown at a cell."""


def draw_board(waters: Waters, rows: int, columns: int) -> list[str]:
    """Return the lines of one side of the board, with its ships and the shots at them."""
    return _grid(_marks(waters, rows * columns), rows, columns, lambda mark, _: mark)


def draw_chart(chart: Chart, width: int, *, colour: bool) -> list[str]:
    """Return the lines of both sides of the board as one seat knows them.

    Args:
        chart: What it knows.
        width: The columns of the terminal; the sides stand one above the other if it is narrow.
        colour: Whether marks are coloured, and those of the last shots stand out.
    """
    rows, columns = chart.rules.rows, chart.rules.columns
    waters = chart.own or Waters.placed(chart.placed)
    ours = _grid(
        _marks(waters, rows * columns), rows, columns, _painter(chart.fresh, colour=colour)
    )
    sides = [["Yours".ljust(len(ours[0])), *ours]]
    if chart.own is not None:
        theirs = _grid(_told(chart), rows, columns, _painter(chart.salvo, colour=colour))
        sides.append(["Theirs".ljust(len(theirs[0])), *theirs])
    if len(sides) * (len(ours[0]) + len(_GAP)) - len(_GAP) > width:
        return [line.rstrip() for side in sides for line in side]
    return [_GAP.join(lines).rstrip() for lines in zip(*sides, strict=True)]


def cell_states(waters: Waters, cells: int) -> list[CellState]:
    """Return what is on each cell of a side that is seen whole."""
    sunk = 0
    for number, mask in enumerate(waters.ships):
        if waters.sunk >> number & 1:
            sunk |= mask
    states: list[CellState] = []
    for cell in range(cells):
        bit = 1 << cell
        # A ship that moves may lie where another was sunk, or where a shot missed.
        if waters.afloat & bit:
            states.append("hit" if waters.hit & bit else "ship")
        elif waters.shot & bit:
            states.append("sunk" if sunk & bit else "miss")
        else:
            states.append("water")
    return states


def _marks(waters: Waters, cells: int) -> list[str]:
    """Return the mark of each cell of a side that is seen whole."""
    return [_MARKS[state] for state in cell_states(waters, cells)]


def _told(chart: Chart) -> list[str]:
    """Return the mark of each cell of a side of which only some is told."""
    marks = {"hit": HIT, "miss": MISS, "untold": UNTOLD}
    ships = 0
    for mask in chart.revealed:
        ships |= mask
    return [
        marks[chart.marks[cell]] if cell in chart.marks else SHIP if ships >> cell & 1 else WATER
        for cell in range(chart.rules.cells)
    ]


def _painter(fresh: Collection[int], *, colour: bool) -> Paint:
    def paint(mark: str, cell: int) -> str:
        sign = mark.lstrip()
        if not colour or (sign == WATER and cell not in fresh):
            return mark
        stands_out = True if cell in fresh else None
        shown = click.style(sign, fg=_COLOURS[sign], bold=sign == HIT or None, reverse=stands_out)
        return mark.removesuffix(sign) + shown

    return paint


def _grid(marks: Sequence[str], rows: int, columns: int, paint: Paint) -> list[str]:
    """Return the lines of a board, all as wide as the first, but for their colours."""
    wide = len(row_name(rows - 1))
    narrow = len(str(columns))
    lines = [" " * (wide + 1) + " ".join(f"{column + 1:>{narrow}}" for column in range(columns))]
    for row in range(rows):
        cells = range(row * columns, (row + 1) * columns)
        line = " ".join(paint(f"{marks[cell]:>{narrow}}", cell) for cell in cells)
        lines.append(f"{row_name(row):>{wide}} {line}")
    return lines
