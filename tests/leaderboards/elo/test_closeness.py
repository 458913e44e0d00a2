"""Tests which bots count as near."""

import numpy as np
import pytest

from leaderboards.elo.closeness import NEAR_ELO, nats_beyond_near
from leaderboards.elo.elo_table import ELO_PER_NAT


def beyond(points: list[float], games: int) -> list[float]:
    """Return by how many Elo each bot is too far from the first, which won so many points."""
    size = len(points) + 1
    met, won = np.zeros((size, size), dtype=np.int64), np.zeros((size, size))
    met[0, 1:] = met[1:, 0] = games
    won[0, 1:], won[1:, 0] = points, games - np.array(points)
    return (ELO_PER_NAT * nats_beyond_near(met, won)[0, 1:]).tolist()


def test_without_games_all_are_near() -> None:
    assert beyond([0.0, 0.0], 0) == [0, 0]


def test_bots_that_differ_no_more_than_luck_explains_are_near() -> None:
    # By these few games alone, the first stands 382 Elo above the second.
    assert beyond([9.0, 5.0, 4.0, 6.0], 10) == [0, 0, 0, 0]


def test_gap_of_bots_that_surely_differ_counts_from_where_nearness_ends() -> None:
    [far, equal] = beyond([960.0, 500.0], 1000)
    assert far + NEAR_ELO == pytest.approx(552, abs=10)  # 400 log10(0.96 / 0.04)
    assert equal == 0
