"""Tests the scale of a chart: those that are close have room, whoever is far off is outside."""

import math

import pytest

from leaderboards.display.scale import Estimated, scale_of


def values(*numbers: float, half: float = 20.0) -> list[Estimated]:
    return [Estimated(number, number - half, number + half) for number in numbers]


@pytest.mark.parametrize(
    ("numbers", "far"),
    [
        ([1600, 1550, 1500], []),
        ([1600, 1550, 300], [300]),
        ([1600, 1550, 1500, 320, 300], [300, 320]),
        ([3000, 1550, 1500, 1480, 300], [300, 3000]),
        ([1600, 300], []),
        ([1600, 1590, 310, 300], []),
        ([1500], []),
    ],
)
def test_whoever_a_gap_wider_than_the_rest_parts_from_most_is_off(
    numbers: list[float], far: list[float]
) -> None:
    scale = scale_of(values(*numbers))
    assert sorted(number for number in numbers if scale.side(number)) == far


def test_intervals_of_those_on_the_scale_are_on_it() -> None:
    scale = scale_of(values(1600, 1500, 200, half=50))
    assert scale.low < 1450
    assert scale.high > 1650


def test_interval_far_longer_than_most_is_cut() -> None:
    scale = scale_of([*values(1600, 1550, 1500), Estimated(1580, -4000, 9000)])
    assert 1300 < scale.low < 1500
    assert 1600 < scale.high < 1800


@pytest.mark.parametrize(
    ("estimates", "low", "high"),
    [
        (values(1500, 1600), 1480 - 5.6, 1620 + 5.6),
        # Twice the half of the typical interval is shown of a longer one, and no more.
        ([*values(1600, 1600), Estimated(1600, 1580, 1700)], 1580 - 2.4, 1640 + 2.4),
        ([*[Estimated(0, -10, 30)] * 2, Estimated(0, -10, 100)], -10 - 2, 40 + 2),
        ([Estimated(0, math.nan, 10), Estimated(100, 90, math.nan)], 0 - 4, 100 + 4),
        # A gap that is just as wide as the others together parts nobody from them.
        (values(0, 100, 200, half=0), 0 - 8, 200 + 8),
        (values(-1, 100, 200, half=0), 100 - 4, 200 + 4),
        ([], -1, 1),
    ],
)
def test_scale_is_that_of_the_intervals_with_a_margin(
    estimates: list[Estimated], low: float, high: float
) -> None:
    scale = scale_of(estimates)
    assert (scale.low, scale.high) == pytest.approx((low, high))


def test_missing_end_of_an_interval_adds_nothing() -> None:
    scale = scale_of([Estimated(1600, math.nan, 1620), Estimated(1500, 1480, math.nan)])
    assert 1470 < scale.low < 1480
    assert 1620 < scale.high < 1630


def test_place_is_a_share_of_the_scale_and_its_edge_for_those_off_it() -> None:
    scale = scale_of(values(0, 100, half=0))
    assert [scale.place(value) for value in (-500, 50, 500)] == [0, 0.5, 1]
    assert [scale.side(value) for value in (-500, 50, 500)] == [-1, 0, 1]


def test_one_value_without_an_interval_has_a_scale() -> None:
    scale = scale_of([Estimated(7.0, math.nan, math.nan)])
    assert scale.low < 7 < scale.high
