"""The leaderboards as Plotly figures.

Every figure has a transparent ground and grey text, so that it reads on a light and on a dark page,
and no title: the page around it has the words. Bots stand in the order of their rank, and a bot has
the same colour in all figures. Names are escaped: Plotly would read some of their characters as
markup.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from leaderboards.cells import printable
from leaderboards.inputs import checked_solo
from leaderboards.names import cut, cut_apart
from leaderboards.ratings import Ratings

CONFIG = {"displayModeBar": False, "responsive": True, "scrollZoom": False, "doubleClick": "reset"}
"""How a page should show these figures: no row of buttons, no zoom by the wheel."""

_PALETTE = (
    "#3b82f6",
    "#f97316",
    "#10b981",
    "#e0457b",
    "#8b5cf6",
    "#d4a20c",
    "#06a6c2",
    "#84a316",
    "#c2571a",
    "#ec6ad0",
)
_INK = "#7c8594"
_GRID = "rgba(124, 133, 148, 0.25)"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_LONGEST_LABEL = 20
_LOSS_TO_WIN = [[0, "#ee8a4e"], [0.5, "#eceef1"], [1, "#6f9df2"]]
_DARK = "#111827"
"""For signs on cells, whose colours are all light enough for it."""

_ROW_PX = 34
_FEWEST_ROWS_PX = 120
_SMOOTHED_SHOTS = 1.5
_FEWEST_NAMED_PX, _NAMES_PX, _NAMED_COLUMN_PX = 460, 260, 24
_HEAD_PX, _BESIDE_PX = 115, 85
_NOT_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;", "{": "&#123;"}
)


def shown(name: str, longest: int | None = None) -> str:
    """Return a name escaped so that Plotly shows it as it is.

    Args:
        name: A bot's name, any text.
        longest: Cut it to this many characters; None shows all.

    Returns:
        Text in which the characters that begin a tag, an entity, a formula or a placeholder are
        entities, which Plotly reads once, and what does not print is written out.
    """
    text = printable(name)
    return (text if longest is None else cut(text, longest)).translate(_NOT_MARKUP)


def _labels(bots: Sequence[str]) -> list[str]:
    """Return names escaped as `shown` does, cut so that they stay apart."""
    names = [printable(bot) for bot in bots]
    short = cut_apart(names, _LONGEST_LABEL)
    return [short[name].translate(_NOT_MARKUP) for name in names]


def colours(bots: Sequence[str]) -> dict[str, str]:
    """Return a colour for each bot, by the order in which they first come."""
    names = list(dict.fromkeys(bots))
    if len(names) <= len(_PALETTE):
        return dict(zip(names, _PALETTE, strict=False))
    shades = sample_colorscale("Turbo", np.linspace(0.08, 0.92, len(names)).tolist())
    return dict(zip(names, shades, strict=True))


def elo_figure(ratings: Ratings, colour: Mapping[str, str]) -> go.Figure:
    """Return the ratings, best on top, with their comparison intervals.

    Bots whose bars do not touch differ. Where that approximation is poor there are no bars. A bot
    with a one-sided bound has a bar on that side alone, and a hollow mark that points to where
    nothing bounds it. A bot without a rating has its bound alone.

    Args:
        ratings: What `leaderboards.ratings.rate` returned.
        colour: A colour for each bot.
    """
    figure = go.Figure()
    for row, bot in enumerate(ratings.table.to_dict("records")):
        known = [bot[key] for key in ("elo", "low", "high") if not np.isnan(bot[key])]
        if not known:
            continue
        low, high = (
            (bot["low"], bot["high"]) if bot["bound"] else (bot["compare_low"], bot["compare_high"])
        )
        symbol = {"upper": "triangle-left-open", "lower": "triangle-right-open"}
        figure.add_trace(
            _interval(
                (known[0], low, high),
                row=row,
                colour=colour[bot["bot"]],
                symbol=symbol.get(bot["bound"], "circle"),
                told=f"<b>{shown(bot['bot'])}</b><br>{_elo_told(bot)}",
            )
        )
    return _ranked(figure, ratings.table["bot"].tolist(), "Elo")


def turns_figure(turns: pd.DataFrame, colour: Mapping[str, str]) -> go.Figure:
    """Return the mean turns, fewest on top, with their intervals.

    Args:
        turns: What `leaderboards.turns.mean_turns` returned.
        colour: A colour for each bot.
    """
    figure = go.Figure()
    for row, bot in enumerate(turns.to_dict("records")):
        limits = bot["turns_low"], bot["turns_high"]
        figure.add_trace(
            _interval(
                (bot["mean_turns"], *limits),
                row=row,
                colour=colour[bot["bot"]],
                symbol="circle",
                told=f"<b>{shown(bot['bot'])}</b><br>{bot['mean_turns']:.2f} turns"
                f"<br>95%: {_told(limits[0], 2)} to {_told(limits[1], 2)}<br>{bot['games']} games",
            )
        )
    return _ranked(figure, turns["bot"].tolist(), "turns")


def matrix_figure(ratings: Ratings) -> go.Figure:
    """Return who beats whom: the points per game of the row against the column, in order of rank.

    Where the figure is narrow, columns have the numbers of the rows for names, as its
    ``layout.meta`` says.

    Args:
        ratings: What `leaderboards.ratings.rate` returned.
    """
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
    figure = go.Figure(
        go.Heatmap(
            z=share,
            text=text,
            hovertext=told,
            texttemplate="%{text}",
            textfont={"color": _DARK, "weight": 600},
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
            zmin=0,
            zmax=1,
            colorscale=_LOSS_TO_WIN,
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    places = list(range(len(bots)))
    figure.update_xaxes(
        tickvals=places,
        side="top",
        ticklabeloverflow="allow",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(tickvals=places, autorange="reversed", showgrid=False, zeroline=False)
    numbered, named = _columns_numbered_and_named(bots)
    least_px = max(_FEWEST_NAMED_PX, _NAMES_PX + _NAMED_COLUMN_PX * len(bots))
    plain(figure, numbered["height"])
    figure.update_layout(numbered, meta={"0": numbered, str(least_px): named})
    return figure


def _columns_numbered_and_named(bots: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a matrix has for a layout where it is narrow, and where it is wide."""
    height_px = max(_FEWEST_ROWS_PX, _ROW_PX * len(bots))
    names = _labels(bots)
    numbers = [f"#{place}" for place in range(1, len(bots) + 1)]
    numbered = {
        "height": height_px + 40,
        "xaxis.ticktext": numbers,
        "xaxis.tickangle": 0,
        "margin.r": 16,
        "yaxis.ticktext": [
            f"{name}  {number}" for name, number in zip(names, numbers, strict=True)
        ],
    }
    named = {
        "height": height_px + _HEAD_PX,
        "xaxis.ticktext": names,
        "xaxis.tickangle": -40,
        "margin.r": _BESIDE_PX,
        "yaxis.ticktext": names,
    }
    return numbered, named


def shots_figure(solo: pd.DataFrame, turns: pd.DataFrame, colour: Mapping[str, str]) -> go.Figure:
    """Return the distribution of shots to sink the fleet, a ridge for each bot, with the median.

    Args:
        solo: One row a game, as described in `leaderboards`.
        turns: What `leaderboards.turns.mean_turns` returned for it.
        colour: A colour for each bot.

    Raises:
        LeaderboardError: If the table breaks the contract.
    """
    shots = {bot: games["shots"] for bot, games in checked_solo(solo).groupby("bot", sort=True)}
    smoothed = max(_SMOOTHED_SHOTS, _step(checked_solo(solo)))
    figure = go.Figure()
    for row, bot in enumerate(turns.to_dict("records")):
        name = bot["bot"]
        low, median, high = np.quantile(shots[name], [0.25, 0.5, 0.75]).tolist()
        figure.add_violin(
            x=sorted(shots[name].tolist()),
            y0=row,
            orientation="h",
            side="negative",
            width=1.5,
            bandwidth=smoothed,
            spanmode="hard",
            points=False,
            line={"color": colour[name], "width": 1.5},
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=[median],
            y=[row],
            mode="markers",
            marker={"color": colour[name], "size": 9, "line": {"color": "white", "width": 1}},
            hovertemplate=f"<b>{shown(name)}</b><br>median {median:g} shots"
            f"<br>half of the games: {low:g} to {high:g}"
            f"<br>best {bot['best_shots']}, worst {bot['worst_shots']}<extra></extra>",
        )
    ranked = _ranked(figure, turns["bot"].tolist(), "shots")
    ranked.update_yaxes(range=[len(turns) - 0.5, -1.0])
    return ranked


def _step(solo: pd.DataFrame) -> int:
    """Return what all numbers of shots are multiples of, at most the shots of a turn.

    The most shots are left out: where they are all cells, the last turn may have been cut short.
    """
    shots = solo["shots"].to_numpy()
    most = int(np.ceil((shots / solo["turns"]).max()))
    fewer = shots[shots < shots.max()]
    return min(int(np.gcd.reduce(fewer if len(fewer) else shots)), most)


def _interval(
    interval: tuple[float, float, float], *, row: int, colour: str, symbol: str, told: str
) -> go.Scatter:
    value, low, high = interval
    return go.Scatter(
        x=[value],
        y=[row],
        mode="markers",
        marker={
            "color": colour,
            "size": 11,
            "symbol": symbol,
            "line": {"width": 2, "color": colour},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [np.nan_to_num(high - value)],
            "arrayminus": [np.nan_to_num(value - low)],
            "color": colour,
            "thickness": 2.5,
            "width": 5,
        },
        hovertemplate=f"{told}<extra></extra>",
    )


def _elo_told(bot: Mapping[Hashable, Any]) -> str:
    limits = {
        "upper": f"95%: at most {_told(bot['high'], 0)}",
        "lower": f"95%: at least {_told(bot['low'], 0)}",
        "": f"to compare: {_told(bot['compare_low'], 0)} to {_told(bot['compare_high'], 0)}"
        f"<br>its own 95% interval: {_told(bot['low'], 0)} to {_told(bot['high'], 0)}",
    }[bot["bound"]]
    return (
        f"Elo {_told(bot['elo'], 0)}<br>{limits}"
        f"<br>won {bot['wins']}, drawn {bot['draws']}, lost {bot['losses']}"
    )


def _pairing_told(record: Mapping[Hashable, Any]) -> str:
    return (
        f"<b>{shown(record['bot'])}</b> against <b>{shown(record['opponent'])}</b>"
        f"<br>won {record['wins']}, drawn {record['draws']}, lost {record['losses']}"
        f"<br>{100 * record['score']:.1f}% of the points"
        f"<br>{_told(100 * record['predicted'], 1)}% predicted"
    )


def _told(number: float, decimals: int) -> str:
    return "?" if np.isnan(number) else f"{number + 0.0:.{decimals}f}"


def _ranked(figure: go.Figure, bots: Sequence[str], title: str) -> go.Figure:
    figure.update_yaxes(
        tickvals=list(range(len(bots))),
        ticktext=_labels(bots),
        range=[len(bots) - 0.5, -0.5],
        gridcolor=_GRID,
        zeroline=False,
    )
    figure.update_xaxes(title={"text": title}, gridcolor=_GRID, zeroline=False, nticks=8)
    return plain(figure, max(_FEWEST_ROWS_PX, _ROW_PX * len(bots)) + 60)


def plain(figure: go.Figure, height_px: int) -> go.Figure:
    """Give a figure what all have in common: no ground, grey text, no zoom, and its height."""
    figure.update_xaxes(fixedrange=True, automargin=True)
    figure.update_yaxes(fixedrange=True, automargin=True)
    figure.update_layout(
        template="none",
        height=height_px,
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": _FONT, "size": 13, "color": _INK},
        showlegend=False,
        hoverlabel={"align": "left", "font": {"family": _FONT, "size": 13}},
        hovermode="closest",
    )
    return figure
