"""What is expected of answers, counted over every layout one by one, by definition."""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest

from arena.rules import cells_of, placements
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.ahead import (
    can_number,
    improved_salvo,
    paths_of_misses,
    worth_of_paths,
    worth_of_salvos,
)
from bots.tactics.value.chances import Chances
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.features import FEATURES, describe
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.network import Network

ROWS, COLUMNS = 3, 6

Ship = frozenset[int]
Layout = tuple[Ship, ...]

FLEETS = [(2, 2), (5, 1, 1), (6, 2), (4, 3)]


def every_layout(lengths: Sequence[int]) -> list[Layout]:
    places = [
        [frozenset(cells_of(mask)) for mask in placements(ROWS, COLUMNS, length)]
        for length in lengths
    ]
    return [
        ships
        for ships in itertools.product(*places)
        if len(frozenset().union(*ships)) == sum(lengths)
    ]


def sunk_by(layout: Layout, cells: Iterable[int], shot: set[int]) -> tuple[int, ...]:
    """Return the lengths of the ships that a salvo sinks, shortest first."""
    after = shot | set(cells)
    return tuple(sorted(len(ship) for ship in layout if ship <= after and not ship <= shot))


def hits_of(layout: Layout, cells: Iterable[int]) -> tuple[int, ...]:
    return tuple(cell for cell in cells if any(cell in ship for ship in layout))


def features_of(layouts: Sequence[Layout], shot: set[int], shots: int) -> list[float]:
    """Return the features of a state, in which each of some layouts is as likely."""
    number, cells = len(layouts), ROWS * COLUMNS
    ships, afloat, struck = np.zeros((5, cells)), [0.0] * 4, [0.0] * 4
    open_hits = 0.0
    for ship in (ship for layout in layouts for ship in layout if not ship <= shot):
        kind = {4: 1, 3: 2, 2: 3, 1: 3}.get(len(ship), 0)
        afloat[kind] += 1 / number
        struck[kind] += bool(ship & shot) / number
        open_hits += len(ship & shot) / number
        for cell in ship - shot:
            ships[[kind, 4], cell] += 1 / number
    lengths = [len(ship) for ship in layouts[0]]
    found = []
    for kind, (least, end) in enumerate([(5, 99), (4, 5), (3, 4), (1, 3)]):
        modulus = max((length for length in lengths if least <= length < end), default=2)
        found += [afloat[kind], struck[kind], *spread_of(ships[kind], [modulus])]
    likeliest = sorted(ships[4], reverse=True)
    still = list(itertools.accumulate((1 - one for one in likeliest), lambda one, two: one * two))
    return [
        *found,
        *spread_of(ships[4], [2, 3, 4, 5]),
        likeliest[1],
        likeliest[2],
        sum(still),
        sum(still[:10]),
        sum(afloat),
        open_hits,
        sum(lengths) - len(hits_of(layouts[0], shot)),
        math.log(number),
        cells - len(shot),
        shots,
    ]


def spread_of(ships: np.ndarray, moduli: list[int]) -> list[float]:
    roots = np.sqrt(ships)
    found = [ships.sum(), roots.sum(), (ships**2).sum(), ships.max(), (ships > 0).sum()]
    for modulus in moduli:
        classes = [
            [
                cell
                for cell in range(ROWS * COLUMNS)
                if (cell // COLUMNS + sign * (cell % COLUMNS)) % modulus == number
            ]
            for sign in (1, -1)
            for number in range(modulus)
        ]
        found += [
            min((ships[cells] > 0).sum() for cells in classes),
            min(roots[cells].sum() for cells in classes),
        ]
    return found


def by_answer(
    layouts: Iterable[Layout], answer: Callable[[Layout], object]
) -> dict[object, list[Layout]]:
    found = defaultdict(list)
    for layout in layouts:
        found[answer(layout)].append(layout)
    return found


def told_of(layout: Layout, cells: tuple[int, ...], shot: set[int], sinkings: str) -> Observation:
    sunk = sunk_by(layout, cells, shot)
    told = {"named": sunk, "unnamed": len(sunk), "silent": None}[sinkings]
    return Observation(cells, hits_of(layout, cells), told)  # type: ignore[arg-type]


@pytest.mark.parametrize("lengths", FLEETS)
@pytest.mark.parametrize("sinkings", ["named", "unnamed", "silent"])
def test_answers_their_chances_and_features(lengths: tuple[int, ...], sinkings: str) -> None:
    board = board_of(ROWS, COLUMNS, lengths)
    chances = Chances(board, lengths, [np.random.default_rng(seed) for seed in (1, 2)])
    left, shot = every_layout(lengths), set[int]()
    truth = left[len(left) // 3]
    hit = min(truth[-1])
    others = [cell for cell in range(ROWS * COLUMNS) if cell not in {8, hit, hit + 1}]
    for cells in ((8,), (hit,), (hit + 1, others[3], others[9])):
        told = told_of(truth, cells, shot, sinkings)
        outlook = chances.observe(told)
        assert outlook is not None
        answers = by_answer(left, lambda one, c=cells, s=set(shot): told_of(one, c, s, sinkings))  # type: ignore[misc]
        before, left = len(left), answers[told]
        shot |= set(cells)
        rows = {
            answer: [len(some) / before, *features_of(some, shot, 1)]
            for answer, some in answers.items()
        }
        found = np.column_stack([outlook.chances, describe(board, [outlook], 1)])
        away = np.abs(found[:, None] - np.array(list(rows.values()))).max(axis=2)
        assert len(found) == len(rows)
        assert (away.min(axis=0) < 1e-4).all()
        assert found[outlook.came] == pytest.approx(rows[told], abs=1e-4)
        assert outlook.share == pytest.approx(outlook.chances)
        assert outlook.drawn == math.inf


NETWORK = Network(
    np.zeros(FEATURES),
    np.full(FEATURES, 10.0),
    [np.random.default_rng(7).normal(size=(1, FEATURES, 1))],
    [np.full((1, 1), 2.0)],
)


def turns_left(layouts: Sequence[Layout], shot: set[int], shots: int) -> float:
    features = np.array([features_of(layouts, shot, shots)])
    to_hit = sum(map(len, layouts[0])) - len(hits_of(layouts[0], shot))
    return (to_hit + NETWORK.misses(features)[0]) / shots if to_hit else 0.0


def state_of(
    lengths: tuple[int, ...], sinkings: str = "named"
) -> tuple[LayoutSet, list[Layout], set[int]]:
    """Return layouts after two shots, one of which hit the smallest ship, in two forms."""
    board = board_of(ROWS, COLUMNS, lengths)
    chances = Chances(board, lengths, [np.random.default_rng(1)])
    left, shot = every_layout(lengths), set[int]()
    truth = left[len(left) // 3]
    for cell in (min(truth[-1]), 8):
        told = told_of(truth, (cell,), shot, sinkings)
        chances.follow(told)
        left = [one for one in left if told_of(one, (cell,), shot, sinkings) == told]
        shot.add(cell)
    (one,) = chances.sets
    return LayoutSet(board, lengths, one, chances.hit, chances.untried), left, shot


@pytest.mark.parametrize("lengths", FLEETS)
@pytest.mark.parametrize("sinkings", ["named", "silent"])
def test_worth_of_a_path_is_the_mean_over_its_first_hits(
    lengths: tuple[int, ...], sinkings: str
) -> None:
    layouts, left, shot = state_of(lengths, sinkings)
    untried = [cell for cell in range(ROWS * COLUMNS) if cell not in shot]
    paths = [untried[:3], untried[-3:], untried[4:7]]

    def answer(layout: Layout, path: list[int]) -> tuple[int, tuple[int, ...]]:
        taken = next((n + 1 for n in range(3) if hits_of(layout, path[n : n + 1])), 4)
        return taken, sunk_by(layout, path[:taken], shot)

    expected = [
        sum(
            (min(taken, 3) + turns_left(some, shot | set(path[:taken]), 1)) * len(some)
            for (taken, _), some in by_answer(left, lambda one, p=path: answer(one, p)).items()  # type: ignore[misc]
        )
        / len(left)
        for path in paths
    ]
    assert worth_of_paths([layouts], NETWORK, np.array(paths)) == pytest.approx(expected, abs=1e-4)
    twice = worth_of_paths([layouts, layouts], NETWORK, np.array(paths))
    assert twice == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("lengths", FLEETS)
@pytest.mark.parametrize("sinkings", ["named", "silent"])
def test_worth_of_a_salvo_is_the_mean_over_its_answers(
    lengths: tuple[int, ...], sinkings: str
) -> None:
    layouts, left, shot = state_of(lengths, sinkings)
    untried = [cell for cell in range(ROWS * COLUMNS) if cell not in shot]
    salvos = [untried[:3], untried[-3:], untried[4:7], untried[1:12:5]]
    # One whose last shot may sink the ship that was hit.
    (hit,) = shot - {8}
    beside = hit + 1 if hit % COLUMNS < COLUMNS - 1 else hit - 1
    assert beside in untried
    salvos.append([*[cell for cell in untried if cell != beside][:2], beside])
    expected = [
        sum(
            (1 + turns_left(some, shot | set(salvo), 3)) * len(some)
            for some in by_answer(
                left,
                lambda one, s=tuple(salvo): told_of(one, s, shot, "named"),  # type: ignore[misc]
            ).values()
        )
        / len(left)
        for salvo in salvos
    ]
    assert worth_of_salvos(layouts, NETWORK, np.array(salvos)) == pytest.approx(expected, abs=1e-4)


def with_another_cell(
    left: Sequence[Layout], salvo: Sequence[int], place: int, shot: set[int]
) -> list[list[int]]:
    """Return the salvo with each of the three likeliest cells in a place, if the others miss."""
    others = [*salvo[:place], *salvo[place + 1 :]]
    cells = [0] * (ROWS * COLUMNS)
    for layout in left:
        if not hits_of(layout, set(others)):
            for covered in frozenset().union(*layout) - shot - set(salvo):
                cells[covered] += 1
    likeliest = sorted(range(len(cells)), key=lambda cell: -cells[cell])[:3]
    return [[*salvo[:place], cell, *salvo[place + 1 :]] for cell in likeliest if cells[cell]]


@pytest.mark.parametrize("lengths", FLEETS)
def test_cell_after_cell_is_exchanged_until_none_gains(lengths: tuple[int, ...]) -> None:
    layouts, left, shot = state_of(lengths)
    untried = [cell for cell in range(ROWS * COLUMNS) if cell not in shot]

    def worth(salvos: list[list[int]]) -> list[float]:
        return worth_of_salvos(layouts, NETWORK, np.sort(salvos)).round(9).tolist()

    for first in (untried[2::-1], untried[4:7], untried[1:12:5]):
        salvo, unchanged = sorted(first), 0
        for place in 3 * [0, 1, 2]:
            unchanged += 1
            if tried := with_another_cell(left, salvo, place, shot):
                found = worth(tried)
                if min(found) < worth([salvo])[0] - 0.0005:
                    salvo, unchanged = tried[found.index(min(found))], 1
            if unchanged == 3:
                break
        assert improved_salvo(layouts, NETWORK, first) == sorted(salvo)


@pytest.mark.parametrize(("gain", "is_exchanged"), [(0.0004, False), (0.0006, True)])
def test_an_exchange_must_gain_a_two_thousandth_of_a_turn(
    monkeypatch: pytest.MonkeyPatch, gain: float, *, is_exchanged: bool
) -> None:
    layouts, _, shot = state_of((4, 3))
    salvo = [cell for cell in range(ROWS * COLUMNS) if cell not in shot][:3]
    monkeypatch.setattr(
        "bots.tactics.value.ahead.worth_of_salvos",
        lambda _layouts, _network, salvos: np.array(
            [3.0 if one.tolist() == salvo else 3.0 - gain for one in salvos]
        ),
    )
    assert (improved_salvo(layouts, NETWORK, salvo) != salvo) == is_exchanged


def test_a_salvo_of_all_cells_stays_as_it_is() -> None:
    layouts, _, shot = state_of((4, 3))
    salvo = [cell for cell in range(ROWS * COLUMNS) if cell not in shot]
    assert improved_salvo(layouts, NETWORK, salvo[::-1]) == salvo


@pytest.mark.parametrize(("shots", "can"), [(46, True), (47, False)])
def test_answers_are_numbered_up_to_the_exact_whole_numbers(*, shots: int, can: bool) -> None:
    # Each cell may be hit or not, and the ship may sink: 2**(shots + 1), for each of some salvos.
    board = board_of(8, 8, (3,))
    layouts = LayoutSet(
        board,
        (3,),
        Drawn(np.zeros((1, 1), np.intp), np.ones(1), 0.0, whole=True),
        np.zeros(64, bool),
        np.ones(64, bool),
    )
    assert can_number(layouts, shots) == can


@pytest.mark.parametrize("lengths", FLEETS)
def test_a_path_goes_on_on_the_class_with_the_fewest_cells(lengths: tuple[int, ...]) -> None:
    layouts, left, shot = state_of(lengths)
    start = next(cell for cell in range(ROWS * COLUMNS) if cell not in shot)
    (path,) = paths_of_misses(layouts, [start], 3, 0.5)
    smallest = min(len(ship) for layout in left for ship in layout if not ship <= shot)
    for step in (1, 2):
        missed = [layout for layout in left if not hits_of(layout, path[:step].tolist())]
        chances = np.zeros((1, ROWS * COLUMNS))
        for layout in missed:
            chances[0, list(frozenset().union(*layout) - shot)] += 1
        scores = (chances * prospects(chances, COLUMNS, smallest, 0.5))[0]
        scores[[*shot, *path[:step]]] = -1
        assert path[step] == scores.argmax()
