"""What is explained of a leaderboard depends on limits that its numbers reach or do not."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from leaderboards import FirstSeat, Ratings, mean_turns, rate
from leaderboards.display.explanations import elo_explanations, turns_explanations, turns_notes
from leaderboards.display.field_verdicts import detectable_elo
from tests.leaderboards.told_games import games, ladder


def told(ratings: Ratings, beginning: str) -> list[str]:
    return [line for line in elo_explanations(ratings) if line.startswith(beginning)]


@pytest.mark.parametrize(
    ("below", "above", "explained"),
    [(100, 125, False), (100, 126, True), (125, 100, False), (126, 100, True)],
)
def test_interval_is_lopsided_from_a_quarter_more_on(
    below: float, above: float, *, explained: bool
) -> None:
    ratings = rate(games(ladder(3, 10)))
    elo = ratings.table["elo"].round()
    one = ratings.table.assign(elo=elo, low=elo - 80, high=elo + 80)
    one.loc[1, ["low", "high"]] = elo[1] - below, elo[1] + above
    assert bool(told(replace(ratings, table=one), "Some intervals reach further")) == explained


@pytest.mark.parametrize(
    ("bots", "ending"),
    [
        (2, "ada than bo."),
        (5, "ada, bo, cy, dot than eli."),
        (6, "ada, bo, cy, dot than eli; and so on for 1 more bot."),
        (8, "ada, bo, cy, dot than eli; and so on for 3 more bots."),
    ],
)
def test_four_bots_are_named_that_others_surely_beat_though_ranks_overlap(
    bots: int, ending: str
) -> None:
    ratings = rate(games(ladder(bots, 5)))
    names = ratings.table["bot"].tolist()
    sure = pd.DataFrame(np.triu(np.ones((bots, bots), dtype=bool), 1), names, names)
    every = ratings.table.assign(best_rank=1, worst_rank=bots)
    [line] = told(replace(ratings, table=every, sure=sure), "Surely better though ranks overlap: ")
    assert line.endswith(ending)
    touching = ratings.table.assign(best_rank=range(1, bots + 1), worst_rank=range(2, bots + 2))
    [line] = told(replace(ratings, table=touching, sure=sure), "Surely better")
    assert line.startswith("Surely better though ranks overlap: ada than bo")
    assert line.count("ada") == 1
    apart = ratings.table.assign(best_rank=range(1, bots + 1), worst_rank=range(1, bots + 1))
    assert told(replace(ratings, table=apart, sure=sure), "Surely better") == []


@pytest.mark.parametrize(("most", "span"), [(599.9, "600"), (600.1, ""), (300.2, "300")])
def test_leads_that_would_be_seen_are_told_up_to_600_elo(most: float, span: str) -> None:
    ratings = rate(games({"ada bo": "++-+--+-", "cy dot": "++-+--+-+-" * 5}))
    seen = detectable_elo(ratings, "ada", "bo")
    scaled = replace(ratings, covariance=ratings.covariance * (most / seen) ** 2)
    other = detectable_elo(scaled, "cy", "dot")
    assert other < most - 1
    lines = told(scaled, "What these games could show")
    assert len(lines) == bool(span)
    if span:
        assert f"a lead of {other:.0f} to {span} Elo would" in lines[0]


@pytest.mark.parametrize(
    ("seat", "said"),
    [
        (None, []),
        (FirstSeat(-0.3, -20.4, 19.6), ["The first seat is worth 0 Elo (-20 to 20)."]),
        (FirstSeat(100, -500, 700), ["The first seat is worth 100 Elo (-500 to 700)."]),
        (FirstSeat(100, -501, 200), []),
        (FirstSeat(100, 0, 701), []),
    ],
)
def test_first_seat_is_told_where_its_limits_say_something(
    seat: FirstSeat | None, said: list[str]
) -> None:
    ratings = rate(games({"ada bo": "++-+"}))
    assert told(replace(ratings, first_seat=seat), "The first seat") == said


def test_ranks_and_comparisons_are_explained_of_two_searchers() -> None:
    one = pd.DataFrame({"bot": "ada", "layout": [1, 2], "turns": 9, "shots": 40})
    one = one.assign(hits=17, forfeit=False)
    alone, both = (mean_turns(pd.concat(parts)) for parts in ([one], [one, one.assign(bot="bo")]))
    assert [line.split()[0] for line in turns_explanations(alone)] == ["Turns"]
    assert [line.split()[0] for line in turns_explanations(both)] == ["Turns", "Ranks", "Bots"]
    assert turns_notes(both) == []
