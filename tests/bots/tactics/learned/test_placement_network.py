"""What is known of boards, and where ships can lie on them, as networks take it."""

import numpy as np
import pytest

from bots.tactics.learned.placement_network import Evidence, FleetPlacements


def known() -> Evidence:
    """Return what is known of 2x2 after a miss, a hit and a hit that sank the second ship."""
    found = Evidence.none(4, 2)
    found.note([0], [], [])
    found.note([1], [1], [])
    found.note([3], [3], [1])
    return found


def test_answers_are_noted() -> None:
    found = known()
    assert found.missed.tolist() == [[True, False, False, False]]
    assert found.hit.tolist() == [[False, True, False, True]]
    assert found.sank.tolist() == [[0, 0, 0, 2]]
    assert found.afloat.tolist() == [[True, False]]
    assert found.untried.tolist() == [[False, False, True, False]]


def test_ships_sunk_by_one_salvo_are_told_apart_by_their_bits() -> None:
    found = Evidence.none(4, 3)
    found.note([0, 1, 2], [1, 2], [0, 2])
    assert found.missed.tolist() == [[True, False, False, False]]
    assert found.sank.tolist() == [[0, 0b101, 0b101, 0]]
    assert found.afloat.tolist() == [[False, True, False]]


def test_a_network_sees_the_board_its_shots_and_its_ships() -> None:
    assert known().planes().tolist() == [
        [
            [1, 1, 1, 1],
            [0, 0, 1, 0],
            [1, 0, 0, 0],
            [0, 1, 0, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 1],
            [1, 1, 1, 1],
            [0, 0, 0, 0],
        ]
    ]


def test_evidence_is_joined_taken_apart_and_turned() -> None:
    both = Evidence.joined([known(), Evidence.none(4, 2)])
    assert both.hit.tolist() == [[False, True, False, True], [False] * 4]
    assert both.some([1]).afloat.tolist() == [[True, True]]
    turned = known().some_cells(np.array([3, 2, 1, 0]))
    assert turned.hit.tolist() == [[True, False, True, False]]
    assert turned.sank.tolist() == [[2, 0, 0, 0]]
    assert turned.missed.tolist() == [[False, False, False, True]]


def test_a_place_is_the_first_cell_of_a_ship_and_whether_it_lies_upright() -> None:
    places = FleetPlacements(2, 3, (2, 1), named=True)
    covered = [
        {place: np.flatnonzero(cells).tolist() for place, cells in enumerate(ship) if cells.any()}
        for ship in places.covers
    ]
    assert covered == [
        {0: [0, 1], 1: [1, 2], 3: [3, 4], 4: [4, 5], 6: [0, 3], 7: [1, 4], 8: [2, 5]},
        {cell: [cell] for cell in range(6)},
    ]
    ships = np.array([[-1, 0, 1, -1, 0, -1], [0, 0, -1, -1, -1, 1]])
    assert places.numbers_of(ships).tolist() == [[7, 2], [0, 5]]


def test_places_that_reports_allow_are_those_of_each_board() -> None:
    places = FleetPlacements(2, 2, (2, 1), named=True)
    found = places.possible(Evidence.joined([Evidence.none(4, 2), known()]))
    allowed = [[np.flatnonzero(ship).tolist() for ship in board] for board in found]
    # 0 and 1, 2 and 3, 0 and 2, 1 and 3; once the small ship sank at 3, the other is at 2 or 3.
    assert allowed == [[[0, 2, 4, 5], [0, 1, 2, 3]], [[2], [3]]]
    unnamed = FleetPlacements(2, 2, (2, 1), named=False).possible(known())
    assert [np.flatnonzero(ship).tolist() for ship in unnamed[0]] == [[2, 5], [1, 2, 3]]


@pytest.mark.parametrize(("agreeing", "kept"), [(19, False), (20, True)])
def test_layouts_that_agree_are_kept_alone_if_there_are_some(*, agreeing: int, kept: bool) -> None:
    places = FleetPlacements(1, 4, (1,), named=True)
    known = Evidence.none(4, 1)
    known.note([0], [0], [])
    odds = np.array([[agreeing / 100, 1 - agreeing / 100, 0, 0, 0, 0, 0, 0]], np.float32)

    class Even(np.random.Generator):
        """Draws numbers at even distances."""

        def random(self, size: int, dtype: type) -> np.ndarray:  # type: ignore[override]
            return ((np.arange(size) + 0.5) / size).astype(dtype)

    layouts = places.draw(odds, known, 100, Even(np.random.PCG64(1)))
    assert layouts.number == (agreeing if kept else 100)
    assert layouts.cells()[:, 0].sum() == agreeing
