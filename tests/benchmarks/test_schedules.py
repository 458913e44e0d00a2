"""Tests the simulation of schedules, and by it how often intervals hold."""

import numpy as np
import pytest

from benchmarks import schedules
from benchmarks.schedules import Settings, rated, simulated
from leaderboards import rate
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import field_of
from salvo.conditions import MATCHING


@pytest.mark.parametrize("spread", [0, 50])
def test_own_intervals_hold_in_close_fields(spread: int) -> None:
    rows = [row for number in range(12) for row in simulated(Settings(), spread, number)]
    for matching in MATCHING:
        held = [row["held"] for row in rows if row["schedule"] == matching]
        # Of 360 intervals; were it always the nearest that meet, 75 to 88% would hold.
        assert np.mean(held) > 0.92


def test_ratings_are_those_of_the_leaderboard() -> None:
    names = ["a", "b", "c", "d", "e"]
    settings = Settings(bots=5, games=100)
    elo = np.array([200.0, 100.0, 0.0, 0.0, -150.0])
    schedule = schedules.scheduled("adaptive", "cup", names, settings)
    games = schedules.played_by(schedule, names, elo, np.random.default_rng(1))
    found, table = (
        rated(field_of(games)),
        rate(games.assign(forfeit=None)).table.set_index("bot").loc[names],
    )
    assert 1500 + ELO_PER_NAT * found.strength == pytest.approx(table["elo"].to_numpy())
    assert 1500 + ELO_PER_NAT * found.low == pytest.approx(table["low"].to_numpy())
