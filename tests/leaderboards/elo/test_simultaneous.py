"""Which of many differences are sure, whatever linear algebra a machine has."""

import numpy as np
import pytest

from leaderboards.elo.game_counts import Floats
from leaderboards.elo.simultaneous import critical_value

COVARIANCE = np.diag([400.0, 100.0, 225.0, 400.0]) + 50.0


def test_eigenvectors_may_point_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = np.linalg.eigh

    def turned(matrix: Floats) -> tuple[Floats, Floats]:
        values, vectors = usual(matrix)
        return values, vectors * np.array([1.0, -1.0, -1.0, 1.0])

    expected = critical_value(COVARIANCE, 30.0)
    monkeypatch.setattr(np.linalg, "eigh", turned)
    assert critical_value(COVARIANCE, 30.0) == pytest.approx(expected, rel=1e-12)


def test_largest_of_equal_differences_is_that_of_tukeys_range() -> None:
    # The studentised range at 5% of 3 means with 20 degrees of freedom is 3.578, times sqrt(2).
    assert critical_value(np.eye(3), 20.0) == pytest.approx(3.578 / 2**0.5, rel=0.02)
