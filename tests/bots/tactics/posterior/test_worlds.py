"""Small games by any rules, world by world."""

import random
import runpy
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import cells_of, mask_of, placements
from bots.tactics.posterior.explanations import ImpossibleEvidenceError

worlds = runpy.run_path(str(Path(__file__).with_name("possible_worlds.py")))
Answer, Lying, Worlds = worlds["Answer"], worlds["Lying"], worlds["Worlds"]


def layouts_of(rows: int, columns: int, fleet: Sequence[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for length in fleet:
        found = [
            (*layout, place)
            for layout in found
            for place in placements(rows, columns, length)
            if not place & sum(layout)
        ]
    return found


def shares(layouts: Sequence[tuple[int, ...]], shot: int, cells: int) -> list[float]:
    return [
        sum(sum(layout) & ~shot & 1 << cell > 0 for layout in layouts) / len(layouts)
        for cell in range(cells)
    ]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), sizes=st.lists(st.integers(1, 3), max_size=4))
def test_counts_of_a_salvo_agree_with_every_layout(seed: int, sizes: list[int]) -> None:
    chance = random.Random(seed)
    layouts = layouts_of(3, 4, [3, 2])
    truth = chance.choice(layouts)
    cells = chance.sample(range(12), 12)
    worlds = Worlds(3, 4, {(3, 2): 1.0})
    shot = 0
    for size in sizes:
        salvo, cells = cells[:size], cells[size:]
        fired = mask_of(salvo)
        hits = (fired & sum(truth)).bit_count()
        worlds.observe(Answer(tuple(salvo), hits, None))
        layouts = [one for one in layouts if (fired & sum(one)).bit_count() == hits]
        shot |= fired
    assert worlds.cells == pytest.approx(shares(layouts, shot, 12))


def test_a_fleet_that_is_not_known_is_learned() -> None:
    worlds = Worlds(1, 6, {(3,): 0.5, (2,): 0.5})
    worlds.observe(Answer((1, 2), (1, 2), 0))
    # Not sunk by two hits: it is the ship of three, at either end.
    assert worlds.cells == pytest.approx([0.5, 0, 0, 0.5, 0, 0])


def test_each_fleet_counts_as_its_prior_says() -> None:
    worlds = Worlds(1, 4, {(4,): 0.25, (2,): 0.75})
    assert worlds.cells[0] == pytest.approx(0.25 + 0.75 / 3)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_truth_is_never_ruled_out_by_lies_within_the_budget(seed: int) -> None:
    chance = random.Random(seed)
    truth = chance.choice(layouts_of(3, 3, [2, 2]))
    worlds = Worlds(3, 3, {(2, 2): 1.0}, "allowed", Lying(2, 0.5))
    lies, shot = 2, 0
    for cell in chance.sample(range(9), 6):
        before, shot = shot, shot | 1 << cell
        hit = bool(sum(truth) >> cell & 1)
        sunk = [ship for ship in truth if ship & ~before and not ship & ~shot]
        if lies and not sunk and chance.random() < 0.4:
            hit, lies = not hit, lies - 1
        worlds.observe(Answer((cell,), (cell,) if hit else (), (2,) * len(sunk)))
    assert any(sorted(mask for mask, _ in world.ships) == sorted(truth) for world in worlds.weights)


def test_more_lies_than_the_budget_are_impossible() -> None:
    worlds = Worlds(1, 2, {(2,): 1.0}, "allowed", Lying(1))
    worlds.observe(Answer((0,), (), ()))
    with pytest.raises(ImpossibleEvidenceError):
        worlds.observe(Answer((1,), (), ()))


def test_lie_weighs_as_the_model_says() -> None:
    # A miss at the first of four cells: the ship of two lies further on, or it was a lie.
    worlds = Worlds(1, 4, {(2,): 1.0}, "allowed", Lying(1, 0.25))
    worlds.observe(Answer((0,), (), None))
    assert worlds.cells[3] == pytest.approx(1 / 2.25)


def test_ships_move_along_their_own_axis_alone() -> None:
    worlds = Worlds(2, 3, {(2,): 1.0})
    worlds.observe(Answer((2, 3, 4, 5), (), None))  # the ship lies on cells 0 and 1
    worlds.move(1.0)
    assert worlds.cells == pytest.approx([0, 1, 1, 0, 0, 0])


def test_moves_as_often_as_the_model_says() -> None:
    chance = random.Random(1)
    counts: Counter[int] = Counter()
    for _ in range(4000):
        start = chance.randrange(3)
        steps = [cell for cell in (start - 1, start + 1) if 0 <= cell < 3]
        counts[chance.choice(steps) if chance.random() < 0.5 else start] += 1
    worlds = Worlds(1, 4, {(2,): 1.0})
    worlds.move(0.5)
    found = np.zeros(3)
    for world, weight in worlds.weights.items():
        found[cells_of(world.ships[0][0])[0]] += weight
    assert found == pytest.approx([counts[start] / 4000 for start in range(3)], abs=0.04)


def test_a_ship_that_was_hit_stays() -> None:
    worlds = Worlds(1, 3, {(2,): 1.0})
    worlds.observe(Answer((0,), (0,), ()))
    worlds.move(1.0)
    assert worlds.cells == pytest.approx([0, 1, 0])


def test_too_many_layouts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Worlds.__init__.__globals__, "MAX_WORLDS", 1000)
    with pytest.raises(ValueError, match="more than 1000 layouts cannot be listed"):
        Worlds(10, 10, {(5, 4): 1.0})
