"""Measures how time and memory grow with games, bots, cells and workers."""

import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from benchmarks.compared.targets import Target, target_table
from benchmarks.costs.growing import Cost, measure
from benchmarks.lines import Note, aligned, outcome_line
from leaderboards.display.palette import COLOURS

AIM_MB = 50.0
"""By how much the parent's memory may grow from the fewest games recorded to the most."""

_FITTED = 3
"""The largest sizes, to which slopes are fitted: smaller ones show what is there at any size."""


class Most(NamedTuple):
    """The largest sizes that are tried."""

    games: int = 1_000_000
    bots: int = 500
    cells: int = 4096
    workers: int = 64


class _Kind(NamedTuple):
    """Something that grows.

    Attributes:
        name: What ``measure`` calls it.
        what: What is measured, in words.
        against: What it grows with.
        sizes: The sizes that are tried.
    """

    name: str
    what: str
    against: str
    sizes: tuple[int, ...]


def growth(most: Most, html: Path) -> Iterator[str]:
    """Measure time and memory against games, bots, cells of the board and workers.

    Nothing is played but the games of the cells: other games are generated, each with the course
    of one that was, and workers play blocks that only sleep. Each size has a process of its own.

    Args:
        most: The largest sizes.
        html: Where the figure is written.

    Yields:
        A table with slopes, one of targets, and the outcome. A slope is 1 where twice as much takes
        twice as long; it is that of the three largest sizes.
    """
    found: list[tuple[_Kind, list[Cost]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in _kinds(most):
            costs = [measure(kind.name, size, Path(folder)) for size in kind.sizes]
            yield Note(f"{kind.what}: {', '.join(f'{cost.size:,}' for cost in costs)}")
            found.append((kind, costs))
    yield _table(found)
    yield ""
    recorded = next(costs for kind, costs in found if kind.name == "record")
    grown_mb = recorded[-1].memory_mb - recorded[0].memory_mb
    sizes = f"{recorded[-1].size:,} recorded games above {recorded[0].size:,}"
    wanted, told = f"{AIM_MB:g} MB or less", f"{grown_mb:.1f} MB"
    yield target_table([Target(f"memory of the parent, {sizes}", wanted, told, grown_mb <= AIM_MB)])
    html.write_text(_figure(found).to_html(include_plotlyjs=True), encoding="utf-8")
    yield f"{html} shows it"
    yield outcome_line(
        {
            "benchmark": "growth",
            "ratio": round(grown_mb / AIM_MB, 3),
            "slopes": {
                kind.name: {"time": _slope(costs, "seconds"), "memory": _slope(costs, "memory_mb")}
                for kind, costs in found
            },
        }
    )


def _kinds(most: Most) -> list[_Kind]:
    games = _ladder(min(1000, most.games), most.games, 10)
    return [
        _Kind("record", "recording games", "games", games),
        _Kind("rate", "rating recorded games", "games", games),
        _Kind("begin", "entering and beginning", "bots", _ladder(2, most.bots, 4)),
        _Kind("rate-bots", "rating bots", "bots", _ladder(2, most.bots, 2)),
        _Kind("play", "a game in this process", "cells", _ladder(64, most.cells, 4)),
        _Kind("employ", "a block that sleeps", "workers", _ladder(1, most.workers, 2)),
    ]


def _ladder(first: int, last: int, factor: int) -> tuple[int, ...]:
    """Return sizes from the first on, each a factor larger, and the last."""
    sizes = [first]
    while sizes[-1] * factor < last:
        sizes.append(sizes[-1] * factor)
    return (*sizes, last) if last > first else (first,)


def _slope(costs: Sequence[Cost], of: str) -> float:
    """Return the slope of a straight line through the largest sizes, on logarithmic scales."""
    last = costs[-_FITTED:]
    if len(last) < 2:  # noqa: PLR2004 - a line has two ends
        return 0.0
    sizes, values = ([getattr(cost, name) for cost in last] for name in ("size", of))
    return round(float(np.polyfit(np.log(sizes), np.log(values), 1)[0]), 2) + 0.0  # no -0.0


def _table(found: Sequence[tuple[_Kind, Sequence[Cost]]]) -> str:
    rows = []
    for kind, costs in found:
        least, most = costs[0], costs[-1]
        rows.append(
            (
                kind.what,
                f"{least.size:,} to {most.size:,} {kind.against}",
                f"{_time(least.seconds)} to {_time(most.seconds)}",
                _times(most.seconds / least.seconds),
                f"{_slope(costs, 'seconds'):.2f}",
                f"{least.memory_mb:.0f} to {most.memory_mb:.0f}",
                _times(most.memory_mb / least.memory_mb),
                f"{_slope(costs, 'memory_mb'):.2f}",
            )
        )
    return aligned(rows, ("", "against", "time", "times", "slope", "memory, MB", "times", "slope"))


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"  # noqa: PLR2004 - two digits


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _figure(found: Sequence[tuple[_Kind, Sequence[Cost]]]) -> go.Figure:
    """Return time and memory against each, on logarithmic scales."""
    against = list(dict.fromkeys(kind.against for kind, _ in found))
    figure = make_subplots(
        rows=2,
        cols=len(against),
        shared_xaxes=True,
        vertical_spacing=0.06,
        subplot_titles=[f"Against {name}" for name in against],
    )
    for (kind, costs), colour in zip(found, COLOURS, strict=False):
        column = against.index(kind.against) + 1
        slopes = f"slopes {_slope(costs, 'seconds')}, {_slope(costs, 'memory_mb')}"
        for row, of in ((1, "seconds"), (2, "memory_mb")):
            trace = go.Scatter(
                x=[cost.size for cost in costs],
                y=[getattr(cost, of) for cost in costs],
                name=f"{kind.what} ({slopes})",
                mode="lines+markers",
                line={"color": colour},
                legendgroup=kind.name,
                showlegend=row == 1,
            )
            figure.add_trace(trace, row=row, col=column)
    _scale(figure, found, against)
    figure.update_layout(
        title="What grows with what: time and memory of one process",
        template="plotly_white",
        height=760,
        legend={"orientation": "h", "y": -0.14},
    )
    return figure


def _scale(
    figure: go.Figure, found: Sequence[tuple[_Kind, Sequence[Cost]]], against: Sequence[str]
) -> None:
    """Set the axes: whole powers of ten, the same for all times and for all memories."""
    for column, name in enumerate(against, 1):
        sizes = {cost.size for kind, costs in found if kind.against == name for cost in costs}
        shown = sorted(sizes)[:: max(1, len(sizes) // 4)]
        figure.update_xaxes(
            type="log", tickvals=shown, ticktext=[f"{size:,}" for size in shown], col=column
        )
        figure.update_xaxes(title_text=name, row=2, col=column)
    for row, of, title in ((1, "seconds", "time, s"), (2, "memory_mb", "most memory, MB")):
        values = np.log10([getattr(cost, of) for _, costs in found for cost in costs])
        whole = [math.floor(values.min()), math.ceil(values.max())]
        figure.update_yaxes(type="log", dtick=1, range=whole, row=row)
        figure.update_yaxes(title_text=title, row=row, col=1)
