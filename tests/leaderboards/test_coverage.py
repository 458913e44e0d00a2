"""How often intervals hold the truth, in simulation."""

import pandas as pd

from leaderboards.coverage import COLUMNS, Scenario, coverage_of_intervals

SIMULATIONS = 250
# Three standard errors of a share of 0.95 in 250 tournaments, below 94%.
LEAST, MOST = 0.90, 0.985


def test_intervals_hold_the_truth_in_even_spread_and_correlated_fields() -> None:
    scenarios = (
        Scenario("even", (0, 0, 0, 0), 30, 20),
        Scenario("alike", (150, 50, -50, -150), 30, 40, alike=0.6),
        Scenario("opposed", (150, 50, -50, -150), 30, 40, alike=-0.6),
    )
    table = coverage_of_intervals(SIMULATIONS, 1, scenarios)
    assert table["coverage"].between(LEAST, MOST).all(), table
    assert table.groupby("scenario")["coverage"].mean().between(0.93, 0.97).all(), table
    assert (table["one_sided"] == 0).all()


def test_intervals_and_bounds_hold_the_truth_of_skewed_and_undefeated_bots() -> None:
    scenarios = (
        Scenario("skewed", (700, 0, 0, -700), 30, 40),
        Scenario("undefeated", (900, 0, -900), 30, 15),
    )
    table = coverage_of_intervals(SIMULATIONS, 2, scenarios)
    assert (table["coverage"] >= LEAST).all(), table
    skewed = table[table["scenario"] == "skewed"]
    assert 0.93 <= skewed["coverage"].mean() <= 0.98, table
    assert table["one_sided"].max() > 0.5


def test_coverage_is_the_same_for_the_same_seed() -> None:
    scenarios = (Scenario("two", (50, -50), 0, 5),)
    first, again = (coverage_of_intervals(5, 3, scenarios) for _ in range(2))
    pd.testing.assert_frame_equal(first, again)
    assert list(first.columns) == list(COLUMNS)
    assert first["of"].tolist() == ["bot 1", "bot 2", "first seat"]
