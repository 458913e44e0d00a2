"""Tests which bots count as near."""

import itertools

import numpy as np
import pytest
from scipy import optimize

from leaderboards.elo.closeness import NEAR_ELO, nats_beyond_near
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import Floats


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


def most_probable(games: Floats, points: Floats, spread: float) -> tuple[Floats, float]:
    """Return the most probable strengths given their spread, and how probable they make it."""
    size = len(games)

    def improbability(strength: Floats) -> float:
        odds = np.exp(strength[None, :] - strength[:, None])
        likelihood = -(points * np.log1p(odds)).sum()
        return float(strength @ strength / (2 * spread**2) - likelihood)

    found = optimize.minimize(improbability, np.zeros(size), options={"gtol": 1e-7})
    chance = 1 / (1 + np.exp(found.x[None, :] - found.x[:, None]))
    curvature = np.eye(size) / spread**2
    for one, other in itertools.combinations(range(size), 2):
        apart = np.eye(size)[one] - np.eye(size)[other]
        told = games[one, other] * chance[one, other] * (1 - chance[one, other])
        curvature += told * np.outer(apart, apart)
    volume = np.linalg.slogdet(curvature).logabsdet / 2 + size * np.log(spread)
    return found.x, float(-found.fun - volume)


@pytest.mark.parametrize(
    ("step", "spread"), [(100.0, 100.0), (150.0, 200.0), (220.0, 400.0), (430.0, 800.0)]
)
def test_strengths_are_the_most_probable_ones_under_the_most_probable_spread(
    step: float, spread: float
) -> None:
    games = np.array([[0, 10, 20, 40], [10, 0, 30, 20], [20, 30, 0, 10], [40, 20, 10, 0]])
    place = np.arange(4)
    points = games / (1 + 10 ** ((place[:, None] - place[None, :]) * step / 400))
    found = {
        elo: most_probable(games, points, elo / ELO_PER_NAT)
        for elo in (25.0, 50.0, 100.0, 200.0, 400.0, 800.0)
    }
    assert max(found, key=lambda elo: found[elo][1]) == spread
    elo = found[spread][0] * ELO_PER_NAT
    expected = np.maximum(np.abs(elo[:, None] - elo[None, :]) - 250, 0)
    assert expected.any()
    told = ELO_PER_NAT * nats_beyond_near(games, points)
    assert told == pytest.approx(expected, abs=0.01)
