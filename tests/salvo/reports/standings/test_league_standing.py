"""Where a bot that was submitted stands: among the others, and beside its last version."""

import itertools
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pandas as pd

from arena.league import Entry
from leaderboards import Ratings, rate
from salvo.reports.standings.league_standing import describe_place, submitted_place

ADA = Entry(name="ada", version=2, digest="", words=())


def rated(points: Mapping[str, float], pairs: int = 40) -> Ratings:
    """Return ratings by games of which the stronger wins as many more as points say."""
    rows = []
    for one, other in itertools.combinations(points, 2):
        won = round(pairs * (0.5 + (points[one] - points[other]) / 2))
        for pair in range(pairs):
            for first, second in ((one, other), (other, one)):
                result = "first" if (pair < won) == (first == one) else "second"
                rows.append((first, second, result, pair))
    columns = ["first", "second", "result", "pair"]
    return rate(pd.DataFrame(rows, columns=columns).assign(forfeit=None))


def place(points: Mapping[str, float], former: Mapping[str, float]) -> str:
    standing, before = (
        SimpleNamespace(ratings=rated(one) if len(one) > 1 else None) for one in (points, former)
    )
    told: Any = submitted_place(standing, before, ADA)  # type: ignore[arg-type] - ratings are enough
    return " ".join(describe_place(standing, ADA, told))  # type: ignore[arg-type]


def test_all_others_are_better_worse_or_undecided() -> None:
    told = place({"top": 0.9, "ada": 0.0, "bob": 0.0, "cy": 0.0, "low": -0.8}, {"ada@2": 0})
    assert "surely better than 1 bot and surely worse than 1 bot; against 2 bots it" in told
    told = place({"ada": 0.8, "bob": 0.0}, {"ada@2": 0})
    assert "surely better than 1 bot and surely worse than no bot; against no bot it" in told


def test_version_is_compared_with_the_one_before() -> None:
    field = {"ada": 0.8, "bob": 0.0}
    better = place(field, {"ada@2": 0.8, "ada@1": 0.0, "ada@3": 0.8})
    assert better.endswith("It is surely better than version 1.")
    assert place(field, {"ada@2": 0.0, "ada@1": 0.8}).endswith("surely worse than version 1.")
    level = place(field, {"ada@2": 0.0, "ada@1": 0.0})
    assert level.endswith("Whether it is better than version 1 is undecided.")


def test_bot_that_is_alone_is_not_rated() -> None:
    assert place({"ada": 0}, {"ada@2": 0}) == (
        "ada is alone in the league: it is rated when there is another."
    )
