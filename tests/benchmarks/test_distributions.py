"""The distributions of shooting at random, against what is drawn and what was published."""

from fractions import Fraction
from itertools import combinations

import pytest

from benchmarks.games.distributions import deviation, mean, optimistic_floor, random_turns, until


def test_classic_game_takes_a_random_player_95_turns() -> None:
    assert mean(until(17, 17, 100)) == Fraction(17 * 101, 18)


@pytest.mark.parametrize(
    ("wanted", "marked", "cells"), [(1, 1, 4), (2, 3, 6), (3, 3, 5), (1, 4, 4)]
)
def test_until_agrees_with_every_order(wanted: int, marked: int, cells: int) -> None:
    draws = [sorted(places)[wanted - 1] + 1 for places in combinations(range(cells), marked)]
    for draw, probability in until(wanted, marked, cells).items():
        assert probability == Fraction(draws.count(draw), len(draws))


@pytest.mark.parametrize(
    ("cells", "occupied", "shots", "turns"),
    [
        (16, 4, 1, 13.6),
        (25, 6, 1, 22.2857),
        (16, 2, 2, 5.9),
        (16, 4, 2, 7.0154),
        (16, 6, 2, 7.4798),
    ],
)
def test_random_salvos(cells: int, occupied: int, shots: int, turns: float) -> None:
    distribution = random_turns(cells, occupied, shots)
    assert sum(distribution.values()) == 1
    assert float(mean(distribution)) == pytest.approx(turns, abs=1e-4)


def test_deviation_of_a_distribution() -> None:
    assert deviation({1: Fraction(1, 2), 3: Fraction(1, 2)}) == 1


@pytest.mark.parametrize(
    ("misses", "shifted", "turns"),
    [(Fraction(0), True, 40.1818), (Fraction(1, 2), True, 42.6818), (Fraction(0), False, 35.1818)],
)
def test_floors_of_the_classic_game(misses: Fraction, turns: float, *, shifted: bool) -> None:
    floor = optimistic_floor([5, 4, 3, 3, 2], 50, misses, shifted=shifted)
    assert float(floor) == pytest.approx(turns, abs=1e-4)
