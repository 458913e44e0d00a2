"""Errors and limits of means, beside the formulas that they are taken from."""

import numpy as np
import pytest
import scipy

from leaderboards.turns.means import Floats, Whole, error_of_mean, mean_limits

VALUES = np.array([9.0, 12.0, 7.0, 15.0, 11.0, 8.0, 21.0, 10.0])
BLOCKS = np.array([7, 7, 3, 3, 3, 5, 5, 7])


def test_error_of_independent_numbers_is_that_of_the_mean() -> None:
    error, degrees = error_of_mean(VALUES)
    assert error == pytest.approx(scipy.stats.sem(VALUES))
    assert degrees == 7


def test_error_of_numbers_in_blocks_weighs_that_of_blocks_and_that_of_single_numbers() -> None:
    away = VALUES - VALUES.mean()
    sums = np.array([away[block == BLOCKS].sum() for block in (3, 5, 7)])
    single = away @ away / 7 / 8
    of_blocks = sums @ sums * 3 / 2 / 64
    weight = 2 / 12  # two blocks more than one, and ten
    error, degrees = error_of_mean(VALUES, BLOCKS)
    assert error**2 == pytest.approx(weight * of_blocks + (1 - weight) * single)
    # Satterthwaite: seven directions, of which two are those between blocks.
    shares = np.array([weight / 2 + (1 - weight) / 7] * 2 + [(1 - weight) / 7] * 5)
    assert shares.sum() == pytest.approx(1)
    assert degrees == pytest.approx(1 / (shares @ shares))


def test_one_block_is_as_good_as_none() -> None:
    assert error_of_mean(VALUES, np.zeros(8, dtype=np.int64)) == pytest.approx(
        error_of_mean(VALUES)
    )


@pytest.mark.parametrize("blocks", [None, np.repeat([0, 1, 2, 3], 2)])
def test_numbers_that_never_vary_have_the_least_error(blocks: Whole | None) -> None:
    error, _ = error_of_mean(np.full(8, 5.0), blocks, 0.4)
    assert error == pytest.approx(0.4 / np.sqrt(8))


def test_error_is_not_lessened_by_the_least() -> None:
    assert error_of_mean(VALUES, BLOCKS, 0.4) == error_of_mean(VALUES, BLOCKS)


def test_means_of_one_number_and_of_none_have_no_limits() -> None:
    assert mean_limits(np.array([4.0])) == pytest.approx((4, np.nan, np.nan), nan_ok=True)
    assert np.isnan(mean_limits(np.array([]))).all()
    low_and_high = mean_limits(np.array([4.0, 6.0]))[1:]
    assert low_and_high == pytest.approx(
        scipy.stats.ttest_1samp([4, 6], 0).confidence_interval(0.95)
    )


@pytest.mark.parametrize(
    "values",
    [
        VALUES,
        -VALUES,
        np.array([1.0, 1, 1, 1, 1, 1, 1, 1, 9]),
        np.array([9.0, 9, 9, 9, 9, 9, 9, 9, 1]),
        np.array([1.0, 2, 3, 4, 5]),
    ],
)
def test_limits_are_those_that_halls_cubic_takes_to_students(values: Floats) -> None:
    size = len(values)
    # No more than two are taken out; where all numbers but one are the same it would be three.
    skewness = np.clip(scipy.stats.skew(values, bias=False), -2, 2)
    mean, low, high = mean_limits(values)
    student = scipy.stats.t.ppf(0.975, size - 1)
    for limit, quantile in ((low, student), (high, -student)):
        away = (mean - limit) / scipy.stats.sem(values)
        cubic = (
            away
            + skewness * away**2 / 3 / np.sqrt(size)
            + skewness**2 * away**3 / 27 / size
            + skewness / 6 / np.sqrt(size)
        )
        assert cubic == pytest.approx(quantile)


def test_numbers_that_vary_no_more_than_rounding_are_not_skewed() -> None:
    values = np.array([10.0, 10, 10, 10, 10, 10, 11])
    deviation = values.std(ddof=1)
    mean, low, high = mean_limits(values, deviation)
    assert mean - low == pytest.approx(high - mean)
    mean, low, high = mean_limits(values, deviation - 1e-9)
    assert mean - low < high - mean
