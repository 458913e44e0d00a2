"""Computes distributions of shooting at random, in exact fractions."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, sqrt

from arena.rules import Rules

Distribution = Mapping[int, Fraction]
"""The probability of each number."""


def until(wanted: int, marked: int, cells: int) -> Distribution:
    """Return the distribution of the draw that turns up the wanted-th marked cell.

    The negative hypergeometric distribution: cells are drawn without replacement.

    Args:
        wanted: Which of the marked cells is waited for, counted from 1.
    """
    every = comb(cells, marked)
    return {
        draw: Fraction(comb(draw - 1, wanted - 1) * comb(cells - draw, marked - wanted), every)
        for draw in range(wanted, cells - marked + wanted + 1)
    }


def random_turns(cells: int, occupied: int, shots: int) -> Distribution:
    """Return the distribution of how many random salvos of untried cells sink everything."""
    distribution: dict[int, Fraction] = dict.fromkeys(range(1, -(-cells // shots) + 1), Fraction(0))
    for draw, probability in until(occupied, occupied, cells).items():
        distribution[-(-draw // shots)] += probability
    return {turn: probability for turn, probability in distribution.items() if probability}


def random_turns_of(rules: Rules) -> Distribution:
    """Return the same for rules with a fixed number of shots."""
    assert isinstance(rules.shots, int)
    return random_turns(rules.cells, sum(ship.length for ship in rules.fleet), rules.shots)


def optimistic_floor(
    lengths: Sequence[int], cells: int, misses: Fraction, *, shifted: bool
) -> Fraction:
    """Return Rochford's floor of the mean turns for a fleet.

    A checkerboard is searched at random until it has been hit as often as there are ships, taken
    for one hit each; then each ship costs its other cells and some misses.

    Args:
        misses: The misses a ship, after its first hit.
        shifted: Whether the distribution of the search begins at the number of ship cells on the
            checkerboard, as his program has it, in place of the number of hits waited for.
    """
    marked = sum(-(-length // 2) for length in lengths)
    search = mean(until(len(lengths), marked, cells))
    if shifted:
        search += marked - len(lengths)
    return search + sum(length - 1 for length in lengths) + misses * len(lengths)


def mean(distribution: Distribution) -> Fraction:
    """Return the mean of a distribution."""
    return sum((number * probability for number, probability in distribution.items()), Fraction(0))


def deviation(distribution: Distribution) -> float:
    """Return the standard deviation of a distribution."""
    centre = mean(distribution)
    return sqrt(sum(p * (number - centre) ** 2 for number, p in distribution.items()))
