"""Measures how time and memory grow with games, bots, cells and workers, up to given sizes.

Nothing is played but the games of the cells: other games are generated, each with the course of one
that was, and workers play blocks that only sleep. Each size has a process of its own. The slope of
each is on logarithmic scales, that of the three largest sizes: 1 where twice as much takes twice as
long.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go

from benchmarks.costs.growing import Cost, measure
from benchmarks.lines import Note, Target, aligned, outcome_line, target_table
from benchmarks.options import option
from salvo.cli.options.option_types import WholeRange

AIM_MB = 50.0
"""By how much the parent's memory may grow from the fewest games recorded to the most."""

_FITTED = 3
"""The largest sizes, to which slopes are fitted: smaller ones show what is there at any size."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(1_000_000, "The most games.", least=100)
    bots: int = option(500, "The most bots.", least=2)
    cells: int = option(4096, "The most cells.", type=WholeRange(min=64, max=4096))
    workers: int = option(64, "The most workers.")
    html: Path = option(Path("salvo-growth.html"), "Where the figure is written.")


class _Growth(NamedTuple):
    """The costs of a kind that ``measure`` knows: what it is, and against which size it grows."""

    name: str
    what: str
    against: str
    costs: list[Cost]


def run(settings: Settings) -> Iterator[str]:
    """Yield a table with slopes, one of targets, and the outcome."""
    games = _ladder(min(1000, settings.games), settings.games, 10)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, what, against, sizes in (
            ("record", "recording games", "games", games),
            ("rate", "rating recorded games", "games", games),
            ("begin", "entering and beginning", "bots", _ladder(2, settings.bots, 4)),
            ("rate-bots", "rating bots", "bots", _ladder(2, settings.bots, 2)),
            ("play", "a game in this process", "cells", _ladder(64, settings.cells, 4)),
            (
                "employ",
                "wall time a block of 0.5 s",
                "workers",
                _ladder(1, settings.workers, 2),
            ),
        ):
            costs = [measure(name, size, Path(folder)) for size in sizes]
            yield Note(f"{what}: {', '.join(f'{cost.size:,}' for cost in costs)}")
            found.append(_Growth(name, what, against, costs))
    yield _table(found)
    yield ""
    recorded = found[0].costs
    grown_mb = recorded[-1].memory_mb - recorded[0].memory_mb
    what = f"memory of the parent, {recorded[-1].size:,} recorded games above {recorded[0].size:,}"
    wanted, told = f"{AIM_MB:g} MB or less", f"{grown_mb:.1f} MB"
    yield target_table([Target(what, wanted, told, grown_mb <= AIM_MB)])
    settings.html.write_text(_figure(found).to_html(include_plotlyjs=True), encoding="utf-8")
    yield f"{settings.html} shows it"
    slopes = {
        one.name: {"time": _slope(one.costs, "seconds"), "memory": _slope(one.costs, "memory_mb")}
        for one in found
    }
    yield outcome_line("growth", ratio=round(grown_mb / AIM_MB, 3), slopes=slopes)


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


def _table(found: Sequence[_Growth]) -> str:
    rows = []
    for _, what, against, costs in found:
        least, most = costs[0], costs[-1]
        rows.append(
            (
                what,
                f"{least.size:,} to {most.size:,} {against}",
                f"{_time(least.seconds)} to {_time(most.seconds)}",
                _times(most.seconds / least.seconds),
                f"{_slope(costs, 'seconds'):.2f}",
                f"{least.memory_mb:.0f} to {most.memory_mb:.0f}",
                _times(most.memory_mb / least.memory_mb),
                f"{_slope(costs, 'memory_mb'):.2f}",
            )
        )
    return aligned(rows, ("", "size", "time", "factor", "slope", "memory, MB", "factor", "slope"))


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"  # noqa: PLR2004 - two digits


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _figure(found: Sequence[_Growth]) -> go.Figure:
    """Return time and memory against each, on logarithmic scales."""
    rows = [
        (of, one.against, cost.size, value, f"{one.what} (slopes {slopes})")
        for one in found
        for slopes in [f"{_slope(one.costs, 'seconds')}, {_slope(one.costs, 'memory_mb')}"]
        for cost in one.costs
        for of, value in (("time, s", cost.seconds), ("most memory, MB", cost.memory_mb))
    ]
    figure = px.line(
        pd.DataFrame(rows, columns=["of", "against", "size", "value", "what"]),
        x="size",
        y="value",
        color="what",
        facet_row="of",
        facet_col="against",
        log_x=True,
        log_y=True,
        markers=True,
        title="What grows with what: time and memory of one process",
        template="plotly_white",
        height=760,
    )
    return figure.update_xaxes(matches=None).update_yaxes(matches=None)
