import itertools
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pytest
import scipy

from bots.tactics.posterior.board_placements import Board, Touching, board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import Explanations
from bots.tactics.value.agreeing_layouts import draw_layouts, list_layouts, multiply, room_of

ROWS, COLUMNS = 3, 5
LENGTHS = (3, 2, 2)
ANSWERS = (
    Observation((7,), (), ()),
    Observation((12,), (12,), ()),
    Observation((13,), (13,), (2,)),
    Observation((0, 1), (1,), ()),
)


def board_with(touching: Touching = "allowed") -> Board:
    return board_of(ROWS, COLUMNS, LENGTHS, touching)


def explained(touching: Touching, answers: int) -> Explanations:
    known = Explanations(board_with(touching), LENGTHS, np.random.default_rng(0))
    for told in ANSWERS[:answers]:
        known.observe(told)
    return known


@lru_cache
def agreeing(touching: Touching, answers: int) -> Counter[tuple[int, ...]]:
    """Return every layout that agrees with the answers, found without any cleverness."""
    return Counter(map(unnamed, _agreeing(touching, answers)))


def _agreeing(touching: Touching, answers: int) -> Iterator[tuple[int, ...]]:
    board = board_with(touching)
    for places in itertools.product(*(range(len(board.covers[one])) for one in LENGTHS)):
        ships = list(zip(LENGTHS, places, strict=True))
        pairs = itertools.combinations(ships, 2)
        if all(board.fits[one, two][here, there] for (one, here), (two, there) in pairs):
            cells = [set(np.flatnonzero(board.covers[one][place])) for one, place in ships]
            if agrees(cells, answers):
                yield places


def agrees(ships: list[set[int]], answers: int) -> bool:
    shot: set[int] = set()
    for told in ANSWERS[:answers]:
        sunk_before = [ship <= shot for ship in ships]
        shot |= set(told.cells)
        sunk = [
            len(ship)
            for ship, before in zip(ships, sunk_before, strict=True)
            if ship <= shot and not before
        ]
        hits = {cell for cell in told.cells if any(cell in ship for ship in ships)}
        if hits != set(told.hits) or tuple(sunk) != told.sunk:
            return False
    return True


def unnamed(places: tuple[int, ...]) -> tuple[int, ...]:
    """Return a layout with the ships of two in one order: they are told apart by nothing."""
    return (places[0], *sorted(places[1:]))


@pytest.mark.parametrize("touching", ["allowed", "corners", "never"])
@pytest.mark.parametrize("answers", range(4))
def test_list_has_every_layout_that_agrees(touching: Touching, answers: int) -> None:
    expected = agreeing(touching, answers)
    found = list_layouts(explained(touching, answers), 100_000)
    assert found is not None
    listed: Counter[tuple[int, ...]] = Counter()
    for places, weight in zip(found.places.T.tolist(), found.weights, strict=True):
        listed[unnamed(tuple(places))] += weight
    scale = sum(expected.values()) / sum(listed.values())
    assert {layout: weight * scale for layout, weight in listed.items()} == expected


@pytest.mark.parametrize("touching", ["allowed", "never"])
@pytest.mark.parametrize("answers", [0, 2, 3])
def test_every_layout_that_agrees_is_drawn_as_often(touching: Touching, answers: int) -> None:
    expected = agreeing(touching, answers)
    drawn = draw_layouts(explained(touching, answers), 20_000, np.random.default_rng(1))
    assert drawn is not None
    found = Counter(unnamed(tuple(places)) for places in drawn.places.T.tolist())
    assert found.keys() <= expected.keys()
    wanted = np.array(list(expected.values())) * 20_000 / sum(expected.values())
    times = [found[layout] for layout in expected]
    assert scipy.stats.chisquare(times, wanted).pvalue > 1e-4


def test_number_of_layouts_is_estimated() -> None:
    drawn = draw_layouts(explained("allowed", 1), 20_000, np.random.default_rng(1))
    assert drawn is not None
    assert drawn.log_layouts == pytest.approx(np.log(agreeing("allowed", 1).total()), abs=0.05)


@pytest.mark.parametrize("answers", [0, 2, 4])
def test_copies_of_uniform_layouts_are_uniform(answers: int) -> None:
    expected = agreeing("allowed", answers)
    known = explained("allowed", answers)
    drawn = draw_layouts(known, 20_000, np.random.default_rng(1))
    assert drawn is not None
    hit = np.zeros(ROWS * COLUMNS, bool)
    hit[[cell for told in ANSWERS[:answers] for cell in told.hits]] = True
    moved = multiply(
        known.board,
        LENGTHS,
        drawn.places,
        20_000,
        hit=hit,
        untried=known.untried,
        random=np.random.default_rng(2),
    )
    found = Counter(unnamed(tuple(places)) for places in moved.T.tolist())
    assert found.keys() <= expected.keys()
    wanted = np.array(list(expected.values())) * 20_000 / sum(expected.values())
    assert scipy.stats.chisquare([found[layout] for layout in expected], wanted).pvalue > 1e-4


def test_copies_differ_from_what_they_are_of() -> None:
    known = explained("allowed", 1)
    drawn = draw_layouts(known, 1, np.random.default_rng(1))
    assert drawn is not None
    moved = multiply(
        known.board,
        LENGTHS,
        drawn.places,
        100,
        hit=np.zeros(ROWS * COLUMNS, bool),
        untried=known.untried,
        random=np.random.default_rng(2),
    )
    assert len(np.unique(moved, axis=1).T) > 50


def test_longer_lists_than_the_limit_are_not_made() -> None:
    assert list_layouts(explained("allowed", 0), 100) is None


@pytest.mark.parametrize(("limit", "listed"), [(307, False), (308, True)])
def test_layouts_up_to_the_limit_are_listed_counted_as_if_ships_could_overlap(
    limit: int, *, listed: bool
) -> None:
    known = Explanations(board_with(), (3, 2), np.random.default_rng(0))
    assert room_of(known).weights.tolist() == [14 * 22]
    assert (list_layouts(known, limit) is not None) == listed


def test_nothing_is_listed_or_drawn_where_ships_do_not_fit() -> None:
    known = Explanations(board_of(1, 3, (2, 2)), (2, 2), np.random.default_rng(0))
    assert list_layouts(known, 100) is None
    assert draw_layouts(known, 1, np.random.default_rng(1)) is None


def test_nothing_is_listed_or_drawn_by_a_sample_of_the_explanations() -> None:
    known = Explanations(board_with(), LENGTHS, np.random.default_rng(0), 3)
    for told in ANSWERS[:2]:
        known.observe(told)
    assert not known.exact
    assert list_layouts(known, 100_000) is None
    assert draw_layouts(known, 1, np.random.default_rng(1)) is None


def test_a_list_says_that_it_is_whole_and_how_long_it_is() -> None:
    found = list_layouts(explained("never", 1), 100_000)
    assert found is not None
    assert found.whole
    assert found.log_layouts == pytest.approx(np.log(found.weights.sum()))
    assert agreeing("never", 1).total() == found.weights.sum()
