"""Draws how often something happened on each cell of a board, as a small SVG with its numbers.

A plain SVG: nothing about it is interactive, and the numbers stand beside it as text. A map that
chance alone might have drawn is not shown (``is_noise``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape
from scipy import special

_STEPS = 8
_NAMED = 4
_WITH_A_DECIMAL = 0.1  # shares below it are told with one
_MOST_BY_CHANCE = 0.01  # the largest p-value at which a map is shown


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Counts by cell of something that happened in games."""

    what: str
    counts: Sequence[int]  # how often, cell by cell, row by row
    games: int
    rows: Sequence[str]
    columns: Sequence[str]
    together: float = 1.0  # how many cells come as one piece, such as those of a ship
    # How often chance alone chose each cell, in a sample of its own; empty where it would choose
    # all equally often.
    by_chance: Sequence[int] = ()

    def name(self, cell: int) -> str:
        """Return the name of a cell."""
        row, column = divmod(cell, len(self.columns))
        return f"{self.rows[row]}{self.columns[column]}"

    def share(self, cell: int) -> float:
        """Return in which share of the games it happened on a cell."""
        return self.counts[cell] / self.games


def is_noise(heat: HeatMap) -> bool:
    """Return whether chance alone might well have given these counts.

    Pearson's chi-squared test at the 1% level, of one sample against equal probabilities or of two
    against each other, with two corrections. A game names a cell once at most, which makes counts
    of k of n cells a game vary less by the factor (n - k) / (n - 1). Where c cells come as one
    piece, the statistic varies as if there were c times fewer cells, each with c times the count.
    """
    cells, total = len(heat.counts), sum(heat.counts)
    a_game = total / heat.games if heat.games else 0.0
    if not 0 < a_game < cells:
        return True
    drawn = heat.by_chance or [1] * cells
    expected = [total * count / sum(drawn) for count in drawn]
    statistic = sum(
        (count - mean) ** 2 / mean
        for count, mean in zip(heat.counts, expected, strict=True)
        if mean
    )
    statistic *= (cells - 1) / (cells - a_game)
    if heat.by_chance:
        statistic /= 1 + total / sum(drawn)
    p_value = special.chdtrc((cells - 1) / heat.together, statistic / heat.together)
    return bool(p_value > _MOST_BY_CHANCE)


def describe(heat: HeatMap) -> str:
    """Return what a heat map shows in words: the cells of the greatest shares."""
    order = sorted(range(len(heat.counts)), key=lambda cell: (-heat.counts[cell], cell))
    named = ", ".join(
        f"{heat.name(cell)} {_percent(heat.share(cell))}"
        for cell in order[:_NAMED]
        if heat.counts[cell]
    )
    mean = sum(heat.counts) / len(heat.counts) / heat.games
    return f"Most often {named}; {_percent(mean)} a cell on average."


def caption(heat: HeatMap) -> str:
    """Return what a heat map shows, and in how many games."""
    return f"{heat.what}: {heat.games:,} game{'' if heat.games == 1 else 's'}"


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
        f'<svg class="heat" viewBox="-1.1 -1.1 {wide + 1.2:g} {high + 2.4:g}" role="img" '
        f'aria-label="{escape(heat.what)}: {escape(describe(heat))}">{paths}'
        f'<g class="cells">{names}</g>{_colour_scale(heat)}</svg>'
    )


def _colour_scale(heat: HeatMap) -> str:
    """Return all shades in a row below the board, from 0% to the greatest share."""
    wide, top = len(heat.columns), len(heat.rows) + 0.35
    each = wide / 2 / (_STEPS + 1)
    lefts = [wide / 4 + each * shade for shade in range(_STEPS + 1)]
    steps = "".join(
        f'<path class="h{shade}" d="M{left:.3f} {top:g}h{each:.3f}v.5h-{each:.3f}z"/>'
        for shade, left in enumerate(lefts)
    )
    most = _percent(heat.share(max(range(len(heat.counts)), key=heat.counts.__getitem__)))
    return (
        f'{steps}<g><text x="{wide / 4 - 0.7:g}" y="{top + 0.42:g}">0%</text>'
        f'<text x="{wide * 3 / 4 + 0.9:g}" y="{top + 0.42:g}">{most}</text></g>'
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share < _WITH_A_DECIMAL else f"{100 * share:.0f}%"
