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


def test_missing_end_of_an_interval_adds_nothing() -> None:
    scale = scale_of([Estimated(1600, math.nan, 1620), Estimated(1500, 1480, math.nan)])
    assert 1470 < scale.low < 1480
    assert 1620 < scale.high < 1630


def test_place_is_a_share_of_the_scale_and_its_edge_for_those_off_it() -> None:
    scale = scale_of(values(0, 100, half=0))
    assert [scale.place(value) for value in (-500, 50, 500)] == [0, 0.5, 1]


def test_one_value_without_an_interval_has_a_scale() -> None:
    scale = scale_of([Estimated(7.0, math.nan, math.nan)])
    assert scale.low < 7 < scale.high
