"""thompson_enumeration over every layout of the source's small games."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from arena.rules import Rules, Ship, placements

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""

GRID_STRATEGY = Fraction(37, 5)
"""What the search on a grid takes, which bots/diagonal_search.py plays."""


def mean_over_every_layout(play: Play, rows: int, columns: int) -> Fraction:
    rules = Rules(name="one ship", rows=rows, columns=columns, fleet=(Ship("three", 3),))
    places = placements(rows, columns, 3)
    turns = sum(
        len(play("thompson_enumeration", rules, layout=[place])[0].salvos) for place in places
    )
    return Fraction(turns, len(places))


def test_every_row_of_ten_takes_the_optimum(play: Play) -> None:
    assert mean_over_every_layout(play, 1, 10) == Fraction(9, 2)


def test_every_row_of_five_takes_the_optimum(play: Play) -> None:
    assert mean_over_every_layout(play, 1, 5) == Fraction(11, 3)


def test_every_square_is_near_the_optimum(play: Play) -> None:
    # The optimum is 6.9.
    assert Fraction(69, 10) <= mean_over_every_layout(play, 5, 5) < GRID_STRATEGY


def test_takes_the_lowest_of_equal_cells(play: Play) -> None:
    rules = Rules(name="row", rows=1, columns=10, fleet=(Ship("three", 3),))
    (game,) = play("thompson_enumeration", rules, layout=[0b111 << 7])
    assert game.cells[0] == 2
