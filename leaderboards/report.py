"""One HTML page with both leaderboards: tables, figures and the settings of the run.

The page is whole in itself: it has its own copy of plotly.js and asks the network for nothing,
which its content security policy enforces. The same input makes the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd
import plotly.graph_objects as go
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from leaderboards import figures
from leaderboards.cells import elo_cells, elo_notes, printable, turns_cells, turns_notes
from leaderboards.elo_table import WORST_QUASI_ERROR
from leaderboards.ratings import Ratings

_MOST_BESIDE = 9
"""Bots up to which the matrix is legible at half the page's width."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with the words above it; a wide one has a line of the page to itself."""

    caption: str
    figure: go.Figure
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: a heading, figures, a table, and notes; any of them may be missing.

    A further page, such as the replay of a game, is one more section.

    Attributes:
        name: Short and of letters alone: the section's address on the page.
        heading: What the reader sees.
        notes: Sentences under the table.
        drawings: Figures.
        rows: The table, a mapping from head to cell for each row.
    """

    name: str
    heading: str
    notes: Sequence[str] = ()
    drawings: Sequence[Drawing] = ()
    rows: Sequence[Mapping[str, str]] = field(default=())


def html(  # noqa: PLR0913 - all that the page shows
    *,
    ratings: Ratings | None = None,
    turns: pd.DataFrame | None = None,
    solo: pd.DataFrame | None = None,
    settings: Mapping[str, object] | None = None,
    title: str = "Salvo leaderboards",
    about: str = "",
    further: Sequence[Section] = (),
) -> str:
    """Return the page.

    Args:
        ratings: What `leaderboards.ratings.rate` returned; None leaves Elo out.
        turns: What `leaderboards.turns.mean_turns` returned; None leaves turns out.
        solo: The solo games behind `turns`; None leaves the spread of the shots out.
        settings: Under what the games were played (seed, rules, isolation and so on).
        title: Heading of the page.
        about: A small line below it.
        further: Sections to put after the leaderboards.

    Returns:
        One HTML document.

    Raises:
        LeaderboardError: If `solo` breaks the contract.
    """
    bots = [
        bot
        for table in (None if ratings is None else ratings.table, turns)
        if table is not None
        for bot in table["bot"].tolist()
    ]
    colour = figures.colours(bots)
    sections = [
        *([] if ratings is None else [_elo(ratings, colour)]),
        *([] if turns is None else [_turns(turns, solo, colour)]),
        *further,
    ]
    environment = Environment(
        loader=PackageLoader("leaderboards"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["printable"] = printable
    return environment.get_template("report.html.j2").render(
        title=title,
        about=about,
        sections=sections,
        settings={str(name): str(value) for name, value in (settings or {}).items()},
        colour=colour,
        plotly=Markup(get_plotlyjs()),  # noqa: S704 - plotly's own script
        as_data=as_data,
        config=as_data(figures.CONFIG),
    )


def as_data(value: go.Figure | Mapping[str, object]) -> Markup:
    """Return a figure or a mapping as JSON that may stand in a script element."""
    text = value.to_json() if isinstance(value, go.Figure) else json.dumps(value)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - no sign is left that could end the element


def _elo(ratings: Ratings, colour: Mapping[str, str]) -> Section:
    many = len(ratings.table) > _MOST_BESIDE
    compared = ratings.compare_error <= WORST_QUASI_ERROR
    caption = "Elo: bots whose bars do not touch differ" if compared else "Elo"
    drawings = (
        Drawing(caption, figures.elo_figure(ratings, colour), wide=many),
        Drawing(
            "Who beats whom: points in 100 games, row against column",
            figures.matrix_figure(ratings),
            wide=many,
        ),
    )
    return Section(
        name="elo",
        heading="Two-player games: Elo",
        notes=elo_notes(ratings),
        drawings=() if ratings.table.empty else drawings,
        rows=elo_cells(ratings),
    )


def _turns(turns: pd.DataFrame, solo: pd.DataFrame | None, colour: Mapping[str, str]) -> Section:
    drawings = []
    if not turns.empty:
        drawings.append(
            Drawing("Mean turns with 95% intervals", figures.turns_figure(turns, colour))
        )
        if solo is not None:
            spread = figures.shots_figure(solo, turns, colour)
            drawings.append(Drawing("Shots to sink the fleet, game by game", spread))
    return Section(
        name="turns",
        heading="Solo games: turns to sink the fleet",
        notes=turns_notes(turns),
        drawings=tuple(drawings),
        rows=turns_cells(turns),
    )
