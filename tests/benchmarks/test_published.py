"""A published number agrees with ours if chance and rounding make the one of the other."""

import pytest

from benchmarks.compared.published import Published, quantile_limits
from benchmarks.games.estimates import Estimate, estimate


def test_mean_has_students_interval() -> None:
    found = estimate([1, 2, 3, 4])
    assert found.value == 2.5
    assert found.half == pytest.approx(3.182 * 1.291 / 2, abs=1e-2)


@pytest.mark.parametrize(("theirs", "agrees"), [("95.39", True), ("95.4", True), ("95.38", False)])
def test_computed_number_agrees_to_the_digits_printed(theirs: str, *, agrees: bool) -> None:
    assert Published("law", theirs, exact=95.388889, games=0).agrees is agrees


@pytest.mark.parametrize(("theirs", "agrees"), [("6.0", True), ("6.2", False), ("6.7", False)])
def test_mean_of_games_agrees_within_chance(theirs: str, *, agrees: bool) -> None:
    assert Published("case", theirs, exact=5.9, deviation=1.8, games=500).agrees is agrees


@pytest.mark.parametrize(("theirs", "agrees"), [("49.4", True), ("51", False)])
def test_two_means_agree_within_the_chance_of_both(theirs: str, *, agrees: bool) -> None:
    ours = Estimate(48.7, 0.25, 4.0)
    assert Published("mean", theirs, ours, games=50).agrees is agrees


def test_number_that_was_not_published_neither_agrees_nor_differs() -> None:
    assert Published("ours alone", ours=Estimate(1, 1, 1)).agrees is None


def test_quantile_lies_between_its_limits() -> None:
    low, high = quantile_limits(range(1000), 0.5, 50)
    # The 26th of 50 uniform numbers has the mean 26 / 51 and the deviation 0.069.
    assert (low, high) == (pytest.approx(375, abs=10), pytest.approx(645, abs=10))
    low, high = quantile_limits(range(1000), 1, 50)
    assert low < 980 < high


@pytest.mark.parametrize(("theirs", "agrees"), [("4", True), ("5.4", False), ("5", True)])
def test_quantile_agrees_within_its_limits(theirs: str, *, agrees: bool) -> None:
    assert Published("median", theirs, limits=(3, 5)).agrees is agrees
