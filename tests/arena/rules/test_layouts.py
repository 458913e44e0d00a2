"""Layouts: what is legal, and that they are drawn with equal probability."""

import itertools
import statistics
from collections import Counter
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np
import pytest
import scipy

from arena.errors import IllegalActionError, RulesError
from arena.rules import (
    Layout,
    Rules,
    Ship,
    cells_of,
    check_layout,
    draw,
    draw_uniform,
    mask_of,
    name_layout,
    placements,
    preset,
)
from arena.rules import layouts as layouts_module
from arena.rules.board import Touching
from arena.rules.layouts import Distribution, can_draw, draw_sequential

SMALL = Rules(name="small", rows=4, columns=5, fleet=(Ship("Ferry", 3), Ship("Tug", 1)))
STANDARD = preset("salvo")
STANDARD_LAYOUTS = 30_093_975_536


def board(rows: int, columns: int, *lengths: int, touching: Touching = "allowed") -> Rules:
    fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))
    return Rules(name="board", rows=rows, columns=columns, fleet=fleet, touching=touching)


def describe(value: object) -> str | None:
    """Return a short id for a board among a test's parameters."""
    if not isinstance(value, Rules):
        return None
    lengths = [ship.length for ship in value.fleet]
    size = f"{value.rows}x{value.columns}, {len(lengths)} ships, {sum(lengths)} cells"
    return size if value.touching == "allowed" else f"{size}, touching {value.touching}"


@pytest.mark.parametrize(
    "layout",
    [
        {"Ferry": [0, 1, 2], "Tug": [3]},
        {"Ferry": [2, 0, 1], "Tug": [19]},
        {"Tug": [0], "Ferry": [4, 9, 14]},
        {"Ferry": (17, 18, 19), "Tug": (12,)},
    ],
)
def test_a_legal_layout_is_taken_in_the_order_of_the_fleet(layout: dict[str, list[int]]) -> None:
    assert check_layout(SMALL, layout) == (mask_of(layout["Ferry"]), mask_of(layout["Tug"]))


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ({}, "lacks the ship 'Ferry'"),
        ({"Ferry": [0, 1, 2]}, "lacks the ship 'Tug'"),
        ({"Ferry": [0, 1, 2], "Tug": [3], "Raft": [4]}, "has no ship 'Raft'"),
        ({"Ferry": [0, 1, 2], "tug": [3]}, "has no ship 'tug'"),
        ({"Ferry": [0, 1, 2], "Tug": [2]}, "ship 'Tug' overlaps another ship at cell 2"),
        ({"Ferry": [0, 1], "Tug": [3]}, "'Ferry' has 2 cells, its length is 3"),
        ({"Ferry": [0, 1, 2, 3], "Tug": [9]}, "'Ferry' has 4 cells, its length is 3"),
        ({"Ferry": [], "Tug": [9]}, "'Ferry' has 0 cells"),
        ({"Ferry": [0, 1, 6], "Tug": [9]}, "cells [0, 1, 6] is not one straight run"),
        ({"Ferry": [0, 1, 3], "Tug": [9]}, "is not one straight run"),
        ({"Ferry": [0, 6, 12], "Tug": [9]}, "is not one straight run"),
        ({"Ferry": [3, 4, 5], "Tug": [9]}, "is not one straight run"),
        ({"Ferry": [0, 0, 1], "Tug": [9]}, "is not one straight run"),
        ({"Ferry": [0, 1, 1], "Tug": [9]}, "is not one straight run"),
        ({"Ferry": [0, 10, 15], "Tug": [9]}, "is not one straight run"),
        ({"Ferry": [-1, 0, 1], "Tug": [9]}, "cell -1, outside the board (0 to 19)"),
        ({"Ferry": [18, 19, 20], "Tug": [9]}, "cell 20, outside the board (0 to 19)"),
        ({"Ferry": [0, 1, 2], "Tug": [2**53]}, "outside the board"),
    ],
)
def test_an_illegal_layout_is_refused_with_the_ship_and_the_reason(
    layout: dict[str, list[int]], reason: str
) -> None:
    with pytest.raises(IllegalActionError) as caught:
        check_layout(SMALL, layout)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("tug", "touching", "reason"),
    [
        (3, "corners", "ship 'Tug' touches another ship at cell 3"),
        (7, "never", "ship 'Tug' touches another ship at cell 7"),
        (8, "never", "ship 'Tug' touches another ship at cell 8"),
        (1, "never", "ship 'Tug' overlaps another ship at cell 1"),
    ],
)
def test_ship_too_close_to_another_is_refused(tug: int, touching: Touching, reason: str) -> None:
    rules = msgspec.structs.replace(SMALL, touching=touching)
    with pytest.raises(IllegalActionError) as caught:
        check_layout(rules, {"Ferry": [0, 1, 2], "Tug": [tug]})
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("tug", "touching"), [(3, "allowed"), (8, "corners"), (4, "never"), (10, "never")]
)
def test_ship_as_near_as_it_may_be_is_taken(tug: int, touching: Touching) -> None:
    rules = msgspec.structs.replace(SMALL, touching=touching)
    assert check_layout(rules, {"Ferry": [0, 1, 2], "Tug": [tug]}) == (0b111, 1 << tug)


def test_a_ship_whose_name_is_made_up_cannot_fill_the_log() -> None:
    with pytest.raises(IllegalActionError) as caught:
        check_layout(SMALL, {"\x1b[31m" + "x" * 200: [0]})
    assert str(caught.value) == f"the fleet has no ship '\\x1b[31m{'x' * 35}'"


def test_names_and_masks_are_two_forms_of_one_layout() -> None:
    layout = draw_uniform(STANDARD, Random(5))
    named = name_layout(STANDARD, layout)
    assert list(named) == [ship.name for ship in STANDARD.fleet]
    assert check_layout(STANDARD, named) == layout


def test_the_same_seed_draws_the_same_layout() -> None:
    drawn = [[draw_uniform(STANDARD, Random(seed)) for seed in range(20)] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 20


@pytest.mark.parametrize(
    ("rules", "tries", "layouts"),
    [
        (
            STANDARD,
            20_000,
            [
                [[62, 63, 64, 65, 66], [30, 31, 32, 33], [24, 34, 44], [13, 14, 15], [6, 16]],
                [[39, 49, 59, 69, 79], [23, 24, 25, 26], [43, 44, 45], [20, 30, 40], [80, 90]],
            ],
        ),
        (board(4, 4, 3, 1, 1, touching="never"), 20_000, [[[7, 11, 15], [0], [13]]]),
        (
            board(3, 3, 2, 3, 2),
            0,  # so that all layouts are looked at
            [
                [[5, 8], [0, 1, 2], [4, 7]],
                [[1, 4], [2, 5, 8], [3, 6]],
                [[1, 2], [0, 3, 6], [5, 8]],
            ],
        ),
        (
            board(3, 4, 2, 2, touching="never"),
            0,
            [[[2, 3], [10, 11]], [[2, 3], [0, 4]], [[6, 7], [0, 4]]],
        ),
        (
            preset("afp"),
            20_000,
            [
                [
                    *([65, 66, 67, 68, 69], [90, 91, 92, 93], [20, 21, 22, 23], [7, 17, 27]),
                    *([85, 86, 87], [15, 25, 35], [89, 99], [52, 53], [0, 1], [48, 49]),
                ]
            ],
        ),
    ],
    ids=describe,
)
def test_a_seed_draws_the_layouts_that_it_always_drew(
    rules: Rules, tries: int, layouts: list[list[list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts_module, "MAX_DRAWS", tries)
    random = Random(7)
    drawn = [draw(rules, random) for _ in layouts]
    assert [[cells_of(mask) for mask in layout] for layout in drawn] == layouts


# --- The law of drawn layouts ---


def runs_of(rules: Rules, length: int) -> list[list[int]]:
    """Return every straight run of cells, found by its row and column."""
    along_rows = [
        [row * rules.columns + column + step for step in range(length)]
        for row in range(rules.rows)
        for column in range(rules.columns - length + 1)
    ]
    along_columns = [
        [(row + step) * rules.columns + column for step in range(length)]
        for row in range(rules.rows - length + 1)
        for column in range(rules.columns)
    ]
    return along_rows if length == 1 else along_rows + along_columns


def keep_apart(rules: Rules, one: list[int], other: list[int]) -> bool:
    for a, b in itertools.product(one, other):
        (row, column), (other_row, other_column) = (
            divmod(a, rules.columns),
            divmod(b, rules.columns),
        )
        aside, down = abs(column - other_column), abs(row - other_row)
        nearest = {
            "allowed": aside + down,
            "corners": aside + down - 1,
            "never": max(aside, down) - 1,
        }
        if nearest[rules.touching] <= 0:
            return False
    return True


def every_layout(rules: Rules) -> list[Layout]:
    """Return all layouts, by trying all products of runs."""
    return [
        tuple(mask_of(run) for run in chosen)
        for chosen in itertools.product(*(runs_of(rules, ship.length) for ship in rules.fleet))
        if all(keep_apart(rules, *pair) for pair in itertools.combinations(chosen, 2))
    ]


SMALL_BOARDS = [
    board(1, 5, 2),
    board(1, 6, 2, 2),
    board(2, 3, 2, 1),
    board(3, 3, 3, 2),
    board(4, 4, 3, 2),
    board(2, 2, 2, 2),
    board(3, 2, 1, 1, 2),
    board(3, 3, 2, 2, 3),
    board(3, 4, 2, 2, touching="corners"),
    board(3, 4, 2, 2, touching="never"),
    board(4, 4, 3, 1, 1, touching="never"),
]


def p_value(drawn: Counter[Layout], possible: list[Layout]) -> float:
    observed = [drawn[layout] for layout in possible]
    assert sum(observed) == drawn.total()
    return float(scipy.stats.chisquare(observed).pvalue)


@pytest.mark.parametrize("rules", SMALL_BOARDS, ids=describe)
@pytest.mark.parametrize("rejections", [layouts_module.MAX_DRAWS, 0], ids=["tries", "counts"])
def test_every_layout_is_drawn_equally_often(
    rules: Rules, rejections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts_module, "MAX_DRAWS", rejections)
    possible = every_layout(rules)
    random = Random(1)
    drawn = Counter(draw_uniform(rules, random) for _ in range(max(500, 10 * len(possible))))
    assert 0.001 < p_value(drawn, possible) < 0.9999


def draw_one_after_another(rules: Rules, random: Random) -> Layout:
    """Draw the longest ship first and each next one among the places that are left."""
    taken = 0
    masks = []
    for ship in sorted(rules.fleet, key=lambda ship: -ship.length):
        free = [m for m in placements(rules.rows, rules.columns, ship.length) if not m & taken]
        masks.append(random.choice(free))
        taken |= masks[-1]
    return tuple(masks)


def test_the_chi_square_test_would_notice_ships_placed_one_after_another() -> None:
    rules = board(3, 3, 3, 2)
    random = Random(1)
    possible = every_layout(rules)
    drawn = Counter(draw_one_after_another(rules, random) for _ in range(30 * len(possible)))
    assert p_value(drawn, possible) < 0.0001


EDGE = mask_of(cell for cell in range(100) if cell // 10 in {0, 9} or cell % 10 in {0, 9})


def mean_edge_cells(layouts: list[Layout]) -> float:
    return statistics.fmean((sum(layout) & EDGE).bit_count() for layout in layouts)


def test_ship_cells_on_the_edge_distinguish_uniform_from_sequential() -> None:
    random = Random(2)
    uniform = [draw_uniform(STANDARD, random) for _ in range(2_000)]
    sequential = [draw_one_after_another(STANDARD, random) for _ in range(2_000)]
    drawn = [draw_sequential(STANDARD, random) for _ in range(2_000)]
    assert mean_edge_cells(uniform) == pytest.approx(4.95, abs=0.09)
    assert mean_edge_cells(sequential) == pytest.approx(4.72, abs=0.09)
    assert mean_edge_cells(drawn) == pytest.approx(4.72, abs=0.09)


def test_the_standard_fleet_has_thirty_thousand_million_layouts() -> None:
    """Count them by linear algebra, without masks and without drawing.

    With carrier and battleship in place, the layouts of two ships of three and one of two cells
    are the sum of M * (D M), where D tells which ships of three are disjoint and M which of them
    leave a ship of two alone. Carriers that a turn or mirror image of the board maps onto each
    other have equally many.
    """
    runs = {
        length: np.array(
            [[cell in cells_of(m) for cell in range(100)] for m in placements(10, 10, length)]
        )
        for length in (5, 4, 3, 2)
    }
    apart = {
        (a, b): (runs[a].astype(np.float32) @ runs[b].T.astype(np.float32)) == 0
        for a, b in [(5, 4), (5, 3), (4, 3), (5, 2), (4, 2), (3, 3), (3, 2)]
    }
    orbits = Counter(_orbit(run.reshape(10, 10)) for run in runs[5])
    total = 0
    for number, carrier in enumerate(runs[5]):
        weight = orbits.pop(_orbit(carrier.reshape(10, 10)), 0)
        for battleship in np.flatnonzero(apart[5, 4][number]) if weight else ():
            threes = apart[5, 3][number] & apart[4, 3][battleship]
            twos = apart[5, 2][number] & apart[4, 2][battleship]
            leaves = apart[3, 2][np.ix_(threes, twos)].astype(np.float32)
            disjoint = apart[3, 3][np.ix_(threes, threes)].astype(np.float32)
            total += weight * int((leaves * (disjoint @ leaves)).sum(dtype=np.float64))
    assert total == STANDARD_LAYOUTS


def _orbit(grid: np.ndarray) -> bytes:
    images = [np.rot90(flipped, turns) for flipped in (grid, grid.T) for turns in range(4)]
    return min(image.tobytes() for image in images)


def test_tries_succeed_as_often_as_the_number_of_layouts_says() -> None:
    options = [placements(10, 10, ship.length) for ship in STANDARD.fleet]
    expected = STANDARD_LAYOUTS / np.prod([len(masks) for masks in options], dtype=float)
    random = Random(3)
    tries = 20_000
    drawn = sum(
        layouts_module._draw_once(STANDARD, options, random) is not None for _ in range(tries)
    )
    assert drawn / tries == pytest.approx(expected, abs=4 * (expected / tries) ** 0.5)


# --- Crowded boards ---


def test_a_full_board_is_drawn_by_counting() -> None:
    rules = board(4, 4, 4, 4, 4, 4)
    assert can_draw(rules)
    drawn = {draw_uniform(rules, Random(seed)) for seed in range(400)}
    assert len(drawn) == 2 * 24


def test_a_board_too_full_for_either_way_is_refused() -> None:
    rules = board(10, 10, *[5] * 20)
    assert not can_draw(rules)
    with pytest.raises(RulesError, match="too full to draw layouts"):
        draw_uniform(rules, Random(0))


def test_ships_placed_one_after_another_are_taken_back_where_the_next_has_no_room() -> None:
    rules = board(1, 6, 2, 3, 1)  # the longest comes first, and would often leave no room
    drawn = Counter(draw_sequential(rules, Random(seed)) for seed in range(200))
    assert drawn.keys() == {
        tuple(mask_of(row.index(ship) + step for step in range(len(ship))) for ship in ships)
        for ships in [("BB", "CCC", "D")]
        for row in map("".join, itertools.permutations(ships))
    }
    assert min(drawn.values()) > 10


@pytest.mark.parametrize(("looks", "found"), [(2, True), (1, False)])
def test_layouts_are_looked_at_so_often_and_no_more(
    looks: int, *, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts_module, "MAX_DRAWS", 0)
    monkeypatch.setattr(layouts_module, "MAX_COUNTED", looks)
    assert can_draw(board(1, 3, 2)) is found
    one_by_one = msgspec.structs.replace(board(1, 3, 1, 1), layouts="sequential")
    assert can_draw(one_by_one) is found


@pytest.mark.parametrize(("tries", "sure"), [(20, True), (19, False)])
def test_twenty_tries_that_succeed_are_enough_to_be_sure(
    tries: int, *, sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts_module, "MAX_DRAWS", tries)
    monkeypatch.setattr(layouts_module, "MAX_COUNTED", 0)
    assert can_draw(board(1, 3, 2)) is sure


class Sea(NamedTuple):
    """A board that no rule set is checked for."""

    fleet: tuple[Ship, ...]
    layouts: Distribution
    rows: int = 1
    columns: int = 7
    touching: Touching = "never"


@pytest.mark.parametrize("law", ["uniform", "sequential"])
def test_fleet_that_has_no_room_is_never_drawn(law: Distribution) -> None:
    assert can_draw(Sea((Ship("A", 2), Ship("B", 4)), law))
    full = Sea((Ship("A", 3), Ship("B", 4)), law)
    assert not can_draw(full)
    with pytest.raises(RulesError, match="enlarge the board or shorten the fleet"):
        draw(full, Random(1))


@pytest.mark.parametrize("lengths", [[5, 4, 3, 3, 2] * 2, [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]])
def test_crowded_fleets_that_people_play_are_drawn(lengths: list[int]) -> None:
    rules = board(10, 10, *lengths)
    assert can_draw(rules)
    layout = draw_uniform(rules, Random(0))
    assert sum(layout).bit_count() == sum(lengths)
