"""A part of the games stands for all where few bots move far, as exactly as it says."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from leaderboards.elo import expansion
from leaderboards.elo.expansion import Expansion, Likelihood
from leaderboards.elo.fit import Fit, constraints_of, fitted
from leaderboards.elo.game_counts import Floats, Integers, field_of
from leaderboards.elo.intervals import FAR, limits, significance
from leaderboards.elo.likelihood import gradient, log_likelihood, maximised
from leaderboards.inputs import checked_games

BOTS = 40


def fit_of(*, pairs: int, met: float, draws: float, far: float = 0.0) -> Fit:
    """Return the fit of a field; `far` is by how many nats one bot is better than all others."""
    source = np.random.default_rng(7)
    strength = source.normal(0, 0.7, BOTS)
    strength[0] += far
    one, other = np.triu_indices(BOTS, 1)
    some = (source.random(len(one)) < met) | (other == one + 1)
    first = np.repeat(np.concatenate([one[some], other[some]]), pairs)
    second = np.repeat(np.concatenate([other[some], one[some]]), pairs)
    chance = 1 / (1 + np.exp(strength[second] - strength[first] - 0.2))
    result = np.where(source.random(len(first)) < chance, "first", "second")
    result[source.random(len(first)) < draws] = "draw"
    names = np.array([f"bot{number:02d}" for number in range(BOTS)], dtype=object)
    field = field_of(
        checked_games(
            pd.DataFrame(
                {
                    "first": names[first],
                    "second": names[second],
                    "result": result,
                    "forfeit": None,
                }
            )
        )
    )
    return fitted(field, 0.25, constraints_of(field, [range(BOTS)]))


FIELDS = {
    "everybody met": {"pairs": 20, "met": 1.0, "draws": 0.0},
    "some games are drawn": {"pairs": 20, "met": 1.0, "draws": 0.2},
    "few met": {"pairs": 4, "met": 0.2, "draws": 0.0},
    "one wins nearly always": {"pairs": 4, "met": 1.0, "draws": 0.0, "far": 3.0},
}


@pytest.fixture(params=FIELDS, scope="module")
def fit(request: pytest.FixtureRequest) -> Fit:
    return fit_of(**FIELDS[request.param])


def moved(fit: Fit) -> Floats:
    """Return parameters where each bot in turn is moved, and the others go with it."""
    size = len(fit.naive)
    moves = fit.naive[:BOTS] / np.sqrt(np.diag(fit.naive)[:BOTS, None])
    assert moves.shape == (BOTS, size)
    return fit.maximum.parameters + np.concatenate([-5 * moves, 2 * moves])


def test_likelihood_is_wrong_by_no_more_than_is_allowed(fit: Fit) -> None:
    there, most = moved(fit), 0.1
    parts = []

    def solve(rows: Integers, likelihood: Likelihood) -> tuple[Floats, Floats]:
        parts.append(type(likelihood))
        return likelihood.value(there[rows]), there[rows]

    around = Expansion(fit.maximum.evidence, fit.maximum.parameters)
    found = around.solved(there, np.full(len(there), most), solve)
    assert np.abs(found - log_likelihood(fit.maximum.evidence, there)).max() <= most
    assert set(parts) - {Likelihood}, "a part of the games was never enough"


def test_gradient_is_that_of_the_likelihood(fit: Fit) -> None:
    there = moved(fit)
    found = np.zeros_like(there)

    def solve(rows: Integers, likelihood: Likelihood) -> tuple[Floats, Floats]:
        found[rows] = likelihood.gradient(there[rows], np.arange(len(rows)))
        return np.zeros(len(rows)), there[rows]

    around = Expansion(fit.maximum.evidence, fit.maximum.parameters)
    around.solved(there, np.full(len(there), 0.1), solve)
    assert np.abs(found - gradient(fit.maximum.evidence, there)).max() < 0.05
    assert np.abs(found).max() > 1


def fallen(fit: Fit, direction: Floats, value: float) -> float:
    """Return by how much the whole likelihood falls at most where a contrast has a value."""
    move = direction @ fit.naive / (direction @ fit.naive @ direction)
    start = fit.maximum.parameters + (value - direction @ fit.maximum.parameters) * move
    held = np.vstack([fit.maximum.constraints, direction])
    there = maximised(fit.maximum.evidence, start, held)
    return fit.maximum.value - float(log_likelihood(fit.maximum.evidence, there))


def test_at_limits_the_whole_likelihood_has_fallen(fit: Fit) -> None:
    directions = np.eye(BOTS, len(fit.naive))
    low, high = limits(fit, directions)
    wanted = special.stdtrit(fit.degrees(), 0.975) ** 2 / 2 * fit.adjustment(directions)
    for bot in (0, 1, BOTS - 1):
        for end in (low, high):
            found = fallen(fit, directions[bot], end[bot])
            assert found == pytest.approx(wanted[bot], rel=1e-5)


def test_significance_is_the_fall_of_the_whole_likelihood(fit: Fit) -> None:
    found = significance(fit)
    for one, other in ((0, 1), (2, 3), (BOTS - 2, BOTS - 1)):
        if abs(found[one, other]) >= FAR:
            continue
        direction = np.eye(BOTS, len(fit.naive))[one] - np.eye(BOTS, len(fit.naive))[other]
        root = np.sqrt(2 * fallen(fit, direction, 0) / fit.adjustment(direction[None])[0])
        assert abs(found[one, other]) == pytest.approx(root, rel=1e-5)


def test_error_of_one_game_is_bounded_by_the_largest_third_derivative() -> None:
    chance = special.expit(np.linspace(-5, 5, 100_001))
    third = chance * (1 - chance) * (1 - 2 * chance)  # of the log of a chance
    assert abs(third).max() / 6 == pytest.approx(expansion._REMAINDER)
