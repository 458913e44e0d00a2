"""Figures, boards and pages of small fields, trace for trace: a file that can be checked by eye.

Numbers are rounded, and what Plotly adds of its own is left out.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from leaderboards import mean_turns, rate
from leaderboards.display import html_page
from leaderboards.display.animation import animated_svg, still_svg
from leaderboards.display.figures import CONFIG, matrix_figure, shots_figure
from leaderboards.display.heat_maps import HeatMap, caption, describe, heat_map, numbers
from leaderboards.display.history import history_figure
from leaderboards.display.interval_charts import elo_figure, turns_figure
from leaderboards.display.matrix import matrix_of
from leaderboards.display.palette import styles
from leaderboards.display.replay_frames import Frame, Mark, Panel, Replay, plain_replay
from leaderboards.display.sections import Drawing, Profile, Section, Table
from leaderboards.elo.ratings import PRIOR_PAIRS, Ratings
from tests.golden import compare

FIGURES = Path(__file__).parent / "figures_in_full.txt"
PAGE = Path(__file__).parent / "page_in_full.html"
LONG = "e_name_of_more_than_twenty_letters"
WON = {
    ("ada", "bo"): 13,
    ("ada", LONG): 15,
    ("bo", LONG): 11,
    **{(one, "di<v"): 20 for one in ("ada", "bo", LONG)},
}
"""The games of twenty that the first of two won; unless it won all, one more was a draw."""


def field(*, prior: float | None = PRIOR_PAIRS, bots: Sequence[str] | None = None) -> Ratings:
    """Return ratings of which one is a bound and far off, and two have names to shorten."""
    rows = []
    for (one, other), won in WON.items():
        results = [*["first"] * won, "draw", *["second"] * 9][:20]
        results = results if won < 20 else ["first"] * 20
        for number, result in enumerate(results):
            swapped = {"first": "second", "second": "first", "draw": "draw"}[result]
            rows.append((one, other, result) if number % 2 else (other, one, swapped))
    games = pd.DataFrame(rows, columns=["first", "second", "result"]).assign(forfeit=None)
    return rate(games, prior=prior, bots=bots)


def solo() -> pd.DataFrame:
    shots = {"ada": (35, 40, 40, 55), "bo": (45, 50, 60, 60), "lost": (95, 98, 100, 100)}
    rows = [
        (bot, layout, -(-taken // 5), taken)
        for bot, all_taken in shots.items()
        for layout, taken in enumerate(all_taken)
    ]
    table = pd.DataFrame(rows, columns=["bot", "layout", "turns", "shots"])
    return table.assign(hits=17, forfeit=False)


def rounded(value: Any) -> Any:  # noqa: ANN401 - JSON has any shape
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return round(value, 2) if isinstance(value, float) else value


def unlike(parts: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what each part has unlike the one before."""
    before: dict[str, Any] = {}
    for part in parts:
        new = {key: value for key, value in part.items() if before.get(key) != value}
        gone = dict.fromkeys(set(before) - set(part), "gone")
        yield f"  {json.dumps(new | gone, sort_keys=True)}"
        before = part


def drawn(figure: go.Figure, before: set[str]) -> Iterator[str]:
    """Yield the traces of a figure, and its layout where no figure before had the same."""
    plain = rounded(json.loads(figure.to_json()))
    yield from unlike(plain["data"])
    layout = plain["layout"]
    del layout["template"]
    for name in ("annotations", "shapes"):
        yield f"{name}:"
        yield from unlike(layout.pop(name, []))
    for key, value in sorted(layout.items()):
        line = f"{key}: {json.dumps(value, sort_keys=True)}"
        if line not in before:
            yield line
            before.add(line)


def game() -> Replay:
    """Return a game of two salvos and an end, with a chart of chances."""
    boards: list[list[Mark]] = [
        ["miss", "ship", "water", "water"],
        ["miss", "hit", "miss", "water"],
        ["miss", "sunk", "miss", "water"],
    ]
    chances = [0.0, 0.1, 0.5, float("nan")], [0.25, 1.0, 0.04, 1.5]
    frames = [
        Frame(
            [
                f"Salvo {number}",
                "It fires & hits, with <many> words."[: 13 * number],
            ],
            [
                Panel("bo <b>", "ships", marks, None, fired),
                Panel("ada", "chances", marks, chances[min(number, 2) - 1], hidden=number == 3),
            ],
            cost=0.12345 if number == 1 else None,
        )
        for number, (marks, fired) in enumerate(zip(boards, ([0], [1, 2], []), strict=True), 1)
    ]
    return Replay(
        key="upset",
        label="The upset",
        heading="ada & bo",
        bots=["ada"],
        notes=["A note."],
        rows=["A", "B"],
        columns=["1", "2"],
        frames=frames,
        legend=["Dark is likely."],
        why="It was close.",
        start=2,
    )


def figures() -> str:
    return "".join(f"{part}\n" for part in parts())


def parts() -> Iterator[str]:
    """Yield all figures as text."""
    before: set[str] = set()
    ratings, games = field(), solo()
    turns = mean_turns(games)
    style = styles([*ratings.table["bot"], *turns["bot"]])
    yield "#### settings"
    yield json.dumps(CONFIG)
    yield "#### ratings"
    yield from drawn(elo_figure(ratings, style), before)
    yield "#### turns"
    yield from drawn(turns_figure(turns, style), before)
    yield "#### turns less luck, and one far off"
    luck = games["shots"] - games["shots"].mean()
    known = games.assign(luck=luck / 9, luck_shots=luck / 2, block=games.index // 2)
    far = known[known["bot"] == "ada"].assign(bot="far", turns=99)
    less_luck = mean_turns(pd.concat([known, far]))
    yield from drawn(turns_figure(less_luck, styles(less_luck["bot"])), before)
    yield "#### ratings without a prior"
    yield from drawn(elo_figure(field(prior=None), style), before)
    yield "#### shots"
    yield from drawn(shots_figure(games, turns, style), before)
    yield "#### who beats whom"
    yield from drawn(matrix_figure(ratings), before)
    matrix = matrix_of(ratings)
    yield matrix.caption
    for bot, rank, row in zip(matrix.bots, matrix.ranks, matrix.rows, strict=True):
        yield f"{rank} {bot}"
        yield from (
            "  -" if cell is None else f"  {cell.points} {cell.games} {cell.colour} {cell.title}"
            for cell in row
        )
    yield "#### versions"
    versions = pd.DataFrame(
        [
            ("ada", 1, 1500.0, 1450.0, 1570.0),
            ("ada", 2, np.nan, np.nan, np.nan),
            ("bo", 1, 1400.0, np.nan, 1450.0),
            ("ada", 3, 1600.5, 1550.25, np.nan),
        ],
        columns=["bot", "version", "elo", "low", "high"],
    )
    yield from drawn(history_figure(versions, style), before)
    yield "#### heat map"
    heat = HeatMap("Where <it> shoots", [0, 3, 25, 50, 100, 200], 400, ["A", "B"], ["1", "2", "3"])
    yield from (caption(heat), describe(heat), json.dumps(numbers(heat)))
    yield str(heat_map(heat)).replace("><", ">\n<")
    yield "#### a game as data"
    for key, value in plain_replay(game()).items():
        yield f"{key}: {json.dumps(value)}"
    yield "#### a game as an animation"
    yield animated_svg(game())
    yield "#### the end of a game"
    yield still_svg(game())


def page() -> str:
    """Return what a page says and where, without its styles, its scripts and its figures."""
    games = solo()
    games = games[games["bot"] != "lost"]
    axes = ["A"], ["1", "2"]
    heats = [
        HeatMap("Where it shoots", [3, 1], 4, *axes),
        HeatMap("Where it opens", [90, 10], 100, *axes),
    ]
    table = Table("Against each", [{"opponent": "bo", "in words": "13 & 6", "won": "13"}], "A note")
    drawing = Drawing("Wide", go.Figure(layout={"height": 100}), wide=True, numbers=table)
    text = html_page.html(
        ratings=field(bots=("ada", "bo", "di<v")),
        turns=mean_turns(games),
        solo=games,
        settings={"seed": 7},
        title="A <page>",
        about="Of a & b",
        facts={"Seed": "7", "To repeat": "$ salvo run"},
        further=[Section("more", "More: of <it>", ["Verdict."], ["Noted."], [drawing])],
        closing=[Section("faults", "Faults", tables=[table])],
        replays=[game(), dataclasses.replace(game(), key="other", why="")],
        profiles=[Profile("ada", "brief & good", ["A <sentence>."], [table], heats)],
        notes=["A note of the page."],
    )
    text = re.sub(r"(<(style|script)[^>]*>).*?(</\2>)", r"\1...\3", text, flags=re.DOTALL)
    return re.sub(r"\n\s*\n+", "\n", text)


@pytest.mark.parametrize(("told", "golden"), [(figures, FIGURES), (page, PAGE)])
def test_all_is_drawn_and_said_as_it_was(told: Callable[[], str], golden: Path) -> None:
    compare(told(), golden)
