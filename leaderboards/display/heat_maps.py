"""Draws how often something happened on each cell of a board, as a small SVG with its numbers.

A plain SVG: nothing about it is interactive, and the numbers stand beside it as text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

_STEPS = 8
_NAMED = 4
_WITH_A_DECIMAL = 0.1  # shares below it are told with one


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Counts by cell of something that happened in games."""

    what: str
    counts: Sequence[int]  # how often, cell by cell, row by row
    games: int
    rows: Sequence[str]
    columns: Sequence[str]

    def name(self, cell: int) -> str:
        """Return the name of a cell."""
        row, column = divmod(cell, len(self.columns))
        return f"{self.rows[row]}{self.columns[column]}"

    def share(self, cell: int) -> float:
        """Return in which share of the games it happened on a cell."""
        return self.counts[cell] / self.games


def describe(heat: HeatMap) -> str:
    """Return what a heat map shows in words: the cells of the greatest shares."""
    order = sorted(range(len(heat.counts)), key=lambda cell: (-heat.counts[cell], cell))
    named = ", ".join(
        f"{heat.name(cell)} {_percent(heat.share(cell))}"
        for cell in order[:_NAMED]
        if heat.counts[cell]
    )
    mean = sum(heat.counts) / len(heat.counts) / heat.games
    games = f"{heat.games:,} game{'' if heat.games == 1 else 's'}"
    return f"Most often {named}; {_percent(mean)} a cell on average, in {games}."


def numbers(heat: HeatMap) -> list[list[str]]:
    """Return the shares in percent, row by row, as text."""
    wide = len(heat.columns)
    return [
        [f"{100 * heat.share(row * wide + column):.0f}" for column in range(wide)]
        for row in range(len(heat.rows))
    ]


def heat_map(heat: HeatMap) -> Markup:
    """Return the SVG: the darker the cell, the greater its share of the greatest.

    Cells of one shade are one path, so that fifteen bots do not make a page of rectangles. Their
    colours are classes, ``h1`` to ``h8``, which the page defines for both of its grounds.
    """
    wide, high = len(heat.columns), len(heat.rows)
    most = max(heat.counts, default=0)
    shades: dict[int, list[str]] = {}
    for cell, count in enumerate(heat.counts):
        shade = -(-count * _STEPS // most) if most else 0
        row, column = divmod(cell, wide)
        shades.setdefault(shade, []).append(f"M{column} {row}h.94v.94h-.94z")
    paths = "".join(
        f'<path class="h{shade}" d="{"".join(cells)}"/>' for shade, cells in sorted(shades.items())
    )
    names = "".join(
        [
            *(
                f'<text x="{place + 0.47:g}" y="-.3">{escape(name)}</text>'
                for place, name in enumerate(heat.columns)
            ),
            *(
                f'<text x="-.55" y="{place + 0.65:g}">{escape(name)}</text>'
                for place, name in enumerate(heat.rows)
            ),
        ]
    )
    return Markup(  # noqa: S704 - all text in it is escaped
        f'<svg class="heat" viewBox="-1.1 -1.1 {wide + 1.2:g} {high + 1.2:g}" role="img" '
        f'aria-label="{escape(heat.what)}: {escape(describe(heat))}">{paths}'
        f'<g class="cells">{names}</g></svg>'
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share < _WITH_A_DECIMAL else f"{100 * share:.0f}%"
