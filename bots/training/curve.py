"""Draws a learning curve: the running mean of what games count, against games and time."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

WINDOW = 500  # games that a running mean is taken over, or a fifth of all if these are fewer
POINTS = 400  # points of the curve at the most
QUANTILE = 1.959964  # of the normal distribution, for 95%

Columns = dict[str, NDArray[Any]]


AXES = {"turns": "turns to sink the fleet", "points": "points against bundled bots"}


def running_mean(counts: list[int], seconds: list[float], what: str = "turns") -> Columns:
    """Return the games, the seconds, and the running mean of a count with 95% intervals."""
    window = max(2, min(WINDOW, len(counts) // 5))
    ends = np.unique(np.linspace(window, len(counts), POINTS).astype(int))
    total = np.concatenate([[0.0], np.cumsum(counts, dtype=float)])
    squares = np.concatenate([[0.0], np.cumsum(np.square(counts, dtype=float))])
    mean = (total[ends] - total[ends - window]) / window
    variance = (squares[ends] - squares[ends - window]) / window - mean**2
    half = QUANTILE * np.sqrt(np.maximum(variance, 0) / (window - 1))
    return {
        "games": ends,
        "seconds": np.array(seconds)[ends - 1],
        f"mean_{what}": mean,
        "low": mean - half,
        "high": mean + half,
    }


def write_curve(
    folder: Path, counts: list[int], seconds: list[float], title: str, what: str
) -> None:
    """Write ``curve.csv`` and ``curve.html``; nothing of fewer than two games.

    ``what`` is counted of each game, one of ``AXES``.
    """
    if len(counts) < 2:  # noqa: PLR2004 - of which no interval is to be had
        return
    columns = running_mean(counts, seconds, what)
    with (folder / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for games, *values in zip(*columns.values(), strict=True):
            writer.writerow([int(games), *(round(float(value), 4) for value in values)])
    figure = _figure(columns, title, what)
    figure.write_html(folder / "curve.html", include_plotlyjs=True)


def _figure(columns: Columns, title: str, what: str) -> go.Figure:
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True)
    for column, (across, label) in enumerate((("games", "games"), ("seconds", "seconds")), 1):
        x = columns[across]
        band = np.concatenate([columns["high"], columns["low"][::-1]])
        around = go.Scatter(
            x=np.concatenate([x, x[::-1]]),
            y=band,
            fill="toself",
            line={"width": 0},
            fillcolor="rgba(31, 119, 180, 0.2)",
            name="95% interval",
            showlegend=column == 1,
            hoverinfo="skip",
        )
        line = go.Scatter(
            x=x,
            y=columns[f"mean_{what}"],
            line={"color": "rgb(31, 119, 180)"},
            name="running mean",
            showlegend=column == 1,
        )
        figure.add_trace(around, row=1, col=column)
        figure.add_trace(line, row=1, col=column)
        figure.update_xaxes(title_text=label, row=1, col=column)
    figure.update_yaxes(title_text=AXES[what], row=1, col=1)
    figure.update_layout(title=title, template="none")
    return figure
