"""Claims are as often true as they say, in simulation: each test rates hundreds of tournaments."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.coverage import COLUMNS, coverage_of_claims
from benchmarks.simulations.fields import Scenario, true_strengths
from benchmarks.simulations.look_errors import Looked, errors_of_looks
from leaderboards.elo.elo_table import ELO_PER_NAT

SIMULATIONS = 250
# Three standard errors of a share of 0.95 in 250 tournaments, below 94%.
LEAST = 0.90


def shares(table: pd.DataFrame, claim: str) -> pd.Series:
    return table[table["claim"] == claim].set_index("scenario")["coverage"]


def test_intervals_hold_the_truth_in_even_spread_and_correlated_fields() -> None:
    scenarios = (
        Scenario("even", (0, 0, 0, 0), 20),
        Scenario("alike", (150, 50, -50, -150), 40, alike=0.6),
        Scenario("opposed", (150, 50, -50, -150), 40, alike=-0.6),
    )
    table = coverage_of_claims(SIMULATIONS, 1, scenarios)
    assert (table["coverage"] >= LEAST).all(), table
    assert shares(table, "rating").between(0.93, 0.975).all(), table
    assert (shares(table, "fit") >= 0.95).all(), table
    assert "bound" not in set(table["claim"])


def test_intervals_and_bounds_hold_the_truth_of_skewed_and_undefeated_bots() -> None:
    scenarios = (
        Scenario("skewed", (700, 0, 0, -700), 40),
        Scenario("hopeless", (100, 0, -100, -1500), 40),
        Scenario("undefeated", (900, 0, -900), 15),
    )
    table = coverage_of_claims(SIMULATIONS, 2, scenarios)
    rating = shares(table, "rating")
    assert rating[["skewed", "hopeless"]].between(0.93, 0.985).all(), table
    # A one-sided bound is wrong less often the less probable the record of who has it.
    assert rating["undefeated"] >= 0.93, table
    assert (shares(table, "bound") >= 0.93).all(), table


@pytest.mark.parametrize("alike", [0.0, 0.6])
@pytest.mark.parametrize("bots", [2, 5])
def test_five_pairs_seldom_separate_the_ranks_of_equal_bots(bots: int, alike: float) -> None:
    table = coverage_of_claims(300, 3, (Scenario("few", (0.0,) * bots, 5, alike=alike),))
    assert shares(table, "ranks")["few"] >= 0.93, table


def test_intervals_allow_for_a_bot_that_improves_within_a_block() -> None:
    scenario = Scenario("learns", (100, 0, -50), 200, learnt_elo=400)
    table = coverage_of_claims(SIMULATIONS, 4, (scenario,))
    assert shares(table, "rating")["learns"] >= 0.92, table


@pytest.mark.parametrize("bots", [5, 8])
def test_one_block_a_pairing_is_enough_for_intervals_and_ranks_that_hold(bots: int) -> None:
    scenario = Scenario("one", (0,) * bots, 10, learnt_elo=0, swing_elo=150)
    table = coverage_of_claims(SIMULATIONS, 5, (scenario,))
    assert 0.915 <= shares(table, "rating")["one"] <= 0.975, table
    assert shares(table, "ranks")["one"] >= 0.92, table


def test_one_block_of_three_pairs_decides_nothing_between_equals() -> None:
    scenario = Scenario("three", (0, 0), 3, learnt_elo=0, block_pairs=3, swing_elo=150)
    table = coverage_of_claims(SIMULATIONS, 6, (scenario,))
    assert shares(table, "ranks")["three"] >= 0.95, table


def test_truth_about_a_learner_lies_between_what_it_starts_and_ends_with() -> None:
    strength, _ = true_strengths(Scenario("learns", (0, 0, 0), 200, learnt_elo=400))
    lead = (strength[0] - strength[1:].mean()) * ELO_PER_NAT
    # It knows its opponent in 27.5% of its games: from a random pair on, in half of the blocks.
    assert 60 < lead < 200
    assert strength[1] == pytest.approx(strength[2])


def test_coverage_is_the_same_for_the_same_seed() -> None:
    scenarios = (Scenario("two", (50, -50), 5, first_seat_elo=0),)
    first, again = (coverage_of_claims(20, 3, scenarios) for _ in range(2))
    pd.testing.assert_frame_equal(first, again)
    assert list(first.columns) == list(COLUMNS)
    assert set(first["claim"]) >= {"rating", "first seat", "lead over the next", "ranks"}
    assert np.isfinite(first["coverage"]).all()


def test_planned_looks_err_as_seldom_together_as_one() -> None:
    equal = Looked(Scenario("equal", (0.0,) * 3, 40), 4)
    better = Looked(Scenario("better", (150.0, 0.0, 0.0), 120), 4)
    table = errors_of_looks(120, 8, (equal, better)).set_index("scenario")
    assert table.loc["equal", "wrong"] <= 0.1, table
    # As if each were the only one, they err more often together.
    assert table.loc["equal", "wrong_as_if_one_look"] > table.loc["equal", "wrong"], table
    # Who is much better ends the games early.
    assert table.loc["better", "decided"] >= 0.95, table
    assert table.loc["better", "share_of_games"] < 0.7, table
