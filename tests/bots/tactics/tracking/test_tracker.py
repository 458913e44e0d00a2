"""The tracker says which hits are explained by ships that were sunk, and never says too much."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import Bot
from arena.rules import (
    CellsReport,
    CountReport,
    Report,
    Rules,
    Ship,
    Shoot,
    ShootRequest,
    apply,
    begin_solo,
    cells_of,
    draw_uniform,
    mask_of,
    preset,
    view,
)
from bots.tactics.tracking import Tracker

SIX = Rules(name="six", rows=6, columns=6, fleet=(Ship("A", 2), Ship("B", 3), Ship("C", 3)))


class Book(Bot):
    """A bot's book without the bot."""

    def __init__(self, rules: Rules) -> None:
        self.rules = view(rules)
        self.reports = []
        self.tracker = Tracker(self.rules)

    def note(
        self, salvo: Sequence[int], hits: Iterable[int], sunk: Iterable[str] | int | None = ()
    ) -> None:
        told = sunk if isinstance(sunk, int | None) else tuple(sunk)
        self.hear(salvo, CellsReport(tuple(hits), told))

    def hear(self, salvo: Sequence[int], report: Report) -> None:
        self.reports.append((tuple(salvo), report))
        self.tracker.update(self, 1)


def told(*salvos: tuple[Sequence[int], Sequence[int], str | int], rules: Rules = SIX) -> Tracker:
    book = Book(rules)
    for salvo, hits, sunk in salvos:
        book.note(salvo, hits, sunk)
    return book.tracker


def test_misses_and_hits_leave_the_untried() -> None:
    tracker = told(([0, 1], [1], ""))
    assert tracker.untried == (1 << 36) - 1 - 0b11
    assert tracker.open_hits == 0b10


def test_ship_that_lies_alone_is_explained() -> None:
    assert told(([0], [0], ""), ([1], [1], "A")).open_hits == 0


def test_hits_of_which_one_is_of_the_sunk_ship_stay_open() -> None:
    # The ship of two lay on 0 and 1, or on 7 and 1.
    tracker = told(([7], [7], ""), ([0], [0], ""), ([1], [1], "A"))
    assert tracker.open_hits == mask_of([0, 7])


def test_later_hit_beside_a_sunk_ship_stays_open() -> None:
    tracker = told(([0], [0], ""), ([1], [1], "A"), ([7], [7], ""))
    assert tracker.open_hits == mask_of([7])


def test_place_that_another_ship_takes_is_ruled_out_later() -> None:
    # A lay on 1 and 0 or on 1 and 7; then B sinks at 9 and can only have lain on 7, 8, 9.
    tracker = told(([7], [7], ""), ([0], [0], ""), ([1], [1], "A"), ([8, 9], [8, 9], "B"))
    assert tracker.open_hits == 0


def test_cells_common_to_all_places_are_explained() -> None:
    # Four hits in a row of which the third was the last: 1, 2 belong to B wherever it lay.
    tracker = told(([0, 1, 3], [0, 1, 3], ""), ([2], [2], "B"))
    assert tracker.open_hits == mask_of([0, 3])


def test_two_ships_of_one_salvo_that_fill_their_places_are_explained() -> None:
    tracker = told(([0, 1, 2, 18, 19, 20], [0, 1, 2, 18, 19, 20], "BC"))
    assert tracker.open_hits == 0


def test_a_ship_that_is_not_explained_waits_until_another_lies_across_it() -> None:
    rules = replace(SIX, fleet=(*SIX.fleet, Ship("D", 3)))
    unclear = [([7], [7], ""), ([0], [0], ""), ([1], [1], "A")]
    rows = [21, 22, 23, 33, 34, 35]
    tracker = told(*unclear, (rows, rows, "BC"), rules=rules)
    assert tracker.open_hits == mask_of([0, 7])
    tracker = told(*unclear, (rows, rows, "BC"), ([8, 9], [8, 9], "D"), rules=rules)
    assert tracker.open_hits == 0


def without_names(touching: Literal["allowed", "corners", "never"] = "allowed") -> Rules:
    return replace(SIX, sinkings="unnamed", touching=touching)


def test_unnamed_sinking_explains_what_all_lengths_share() -> None:
    # The ship of two on 0 and 1, or one of three on 0, 1, 2: cell 0 sank it, 1 is its own too.
    tracker = told(([1], [1], 0), ([2], [2], 0), ([0], [0], 1), rules=without_names())
    assert tracker.explained == mask_of([0, 1])
    assert tracker.afloat == {2: 1, 3: 2}


def test_unnamed_sinking_of_ships_apart_is_explained_whole() -> None:
    tracker = told(([1], [1], 0), ([2], [2], 0), ([0], [0], 1), rules=without_names("never"))
    assert tracker.open_hits == 0
    assert tracker.afloat == {2: 1, 3: 1}


def test_cells_beside_a_sunk_ship_are_no_candidates_where_ships_lie_apart() -> None:
    tracker = told(([1], [1], 0), ([0], [0], 1), rules=without_names("never"))
    assert not tracker.candidates & mask_of([2, 6, 7, 8])
    assert tracker.untried & mask_of([2, 6, 7, 8]) == mask_of([2, 6, 7, 8])


def test_cells_across_the_corner_of_a_hit_are_no_candidates_where_ships_lie_apart() -> None:
    tracker = told(([7], [7], 0), rules=without_names("never"))
    assert not tracker.candidates & mask_of([0, 2, 12, 14])
    assert tracker.candidates & mask_of([1, 6, 8, 13]) == mask_of([1, 6, 8, 13])


def test_where_only_the_number_of_hits_is_reported_the_cells_of_a_salvo_are_unclear() -> None:
    book = Book(replace(SIX, told="count", sinkings="silent", shots=2))
    book.hear([0, 1], CountReport(1, None, None))
    book.hear([2, 3], CountReport(0, None, None))
    book.hear([4, 5], CountReport(2, None, None))
    assert book.tracker.unclear == mask_of([0, 1])
    assert book.tracker.hits == mask_of([4, 5])


def test_cells_shot_long_ago_are_untried_again_where_ships_move() -> None:
    book = Book(replace(SIX, moves=True, reshoot=True))
    book.note(range(36), [7])
    book.tracker.update(book, 3)
    assert book.tracker.untried == (1 << 36) - 1 - (1 << 7)


def test_sinking_that_no_run_of_hits_explains_is_a_lie_nearby() -> None:
    tracker = told(([7], [7], 0), ([0], [0], 1), rules=replace(without_names(), lies=1))
    assert tracker.open_hits == mask_of([0, 7])


ALL = (1 << 36) - 1


@pytest.mark.parametrize(
    ("shot", "hits", "count", "untried"),
    [
        (range(33), [7], 3, mask_of([33, 34, 35])),
        (range(34), [7], 3, ALL & ~mask_of([7])),
        (range(34), range(33), 3, ALL & ~mask_of(range(33))),
        (range(34), range(34), 3, ALL),  # of all but the hits there are too few, too
    ],
)
def test_cells_are_untried_again_where_too_few_are_left_for_a_salvo(
    shot: Sequence[int], hits: Sequence[int], count: int, untried: int
) -> None:
    book = Book(replace(SIX, moves=True, reshoot=True))
    book.note(shot, hits, None)
    book.tracker.update(book, count)
    assert book.tracker.untried == book.tracker.candidates == untried


def test_nothing_is_unclear_once_cells_are_untried_again() -> None:
    book = Book(replace(SIX, told="count", sinkings="silent", shots=2, moves=True, reshoot=True))
    book.hear(range(35), CountReport(1, None, None))
    assert book.tracker.unclear == mask_of(range(35))
    book.tracker.update(book, 2)
    assert book.tracker.unclear == 0


def test_a_cell_that_was_hit_again_is_open_though_a_ship_sank_there() -> None:
    moving = replace(SIX, moves=True, reshoot=True)
    tracker = told(([0], [0], ""), ([1], [1], "A"), ([0], [0], ""), rules=moving)
    assert tracker.open_hits == mask_of([0])


@pytest.mark.parametrize(("count", "candidates"), [(2, [34, 35]), (3, [2, 34, 35])])
def test_cells_that_touching_denies_are_candidates_where_others_are_too_few(
    count: int, candidates: list[int]
) -> None:
    book = Book(without_names("never"))
    book.note([1], [1], 0)
    book.note([0], [0], 1)
    book.note([cell for cell in range(3, 34) if cell != 2], [], 0)
    book.tracker.update(book, count)
    assert cells_of(book.tracker.candidates) == candidates


def test_a_sunk_ship_that_moved_may_lie_beside_another() -> None:
    rules = replace(without_names("never"), moves=True, reshoot=True)
    tracker = told(([1], [1], 0), ([0], [0], 1), rules=rules)
    assert tracker.candidates == tracker.untried == ALL & ~mask_of([0, 1])


def test_where_reports_may_lie_no_cell_across_a_corner_is_denied() -> None:
    tracker = told(([7], [7], 0), rules=replace(without_names("never"), lies=1))
    assert tracker.candidates == ALL & ~mask_of([7])


@pytest.mark.parametrize("touching", ["allowed", "corners"])
def test_cells_across_a_corner_are_candidates_where_ships_may_touch_there(
    touching: Literal["allowed", "corners", "never"],
) -> None:
    tracker = told(([7], [7], 0), rules=without_names(touching))
    assert tracker.candidates == ALL & ~mask_of([7])


@pytest.mark.parametrize(
    ("hits", "explained"),
    [([0], [0]), ([0, 1], [0]), ([3, 4, 5, 2, 1, 0], [0]), ([6, 12, 18, 24, 30, 0], [0])],
)
def test_a_ship_of_an_unknown_fleet_may_have_any_length(
    hits: list[int], explained: list[int]
) -> None:
    rules = replace(without_names(), fleet_known=False)
    tracker = told((hits[:-1], hits[:-1], 0), (hits[-1:], hits[-1:], 1), rules=rules)
    if len(hits) == 2:
        explained = [1]  # the shot that sank it
    assert cells_of(tracker.explained) == explained
    assert not tracker.afloat


def test_a_ship_as_long_as_the_board_is_explained_where_ships_lie_apart() -> None:
    rules = replace(without_names("never"), fleet_known=False)
    tracker = told((range(5), range(5), 0), ([5], [5], 1), rules=rules)
    assert cells_of(tracker.explained) == list(range(6))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    shots=st.integers(1, 9),
    preset_name=st.sampled_from([None, "salvo", "unnamed", "apart"]),
    sinkings=st.sampled_from(["named", "unnamed"]),
)
def test_explains_only_cells_of_sunk_ships(
    seed: int, shots: int, preset_name: str | None, sinkings: Literal["named", "unnamed"]
) -> None:
    random = Random(seed)
    crowded = Rules(
        name="crowded", rows=6, columns=6, fleet=preset("salvo").fleet, shots=shots,
        sinkings=sinkings,
    )  # fmt: skip
    rules = preset(preset_name) if preset_name else crowded
    layout = draw_uniform(rules, random)
    book = Book(rules)
    state = begin_solo(rules, layout)
    while isinstance(request := state.request, ShootRequest):
        untried = cells_of(book.tracker.untried)
        state = apply(state, Shoot(random.sample(untried, request.shots)))
        assert state.salvo is not None
        book.hear(state.salvo.cells, state.salvo.report)
        untried_now = book.tracker.untried
        sunk = [ship for ship in layout if not ship & untried_now]
        assert not book.tracker.explained & ~sum(sunk)
        afloat = Counter(ship.bit_count() for ship in layout if ship not in sunk)
        assert afloat <= book.tracker.afloat
    # Once all ships are sunk, their cells are all that was hit; without names, that need not show.
    if rules.sinkings == "named":
        assert book.tracker.explained == sum(layout)
        assert not book.tracker.afloat


@pytest.mark.parametrize("rules_name", ["classic", "salvo"])
def test_explains_nearly_all_cells_of_sunk_ships(rules_name: str) -> None:
    rules = preset(rules_name)
    random = Random(5)
    explained = total = 0
    for _ in range(50):
        layout = draw_uniform(rules, random)
        book = Book(rules)
        state = begin_solo(rules, layout)
        while isinstance(request := state.request, ShootRequest):
            untried = cells_of(book.tracker.untried)
            state = apply(state, Shoot(random.sample(untried, request.shots)))
            assert state.salvo is not None
            book.hear(state.salvo.cells, state.salvo.report)
            explained += book.tracker.explained.bit_count()
            total += sum(layout).bit_count() - sum(
                length * number for length, number in book.tracker.afloat.items()
            )
    assert explained >= 0.9 * total


def test_ship_whose_hits_were_named_is_known_when_it_sinks() -> None:
    book = Book(SIX)
    # A row of hits: of two ships of three cells, either of which could lie on the middle ones.
    book.hear([0, 1, 2, 3], CellsReport((0, 1, 2, 3), (), ("B", "B", "C", "C")))
    book.hear([4], CellsReport((4,), ("C",), ("C",)))
    assert cells_of(book.tracker.explained) == [2, 3, 4]
    assert cells_of(book.tracker.open_hits) == [0, 1]


def test_hits_that_were_named_tell_a_sunk_ship_from_one_beside_it() -> None:
    book = Book(SIX)
    # Without names, the ship of two might lie on 21 and 15.
    book.hear([21], CellsReport((21,), (), ("B",)))
    book.hear([14], CellsReport((14,), (), ("A",)))
    book.hear([15], CellsReport((15,), ("A",), ("A",)))
    assert cells_of(book.tracker.explained) == [14, 15]


def test_ship_whose_cells_were_reported_is_known_when_it_sinks() -> None:
    book = Book(SIX)
    book.hear([0, 1, 2, 3], CellsReport((0, 1, 2, 3), ()))
    book.hear([4], CellsReport((4,), ("C",), None, {"C": (2, 3, 4)}))
    assert cells_of(book.tracker.open_hits) == [0, 1]


def test_cells_of_a_sunk_ship_are_hits_where_hits_are_only_counted() -> None:
    book = Book(SIX)
    book.hear([0, 1, 2], CountReport(2, None, ("A",), {"A": (0, 1)}))
    assert cells_of(book.tracker.hits) == [0, 1]
    assert cells_of(book.tracker.unclear) == [2]
