"""Draws the leaderboards as Plotly figures.

Every figure has a transparent background and grey text, so that it reads on a light and on a dark
page, and no title: the page around it has the words. Bots stand in the order of their rank, and a
bot has the same colour and mark in all figures. Names are escaped: Plotly would read some of their
characters as markup.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go  # it loads a class at its first use, so annotations are quoted

from leaderboards.display.palette import Style
from leaderboards.display.short_names import cut, cut_apart
from leaderboards.display.templating import printable
from leaderboards.elo.ratings import Ratings
from leaderboards.turns.spread import Spread, spreads

CONFIG = {"displayModeBar": False, "responsive": True, "scrollZoom": False, "doubleClick": "reset"}
"""Plotly's settings for a page: no row of buttons, no zoom by the wheel."""

LOSS_TO_WIN = ("#ee8a4e", "#eceef1", "#6f9df2")
"""The colours of a pairing in which all points were lost, half of them, and none."""

_INK = "#7c8594"
GRID = "rgba(124, 133, 148, 0.25)"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
LONGEST_LABEL = 20
_DARK = "#111827"  # for text on cells, whose colours are all light enough for it
_ROW_PX = 34
_FEWEST_ROWS_PX = 120
_HEAD_PX, _BESIDE_PX = 115, 85
_RIDGE = 0.82  # how much of its row the highest bin of a histogram takes
_NOT_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;", "{": "&#123;"}
)


def shown(name: str, longest: int | None = None) -> str:
    """Return a name escaped so that Plotly shows it as it is, cut to `longest` characters.

    Characters that begin a tag, an entity, a formula or a placeholder become entities, which Plotly
    reads once; what does not print is written out.
    """
    text = printable(name)
    return (text if longest is None else cut(text, longest)).translate(_NOT_MARKUP)


def _labels(bots: Sequence[str]) -> list[str]:
    names = [printable(bot) for bot in bots]
    short = cut_apart(names, LONGEST_LABEL)
    return [short[name].translate(_NOT_MARKUP) for name in names]


def matrix_figure(ratings: Ratings) -> "go.Figure":
    """Return who beats whom: points per game of the row against the column, in order of rank."""
    bots = ratings.table["bot"].tolist()
    place = {bot: index for index, bot in enumerate(bots)}
    share: list[list[float | None]] = [[None] * len(bots) for _ in bots]
    text = [["" for _ in bots] for _ in bots]
    told = [["" for _ in bots] for _ in bots]
    for record in ratings.pairings.to_dict("records"):
        row, column = place[record["bot"]], place[record["opponent"]]
        share[row][column] = record["score"]
        text[row][column] = f"{100 * record['score']:.0f}"
        told[row][column] = _pairing_told(record)
    cells = go.Heatmap(
        z=share,
        text=text,
        hovertext=told,
        texttemplate="%{text}",
        textfont={"color": _DARK, "weight": 600},
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        zmin=0,
        zmax=1,
        colorscale=list(zip((0, 0.5, 1), LOSS_TO_WIN, strict=True)),
        showscale=False,
        xgap=2,
        ygap=2,
    )
    still = {
        "tickvals": list(range(len(bots))),
        "ticktext": _labels(bots),
        "showgrid": False,
        "zeroline": False,
    }
    return plain(
        [cells],
        max(_FEWEST_ROWS_PX, _ROW_PX * len(bots)) + _HEAD_PX,
        {**still, "side": "top", "tickangle": -40, "ticklabeloverflow": "allow"},
        {**still, "autorange": "reversed"},
        margin={"r": _BESIDE_PX},
    )


def shots_figure(
    solo: pd.DataFrame, turns: pd.DataFrame, style: Mapping[str, Style]
) -> "go.Figure":
    """Return how the shots to sink the fleet spread: a histogram for each bot, with the median.

    The highest bin of each bot is drawn equally high.

    Raises:
        LeaderboardError: If the table breaks the contract.
    """
    marks = []
    bots = turns["bot"].tolist()
    for row, spread in enumerate(spreads(solo, bots)):
        colour = style[spread.bot].colour
        marks += [
            go.Scatter(
                **_outline(spread, row),
                mode="lines",
                line={"color": colour, "width": 1.5},
                fill="toself",
                hoverinfo="skip",
            ),
            go.Scatter(**_bins(spread, row)),
            go.Scatter(**_median(spread, row, style[spread.bot])),
        ]
    return ranked(marks, bots, {"title": {"text": "shots"}}, above=1.0)


def _bins(spread: Spread, row: int) -> dict[str, Any]:
    """Return marks that are not seen, for the words on each bin."""
    kept = np.flatnonzero(spread.shares)
    starts = spread.starts[kept]
    words = [
        f"{_shots(start, start + spread.width - 1)}: {share:.1%} of the games"
        for start, share in zip(starts.tolist(), spread.shares[kept].tolist(), strict=True)
    ]
    return {
        "x": (starts + (spread.width - 1) / 2).tolist(),
        "y": [row - _RIDGE / 3] * len(kept),
        "mode": "markers",
        "marker": {"size": 14, "opacity": 0},
        "text": words,
        "hovertemplate": f"<b>{shown(spread.bot)}</b><br>%{{text}}<extra></extra>",
    }


def _shots(fewest: int, most: int) -> str:
    return f"{most} shots" if fewest == most else f"{fewest} to {most} shots"


def _median(spread: Spread, row: int, style: Style) -> dict[str, Any]:
    best, low, median, high, worst = spread.quartiles
    return {
        "x": [median],
        "y": [row],
        "mode": "markers",
        "marker": {
            "color": style.colour,
            "size": 11,
            "symbol": style.mark,
            "line": {"color": "white", "width": 1},
        },
        "hovertemplate": f"<b>{shown(spread.bot)}</b><br>median {median:g} shots"
        f"<br>half of the games: {low:g} to {high:g}"
        f"<br>best {best:g}, worst {worst:g}<extra></extra>",
    }


def _outline(spread: Spread, row: int) -> dict[str, list[float]]:
    tops = row - _RIDGE * spread.shares / spread.shares.max()
    edges = np.append(spread.starts, spread.starts[-1] + spread.width) - 0.5
    y = np.concatenate([[row], np.repeat(tops, 2), [row]])
    return {"x": np.repeat(edges, 2).tolist(), "y": y.round(4).tolist()}


def _pairing_told(record: Mapping[Hashable, Any]) -> str:
    return (
        f"<b>{shown(record['bot'])}</b> against <b>{shown(record['opponent'])}</b>"
        f"<br>won {record['wins']}, drawn {record['draws']}, lost {record['losses']}"
        f"<br>{100 * record['score']:.1f}% of the points"
        f"<br>{_told(100 * record['predicted'], 1)}% predicted"
    )


def _told(number: float, decimals: int) -> str:
    return "?" if np.isnan(number) else f"{number + 0.0:.{decimals}f}"


def ranked(
    marks: "Sequence[go.Scatter]",
    bots: Sequence[str],
    xaxis: Mapping[str, Any],
    *,
    above: float = 0.5,
    **further: Any,  # noqa: ANN401 - what Plotly has of layouts
) -> "go.Figure":
    """Return a figure with one row a bot, best on top.

    `above` is the room over the middle of the first row, in rows; `further` is as for `plain`.
    """
    yaxis = {
        "tickvals": list(range(len(bots))),
        "ticktext": _labels(bots),
        "range": [len(bots) - 0.5, -above],
        "gridcolor": GRID,
        "zeroline": False,
    }
    xaxis = {"gridcolor": GRID, "zeroline": False, "nticks": 8, **xaxis}
    height_px = max(_FEWEST_ROWS_PX, _ROW_PX * len(bots)) + 60
    return plain(marks, height_px, xaxis, yaxis, **further)


def plain(
    marks: "Sequence[go.Scatter | go.Heatmap]",
    height_px: int,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    **further: Any,  # noqa: ANN401 - what Plotly has of layouts
) -> "go.Figure":
    """Return a figure with what all have in common: no background, grey text, no zoom.

    `further` is added to the layout, or replaces what is in it; its margins do so one by one.
    """
    margin = {"l": 8, "r": 16, "t": 8, "b": 8, **further.pop("margin", {})}
    layout = {
        "template": "none",
        "height": height_px,
        "margin": margin,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONT, "size": 13, "color": _INK},
        "showlegend": False,
        "hoverlabel": {"align": "left", "font": {"family": _FONT, "size": 13}},
        "hovermode": "closest",
        "xaxis": {**xaxis, "fixedrange": True, "automargin": True},
        "yaxis": {**yaxis, "fixedrange": True, "automargin": True},
    }
    # All at once: to change a layout takes Plotly several times as long as to make it.
    return go.Figure(marks, {**layout, **further})
