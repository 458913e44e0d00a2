"""Draws ratings and mean turns, each with its own 95% interval, and the ranks that bots may have.

Intervals say how well each bot is known. They do not say which of two bots is better, which ranks
do: so these stand beside each bot, and rows of bots that may be first are shaded.
"""

import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from leaderboards.display.cells import rounded, span
from leaderboards.display.figures import ranked, shown
from leaderboards.display.palette import Style
from leaderboards.display.scale import Estimated, Scale, scale_of
from leaderboards.elo.ratings import Ratings
from leaderboards.turns.mean_turns import ranked_by

_SHADE = "rgba(0, 144, 252, 0.13)"
_RANKS_PX = 62
_GAP = "\u2002"  # between a mark and its text
_POINTS = {"upper": "triangle-left-open", "lower": "triangle-right-open"}


@dataclass(frozen=True, slots=True)
class _Row:
    """A bot in a chart: its place from the top, what is drawn, and the words when it is hovered."""

    place: int
    estimated: Estimated
    style: Style
    told: str
    decimals: int


def elo_figure(ratings: Ratings, style: Mapping[str, Style]) -> "go.Figure":
    """Return the ratings, best on top, with their own intervals and their ranks.

    A bot with a one-sided bound has a bar on that side alone, and a hollow mark that points to
    where nothing bounds it. A bot without a rating has its bound alone. One far from all others is
    marked at the edge of the scale, with its rating in words.
    """
    rows = []
    for place, bot in enumerate(ratings.table.to_dict("records")):
        known = [bot[key] for key in ("elo", "low", "high") if not math.isnan(bot[key])]
        if not known:
            continue
        drawn = style[bot["bot"]]
        rows.append(
            _Row(
                place,
                Estimated(known[0], bot["low"], bot["high"]),
                Style(drawn.colour, _POINTS.get(bot["bound"], drawn.mark)),
                f"<b>{shown(bot['bot'])}</b><br>{_elo_told(bot)}",
                0,
            )
        )
    return _chart(rows, ratings.table, "Elo")


def turns_figure(turns: pd.DataFrame, style: Mapping[str, Style]) -> "go.Figure":
    """Return the mean turns, fewest on top, with their intervals and ranks.

    They are adjusted for luck where the table is ranked so. A bot far from all others is marked at
    the edge of the scale, with its mean in words; one without a mean is left out.
    """
    columns = ranked_by(turns)
    rows = []
    for place, bot in enumerate(turns.to_dict("records")):
        mean, low, high = (bot[name] for name in columns)
        if math.isnan(mean):
            continue
        told = (
            f"<b>{shown(bot['bot'])}</b><br>{_number(mean, 2)} turns"
            f"<br>95%: {_number(low, 2)} to {_number(high, 2)}<br>{_ranks(bot)}"
            f"<br>{bot['games']} games"
        )
        rows.append(_Row(place, Estimated(mean, low, high), style[bot["bot"]], told, 2))
    adjusted = columns[0] == "adjusted_turns"
    return _chart(rows, turns, "turns, adjusted" if adjusted else "turns")


def _chart(rows: list[_Row], table: pd.DataFrame, title: str) -> "go.Figure":
    marks = []
    scale = scale_of([row.estimated for row in rows])
    for row in rows:
        side = scale.side(row.estimated.value)
        marks.append(_far(row, scale, side) if side else _interval(row))
    return ranked(
        marks,
        table["bot"].tolist(),
        {"title": {"text": title}, "range": [scale.low, scale.high]},
        margin={"r": _RANKS_PX, "t": 26},
        annotations=list(_rank_column(table)),
        shapes=[
            _shaded(place) for place, best in enumerate(table["best_rank"].tolist()) if best == 1
        ],
    )


def _rank_column(table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    beside = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 8, "showarrow": False}
    yield {**beside, "yref": "paper", "y": 1, "yanchor": "bottom", "text": "ranks"}
    for place, row in enumerate(table.to_dict("records")):
        yield {**beside, "y": place, "text": span(row["best_rank"], row["worst_rank"])}


def _shaded(place: int) -> dict[str, Any]:
    """Return the shade of a bot's row, from one edge of the chart to the other."""
    return {
        "type": "rect",
        "xref": "x domain",
        "x0": 0,
        "x1": 1,
        "yref": "y",
        "y0": place - 0.5,
        "y1": place + 0.5,
        "fillcolor": _SHADE,
        "line": {"width": 0},
        "layer": "below",
    }


def _interval(row: _Row) -> "go.Scatter":
    value, low, high = row.estimated
    return go.Scatter(
        x=[value],
        y=[row.place],
        mode="markers",
        marker={
            "color": row.style.colour,
            "size": 11,
            "symbol": row.style.mark,
            "line": {"width": 2, "color": row.style.colour},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [0.0 if math.isnan(high) else high - value],
            "arrayminus": [0.0 if math.isnan(low) else value - low],
            "color": row.style.colour,
            "thickness": 2.5,
            "width": 5,
        },
        hovertemplate=f"{row.told}<extra></extra>",
    )


def _far(row: _Row, scale: Scale, side: int) -> "go.Scatter":
    """Return the mark of a bot at the edge of the scale, with its value in words."""
    value = row.estimated.value
    return go.Scatter(
        x=[scale.low if side < 0 else scale.high],
        y=[row.place],
        mode="markers+text",
        text=[f"{_GAP}{_number(value, row.decimals)}, off this scale{_GAP}"],
        textposition="middle right" if side < 0 else "middle left",
        marker={
            "color": row.style.colour,
            "size": 13,
            "symbol": "arrow-bar-left" if side < 0 else "arrow-bar-right",
        },
        cliponaxis=False,
        hovertemplate=f"{row.told}<br>off this scale<extra></extra>",
    )


def _elo_told(bot: Mapping[Hashable, Any]) -> str:
    limits = {
        "upper": f"95%: at most {_number(bot['high'], 0)}",
        "lower": f"95%: at least {_number(bot['low'], 0)}",
        "": f"95%: {_number(bot['low'], 0)} to {_number(bot['high'], 0)}",
    }[bot["bound"]]
    return (
        f"Elo {_number(bot['elo'], 0)}<br>{limits}<br>{_ranks(bot)}"
        f"<br>won {bot['wins']}, drawn {bot['draws']}, lost {bot['losses']}"
    )


def _ranks(bot: Mapping[Hashable, Any]) -> str:
    return f"ranks {span(bot['best_rank'], bot['worst_rank'])}"


def _number(number: float, decimals: int) -> str:
    return "?" if math.isnan(number) else f"{rounded(number, decimals):.{decimals}f}"
