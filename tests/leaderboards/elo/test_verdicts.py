"""Verdicts say which of two bots is better, or how many games would decide it."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special

from leaderboards import EloDifference, Verdict, rate, verdict
from leaderboards.elo.simultaneous import anytime_value
from leaderboards.elo.verdicts import round_number, times_needed

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


def verdict_of(
    lead: tuple[float, float, float, float], *, decided: bool, games_needed: float = 30
) -> Verdict:
    """Return a verdict by eight games, given a lead with its limits and its p-value."""
    difference = EloDifference(*lead)
    return Verdict("a", "b", difference, decided, 8, detectable_elo=140, games_needed=games_needed)


def test_limit_just_below_zero_is_no_negative_zero() -> None:
    told = verdict_of((-0.004, -0.3, 99.5, 0.03), decided=False).lines()
    assert told[0].endswith("a or b: 0 Elo apart (95%: 0 to 100).")


@pytest.mark.parametrize(
    ("lead", "told"),
    [
        ((700, 100, 1300), "by 700 Elo (95%: 100 to 1300)"),
        ((700, 100, 1300.5), "by at least 100 Elo (95%)"),
        ((700, 99.5, 1000), "by at least 100 Elo (95%)"),
        ((700, 1, np.nan), "by at least 1 Elo (95%)"),
    ],
)
def test_lead_is_told_where_its_limits_are_near_and_else_its_least(
    lead: tuple[float, float, float], told: str
) -> None:
    assert verdict_of((*lead, 0.02), decided=True).lines()[0] == f"a is better than b {told}."
    assert verdict_of((700, 0.9, np.nan, 0.02), decided=True).lines()[0] == "a is better than b."


def test_chance_is_told_from_a_thousandth_on() -> None:
    [_, often] = verdict_of((80, 10, 150, 0.001), decided=True).lines()
    [_, seldom] = verdict_of((80, 10, 150, 0.00099), decided=True).lines()
    assert "a result at least this good for it would come up in 0.1% of contests" in often
    assert "so clear a result would come up less than once in 1,000 contests" in seldom


def test_number_of_games_is_told_up_to_a_hundred_times_as_many() -> None:
    [_, many] = verdict_of((20, -30, 70, 0.3), decided=False, games_needed=800).lines()
    [_, beyond] = verdict_of((20, -30, 70, 0.3), decided=False, games_needed=801).lines()
    [_, unknown] = verdict_of((20, -30, 621, 0.3), decided=False).lines()
    assert many.endswith("look, about 800 games instead of 8 would show it.")
    assert beyond.startswith("They are so close that even 100 times as many games")
    assert unknown.startswith("There are too few games")


@pytest.mark.parametrize(
    ("games", "told"),
    [(0, 0), (0.2, 2), (7, 8), (10, 10), (98.5, 100), (100, 100), (101, 110), (4201, 4300)],
)
def test_number_of_games_is_rounded_up_to_two_digits_and_even(games: float, told: int) -> None:
    assert round_number(games) == told


def test_more_games_come_nearer_to_the_deviate_in_proportion() -> None:
    power = float(special.ndtri(0.8))
    assert times_needed(10, 5, 2, 2) == pytest.approx((2 + power) ** 2 / 4)
    times = times_needed(1, 1, 3, 2)
    assert times == pytest.approx((2 + 1 / times + power) ** 2)
    # Fewer games than there were do not make it harder.
    assert times_needed(10, 1, 3, 2) == pytest.approx((3 + power) ** 2 / 100)
    assert times_needed(0, 1, 3, 2) == np.inf
    assert np.isnan([times_needed(np.nan, 1, 3, 2), times_needed(1, np.nan, 3, 2)]).all()


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


@settings(max_examples=15, deadline=None)
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
