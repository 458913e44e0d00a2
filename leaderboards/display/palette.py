"""Gives each bot of a figure a colour and a mark of its own.

Each colour has a contrast of at least 3:1 with the white background of a light page and with the
dark one. Hue alone cannot keep fifteen such colours apart for everybody, so that each goes with a
mark of another shape, names stand beside them, and bots stand in the same order everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COLOURS = (
    "#0090fc",
    "#cc7824",
    "#4854fc",
    "#fc3c84",
    "#b430b4",
    "#3c9c54",
    "#cc60e4",
    "#6c8484",
    "#d81800",
    "#a860a8",
    "#786c24",
    "#9c84b4",
    "#307860",
    "#9048d8",
    "#c03c60",
)
"""Chosen by search for the greatest least difference, to normal and to colour-blind eyes.

In their order neighbours, and those that share a mark, differ most.
"""

MARKS: Mapping[str, str] = {
    "circle": "M9 0A9 9 0 1 1 -9 0A9 9 0 1 1 9 0Z",
    "square": "M-8 -8H8V8H-8Z",
    "diamond": "M0 -10L10 0L0 10L-10 0Z",
    "triangle-up": "M0 -9L10 8H-10Z",
    "cross": "M-3.5 -9.5H3.5V-3.5H9.5V3.5H3.5V9.5H-3.5V3.5H-9.5V-3.5H-3.5Z",
    "triangle-down": "M0 9L10 -8H-10Z",
    "star": "M0 -10L2.6 -3.2L9.8 -2.9L4.1 1.6L6.1 8.6L0 4.6L-6.1 8.6L-4.1 1.6L-9.8 -2.9L-2.6 -3.2Z",
    "hourglass": "M-9 -9H9L-9 9H9Z",
}
"""The marks by the names that Plotly gives them, each as the path of an SVG from -10 to 10."""


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a bot in figures: a colour, and the name of a mark among ``MARKS``."""

    colour: str
    mark: str


def styles(bots: Sequence[str]) -> dict[str, Style]:
    """Return a style for each bot, by the order in which they first come.

    Colours and marks repeat with different periods: no two of the first 120 bots are alike.
    """
    marks = tuple(MARKS)
    return {
        bot: Style(COLOURS[place % len(COLOURS)], marks[place % len(marks)])
        for place, bot in enumerate(dict.fromkeys(bots))
    }
