"""Which of many differences are sure, whatever linear algebra a machine has."""

import numpy as np
import pytest
import scipy

from leaderboards.elo.game_counts import Floats
from leaderboards.elo.simultaneous import anytime_value, chained, critical_value, rank_sets

COVARIANCE = np.diag([400.0, 100.0, 225.0, 400.0]) + 50.0


def test_eigenvectors_may_point_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = np.linalg.eigh

    def turned(matrix: Floats) -> tuple[Floats, Floats]:
        values, vectors = usual(matrix)
        return values, vectors * np.array([1.0, -1.0, -1.0, 1.0])

    expected = critical_value(COVARIANCE, 30.0)
    monkeypatch.setattr(np.linalg, "eigh", turned)
    assert critical_value(COVARIANCE, 30.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("size", "degrees", "looks", "tabulated"),
    [(3, 20, 1, 3.578), (5, 40, 1, 4.039), (5, 40, 5, 4.93)],
)
def test_largest_of_equal_differences_is_that_of_tukeys_range(
    size: int, degrees: float, looks: int, tabulated: float
) -> None:
    # The studentised range at 5%, or a look's share of it, is sqrt(2) times as large.
    found = critical_value(3 * np.eye(size) + 1, degrees, looks)
    assert found == pytest.approx(tabulated / 2**0.5, rel=0.02)


@pytest.mark.parametrize("looks", [1, 2, 5])
def test_single_difference_is_students_at_a_share_of_the_error(looks: int) -> None:
    expected = scipy.stats.t.ppf(1 - 0.025 / looks, 12.5)
    assert critical_value(COVARIANCE[:2, :2], 12.5, looks) == pytest.approx(expected)


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_to_compare_is_never_sure(size: int) -> None:
    assert critical_value(COVARIANCE[:size, :size], 12.5) == np.inf


def test_limits_for_any_time_are_those_of_a_normal_mixture() -> None:
    units = np.array([1.0, 20.0, 300.0])
    for error in (0.05, 0.01):
        expected = np.sqrt((1 + 20 / units) * np.log((1 + units / 20) / error**2))
        assert anytime_value(units, error) == pytest.approx(expected)
    assert anytime_value(units) == pytest.approx(anytime_value(units, 0.05))


def test_who_is_better_than_a_better_bot_is_better() -> None:
    # The first beats the second, the second the third, and the third the fourth; nobody the fifth.
    sure = np.zeros((5, 5), dtype=bool)
    sure[[0, 1, 2], [1, 2, 3]] = True
    whole = chained(sure)
    assert [np.flatnonzero(row).tolist() for row in whole] == [[1, 2, 3], [2, 3], [3], [], []]
    best, worst = rank_sets(whole)
    assert best.tolist() == [1, 2, 3, 4, 1]
    assert worst.tolist() == [2, 3, 4, 5, 5]
