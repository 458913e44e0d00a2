"""What the first seat is worth, and whether all pairings agree on it."""

import itertools

import numpy as np
import pytest
import scipy

from leaderboards.elo.estimate import Estimate, estimated
from leaderboards.elo.game_counts import Field, field_of
from leaderboards.elo.intervals import limits
from leaderboards.elo.likelihood import ADVANTAGE
from leaderboards.inputs import checked_games
from tests.leaderboards.told_games import games

TWOS = ("ada bo", "ada cy", "bo cy", "dot ada")


def rated(shares: tuple[int, ...], pairs: int) -> tuple[Field, Estimate]:
    """Return a field in which the first seat won in so many pairs of each two bots, else lost."""
    met = {two: "+-" * won + "-+" * (pairs - won) for two, won in zip(TWOS, shares, strict=False)}
    found = field_of(checked_games(games(met)))
    return found, estimated(found, 0.25)


def misfit(found: Field, estimate: Estimate) -> tuple[float, float]:
    """Return chi-squared of what pairings have beyond the common worth, and its p-value."""
    assert estimate.joint is not None
    fit = estimate.joint.fit
    direction = np.eye(len(fit.naive))[[ADVANTAGE]]
    inflation = fit.adjustment(direction)[0]
    table = found.table()
    statistics = []
    for one, other in itertools.combinations(range(len(found.bots)), 2):
        surplus = variance = 0.0
        for first, second in ((one, other), (other, one)):
            won, drawn, lost = table[first, second].tolist()
            chance = estimate.score[first, second]
            surplus += won + drawn / 2 - (won + drawn + lost) * chance
            variance += (won + drawn + lost) * chance * (1 - chance) * inflation
        if variance > 2:
            statistics.append(surplus**2 / variance)
    degrees = len(statistics) - 1
    total = sum(statistics)
    return total / degrees, float(scipy.stats.chi2.sf(total, degrees))


def test_pairings_differ_from_a_p_value_of_a_thousandth_on_and_widen_the_interval() -> None:
    chances = []
    for more, third in ((13, 66), (14, 63), (14, 66), (15, 63), (30, 60)):
        found, estimate = rated((60 + more, 60 - more, third), 120)
        statistic, chance = misfit(found, estimate)
        assert estimate.seats_differ == (chance < 0.001)
        chances.append(chance)
        assert estimate.joint is not None
        fit = estimate.joint.fit
        [low], [high] = limits(fit, np.eye(len(fit.naive))[[ADVANTAGE]])
        wider = np.sqrt(statistic) if estimate.seats_differ else 1.0
        assert estimate.advantage is not None
        value, *ends = estimate.advantage
        assert value == fit.maximum.parameters[ADVANTAGE]
        assert ends == pytest.approx([value + (end - value) * wider for end in (low, high)])
    assert chances[:4] == pytest.approx([0.00241, 0.00133, 0.00098, 0.00051], abs=1e-5)


@pytest.mark.parametrize(
    ("shares", "pairs"),
    [
        ((60,), 60),  # nothing to compare a single pairing with
        ((3, 0), 3),
        ((0, 60), 60),
        ((60, 0, 60, 0), 60),
    ],
)
def test_pairings_are_compared_where_two_have_points_enough(
    shares: tuple[int, ...], pairs: int
) -> None:
    found, estimate = rated(shares, pairs)
    assert estimate.seats_differ == (len(shares) > 1 and pairs > 3)
    if estimate.seats_differ:
        assert misfit(found, estimate)[1] < 0.001
