"""Verdicts say which of two bots is better, or how many games would decide it."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from leaderboards import EloDifference, Verdict, rate, verdict
from leaderboards.elo.simultaneous import anytime_value

GamesOf = Callable[..., pd.DataFrame]


def test_sure_lead_is_said_with_its_interval_and_chance(league: GamesOf) -> None:
    found = verdict(rate(league({"a": 100, "b": -100}, 100)), "b", "a")
    assert found.decided
    assert (found.better, found.other) == ("a", "b")
    assert found.lines()[0].startswith("a is better than b by ")
    assert "less than once in 1,000 contests" in found.lines()[1]


def test_open_contest_says_how_many_games_would_decide_it(league: GamesOf) -> None:
    ratings = rate(league({"a": 40, "b": 0}, 50, seed=4))
    found = verdict(ratings, "a", "b")
    assert not found.decided
    assert found.games == 100
    # Student's quantile, since 50 pairs tell only about how sure they are.
    error = (found.lead.high - found.lead.low) / 2 / 2.005
    assert found.detectable_elo == pytest.approx((2.005 + 0.84) * error, rel=0.01)
    assert found.games_needed == pytest.approx(
        100 * (2.8 * error / found.lead.value) ** 2, rel=0.01
    )
    assert "games instead of 100" in found.lines()[1]


def test_four_times_the_games_show_half_the_lead(league: GamesOf) -> None:
    few, many = (
        verdict(rate(league({"a": 0, "b": 0}, pairs)), "a", "b").detectable_elo
        for pairs in (100, 400)
    )
    assert few / many == pytest.approx(2, rel=0.1)


def test_bot_that_won_everything_is_better_by_at_least(games_of: GamesOf) -> None:
    rows = [game for n in range(20) for game in (("a", "b", "first", n), ("b", "a", "second", n))]
    found = verdict(rate(games_of(rows)), "a", "b")
    assert found.decided
    assert "by at least" in found.lines()[0]


def test_limit_just_below_zero_is_no_negative_zero() -> None:
    lead = EloDifference(value=-0.004, low=-0.3, high=99.5, p_value=0.03)
    found = Verdict("a", "b", lead, decided=False, games=8, detectable_elo=140, games_needed=30)
    assert found.lines()[0].endswith("a or b: 0 Elo apart (95%: 0 to 100).")


def test_one_game_decides_nothing(games_of: GamesOf) -> None:
    found = verdict(rate(games_of([("a", "b", "first", 0)])), "a", "b")
    assert not found.decided
    assert found.lines()[1].startswith("There are too few games")


def test_bots_that_no_games_link_have_no_verdict(league: GamesOf) -> None:
    games = pd.concat([league({"a": 0, "b": 0}, 5), league({"x": 0, "y": 0}, 5)])
    assert verdict(rate(games), "a", "x").lines()[0].startswith("No game shows which is better")


def test_limits_after_a_look_are_wider_and_the_verdict_says_so(league: GamesOf) -> None:
    games = league({"a": 60, "b": -60}, 60)
    once, again = (verdict(rate(games, extended=looked), "a", "b") for looked in (False, True))
    assert again.lead.low < once.lead.low
    assert "hold however often one looks" in again.lines()[-1]


def test_limits_for_any_time_hold_at_all_times_together() -> None:
    steps = np.random.default_rng(1).normal(size=(1000, 2000)).cumsum(axis=1)
    units = np.arange(1, 2001)
    reach = anytime_value(units)
    crossed = (np.abs(steps) > reach * np.sqrt(units)).any(axis=1)
    assert crossed.mean() <= 0.05
    looked = (np.abs(steps) > 1.96 * np.sqrt(units)).any(axis=1)
    assert looked.mean() > 0.5


@settings(max_examples=30, deadline=None)
@example(
    played=[
        (result, 0) for result in ("first", "second", "first", "draw", "first", "second", "first")
    ],
    unit="pair",
    extended=True,
)
@given(
    st.lists(
        st.tuples(st.sampled_from(["first", "second", "draw"]), st.integers(0, 3)),
        min_size=1,
        max_size=60,
    ),
    st.sampled_from(["pair", "block", None]),
    st.booleans(),
)
def test_verdict_on_two_bots_agrees_with_their_ranks(
    played: list[tuple[str, int]],
    unit: str | None,
    extended: bool,  # noqa: FBT001 - Hypothesis draws it
) -> None:
    rows = [
        (*(("a", "b") if number % 2 else ("b", "a")), result, number // 2 if unit == "pair" else at)
        for number, (result, at) in enumerate(played)
    ]
    games = pd.DataFrame(rows, columns=["first", "second", "result", unit or "round"])
    ratings = rate(games.assign(forfeit=None), extended=extended)
    found = verdict(ratings, "a", "b")
    assert found.decided == ratings.sure.loc[found.better, found.other]
    assert found.decided == (found.lead.low > 0)
    assert not ratings.sure.loc[found.other, found.better]
    ranks = ratings.table[["best_rank", "worst_rank"]].to_numpy().tolist()
    assert ranks == ([[1, 1], [2, 2]] if found.decided else [[1, 2], [1, 2]])
    if not extended:
        assert found.lead.low == pytest.approx(
            ratings.difference(found.better, found.other).low, nan_ok=True
        )
