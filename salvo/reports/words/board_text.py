"""Draws boards as text: rows are letters and columns are numbers, so a cell is called `B7`."""

from collections.abc import Callable, Collection, Sequence
from typing import Literal

from arena.player.person import Chart
from arena.rules import Waters, cells_of, row_name

SHIP, HIT, MISS, WATER, UNTOLD = "#", "X", "o", ".", "?"
LEGEND = f"{HIT} hit   {MISS} miss   {SHIP} ship   {WATER} water"

CellState = Literal["water", "ship", "miss", "hit", "sunk"]
"""The state of a cell: a ship, whole, hit or sunk with it; a shot that missed; nothing."""

_GAP = "    "

_MARKS: dict[CellState, str] = {"water": WATER, "ship": SHIP, "miss": MISS, "hit": HIT, "sunk": HIT}

Paint = Callable[[str, bool], str]
"""Returns a mark as it is to be shown; the second says whether the last shots made it."""


def draw_board(waters: Waters, rows: int, columns: int) -> list[str]:
    """Return the lines of one side of the board, with its ships and the shots at them."""
    return _grid(_marks(waters, rows * columns), rows, columns)


def draw_chart(chart: Chart, width: int, paint: Paint | None = None) -> list[str]:
    """Return the lines of both sides of the board as one seat knows them.

    The sides stand one above the other if the terminal is narrower than both.
    """
    rows, columns = chart.rules.rows, chart.rules.columns
    waters = chart.own or Waters.placed(chart.placed)
    ours = _grid(_marks(waters, rows * columns), rows, columns, chart.fresh, paint)
    wide = len(ours[0])  # the names of columns, which are not painted
    sides = [["Yours".ljust(wide), *ours]]
    if chart.own is not None:
        theirs = _grid(_told(chart), rows, columns, chart.salvo, paint)
        sides.append(["Theirs".ljust(wide), *theirs])
    if len(sides) * (wide + len(_GAP)) - len(_GAP) > width:
        return [line.rstrip() for side in sides for line in side]
    return [_GAP.join(lines).rstrip() for lines in zip(*sides, strict=True)]


def cell_states(waters: Waters, cells: int) -> list[CellState]:
    """Return what is on each cell of a side that is seen whole."""
    ships = {cell for mask in waters.ships for cell in cells_of(mask)}
    states: list[CellState] = []
    for cell in range(cells):
        bit = 1 << cell
        # A ship that moves may lie where another was sunk, or where a shot missed.
        if waters.afloat & bit:
            states.append("hit" if waters.hit & bit else "ship")
        elif waters.shot & bit:
            states.append("sunk" if cell in ships else "miss")
        else:
            states.append("water")
    return states


def _marks(waters: Waters, cells: int) -> list[str]:
    return [_MARKS[state] for state in cell_states(waters, cells)]


def _told(chart: Chart) -> list[str]:
    marks = {"hit": HIT, "miss": MISS, "untold": UNTOLD}
    ships = {cell for mask in chart.revealed for cell in cells_of(mask)}
    return [
        marks[chart.marks[cell]] if cell in chart.marks else SHIP if cell in ships else WATER
        for cell in range(chart.rules.cells)
    ]


def _grid(
    marks: Sequence[str],
    rows: int,
    columns: int,
    fresh: Collection[int] = (),
    paint: Paint | None = None,
) -> list[str]:
    wide = len(row_name(rows - 1))
    narrow = len(str(columns))
    lines = [" " * (wide + 1) + " ".join(f"{column + 1:>{narrow}}" for column in range(columns))]
    for row in range(rows):
        shown = []
        for cell in range(row * columns, (row + 1) * columns):
            mark = marks[cell]
            painted = mark if paint is None else paint(mark, cell in fresh)
            shown.append(" " * (narrow - len(mark)) + painted)
        lines.append(f"{row_name(row):>{wide}} {' '.join(shown)}")
    return lines
