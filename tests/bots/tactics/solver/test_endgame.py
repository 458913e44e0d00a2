"""The endgame is played with the fewest misses that any shooter needs who is told what sinks."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from arena.rules import placements
from bots.tactics.solver.endgame import Afloat, best_cell
from bots.tactics.solver.small_game import TooLargeError

CELLS = 9
WORK = 10_000

LAYOUTS = [
    (Afloat(long, 3), Afloat(short, 2))
    for long in placements(3, 3, 3)
    for short in placements(3, 3, 2)
    if not long & short
]

HIT_BEFORE = [
    (Afloat(long & ~0b100_000_000, 3), Afloat(one & ~0b1, 2), Afloat(two & ~0b1, 2))
    for long in placements(3, 3, 3)
    for one in placements(3, 3, 2)
    for two in placements(3, 3, 2)
    if one < two and (one | two) & 0b1 and long & 0b100_000_000
    if not long & one | long & two | one & two
]
"""Two ships of 2 and one of 3, where the first cell and the last were hit."""

EVEN = [1.0] * 9
UNEVEN = [1.0, 2.0, 5.0] * 3


def parts_of(
    layouts: Sequence[Sequence[Afloat]], left: Sequence[int], shot: int, cell: int
) -> dict[int | None, tuple[int, ...]]:
    """Return the layouts by what they answer: None for a miss, else the length that sinks or 0."""
    parts: dict[int | None, tuple[int, ...]] = {}
    for number in left:
        struck = [ship for ship in layouts[number] if ship.cells >> cell & 1]
        sunk = [ship.length for ship in struck if ship.cells & ~shot == 1 << cell]
        answer = sum(sunk) if struck else None
        parts[answer] = (*parts.get(answer, ()), number)
    return parts


def fewest_misses(
    layouts: Sequence[Sequence[Afloat]], weights: Sequence[float], first: int | None = None
) -> float:
    """Return the misses over all layouts, by trying everything; ``first`` is shot first."""

    @cache
    def after(left: tuple[int, ...], shot: int, cell: int) -> float:
        parts = parts_of(layouts, left, shot, cell)
        if list(parts) == [None]:
            return 1_000
        return sum(weights[number] for number in parts.get(None, ())) + sum(
            misses(part, shot | 1 << cell) for part in parts.values()
        )

    @cache
    def misses(left: tuple[int, ...], shot: int) -> float:
        if len(left) == 1:
            return 0
        return min(after(left, shot, cell) for cell in range(CELLS) if not shot >> cell & 1)

    every = tuple(range(len(layouts)))
    return misses(every, 0) if first is None else after(every, 0, first)


@pytest.mark.parametrize(
    ("seed", "layouts", "weights", "allowed"),
    [
        *((seed, LAYOUTS, EVEN, allowed) for seed, allowed in enumerate([49, 35, 69, 27])),
        *((seed, LAYOUTS, UNEVEN, allowed) for seed, allowed in enumerate([59, 33, 86, 30])),
        *((seed, HIT_BEFORE, EVEN, allowed) for seed, allowed in enumerate([72, 47])),
        *((seed, HIT_BEFORE, UNEVEN, allowed) for seed, allowed in enumerate([44, 32])),
    ],
)
def test_no_other_first_shot_needs_fewer_misses(
    seed: int,
    layouts: Sequence[Sequence[Afloat]],
    weights: Sequence[float],
    allowed: int,
) -> None:
    layouts = Random(seed).sample(layouts, len(weights))
    cell = best_cell(layouts, weights, allowed)
    assert fewest_misses(layouts, weights, cell) == fewest_misses(layouts, weights)
    with pytest.raises(TooLargeError, match=f"more than {allowed - 1} sets"):
        best_cell(layouts, weights, allowed - 1)


def test_a_shot_that_must_hit_is_fired_first() -> None:
    assert best_cell([[Afloat(0b011, 2)], [Afloat(0b110, 2)]], [1.0, 1.0], WORK) == 1


def test_likelier_layouts_count_for_more() -> None:
    layouts = [[Afloat(0b0001, 1)], [Afloat(0b0010, 1)], [Afloat(0b0100, 1)]]
    assert best_cell(layouts, [1.0, 5.0, 1.0], WORK) == 1


def test_nothing_is_shot_where_no_ship_is_afloat() -> None:
    assert best_cell([[]], [1.0], WORK) is None
