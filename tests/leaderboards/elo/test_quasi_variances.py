"""One variance a bot stands for those of all differences, as nearly as can be."""

import numpy as np
import pytest
from scipy import optimize

from leaderboards.elo.game_counts import Floats
from leaderboards.elo.quasi_variances import quasi_variances, variances_of_differences


def test_variance_of_a_difference_takes_off_twice_the_covariance() -> None:
    covariance = np.array([[4.0, 1.0, -0.5], [1.0, 9.0, 2.0], [-0.5, 2.0, 1.0]])
    assert variances_of_differences(covariance).tolist() == [[0, 11, 6], [11, 0, 6], [6, 6, 0]]


def test_sums_that_variances_are_exactly_are_found() -> None:
    quasi = np.array([0.5, 2.0, 0.3, 4.0, 3.0, 7.0, 1.0])
    differences = quasi[:, None] + quasi[None, :]
    groups = [(0, 2, 3, 6), (1, 4)]
    found = quasi_variances(differences, groups)
    assert found[[0, 2, 3, 6]] == pytest.approx(quasi[[0, 2, 3, 6]])
    # Of two there is but one difference, and each has half of it.
    assert found[[1, 4]] == pytest.approx([2.5, 2.5])
    assert np.isnan(found[5])


def test_group_of_one_has_none() -> None:
    assert np.isnan(quasi_variances(np.ones((1, 1)), [(0,)])).all()


def logs_apart(logs: Floats, differences: Floats) -> Floats:
    one, other = np.triu_indices(len(logs), 1)
    return np.log((np.exp(logs[one]) + np.exp(logs[other])) / differences[one, other])


def test_other_variances_are_met_by_least_squares_of_logarithms() -> None:
    root = np.random.default_rng(1).normal(size=(5, 7)) + 2 * np.eye(5, 7)
    differences = variances_of_differences(root @ root.T)
    best = optimize.least_squares(logs_apart, np.zeros(5), args=(differences,), xtol=1e-12)
    assert best.cost > 1e-4
    found = quasi_variances(differences, [range(5)])
    assert np.log(found) == pytest.approx(best.x, abs=1e-4)


def test_bot_that_all_others_are_known_through_has_a_twentieth_of_the_least() -> None:
    # The others met the first alone: it is known exactly beside any of them.
    own = np.array([1.0, 2.0, 3.0, 4.0])
    differences = np.zeros((5, 5))
    differences[1:, 1:] = own[:, None] + own[None, :]
    differences[0, 1:] = differences[1:, 0] = 0.9 * own
    found = quasi_variances(differences, [range(5)])
    assert found[0] == pytest.approx(0.05 * 0.9)
    rest = optimize.least_squares(
        lambda logs: logs_apart(np.append(np.log(0.045), logs), differences), np.zeros(4)
    )
    assert np.log(found[1:]) == pytest.approx(rest.x, abs=1e-4)
