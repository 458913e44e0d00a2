"""Ships that move, against every world of a small board."""

import random
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from arena.referee import play_bots
from arena.replay import replay
from arena.rules import CellsReport, Rules, Ship, cells_of, preset, view
from bots.posterior_greedy import PosteriorGreedy
from bots.tactics.posterior.moving_ships import MOVES
from bots.tactics.posterior.sampling import sampled_belief

worlds = runpy.run_path(str(Path(__file__).with_name("possible_worlds.py")))
Answer, Worlds = worlds["Answer"], worlds["Worlds"]


def moving_rules(rows: int, columns: int, *lengths: int) -> Rules:
    return Rules(
        name="moving",
        rows=rows,
        columns=columns,
        fleet=tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths)),
        sinkings="unnamed",
        touching="never",
        moves=True,
        reshoot=True,
    )


@pytest.mark.parametrize(("seed", "length"), [*((seed, 3) for seed in range(6)), (6, 2), (7, 1)])
def test_a_lone_ship_is_followed_exactly(seed: int, length: int) -> None:
    rules = moving_rules(4, 4, length)
    chance = random.Random(seed)
    belief: Any = sampled_belief(view(rules), np.random.default_rng(seed), solo=True)
    belief.particles = 20_000
    worlds = Worlds(4, 4, {(length,): 1.0}, "never")
    world = chance.choice(list(worlds.weights))
    for _ in range(8):
        cell = chance.randrange(16)
        ((mask, hit),) = world.ships
        struck = bool(mask & ~hit & 1 << cell)
        sunk = not mask & ~(hit | 1 << cell)
        if sunk or hit >> cell & 1:
            continue
        hits = (cell,) if struck else ()
        belief.read((cell,), CellsReport(hits, 0))
        answer = Answer((cell,), hits, 0)
        world, _ = worlds._answered(world, answer) or (world, 0)
        worlds.observe(answer)
        worlds.move(MOVES)
        steps = list(worlds._steps(world))
        if steps and chance.random() < MOVES:
            world = chance.choice(steps)
        assert belief.cells() == pytest.approx(worlds.cells, abs=0.02)
        alone = belief.density()
        if belief._hits:
            # What was likely at the first hit, less what was missed since
            alone = next(iter(belief._hits.values())) @ belief._all.covers
            alone[list(belief._hits)] = 0
        if len(belief._hits) < 2:
            assert alone / alone.sum() * worlds.cells.sum() == pytest.approx(worlds.cells, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_cells_of_several_ships_add_up_to_those_that_were_not_hit(seed: int) -> None:
    rules = moving_rules(6, 6, 3, 2, 2)
    belief = sampled_belief(view(rules), np.random.default_rng(seed), solo=True)
    chance = random.Random(seed)
    misses = chance.sample(range(12, 36), 6)
    for salvo, hits in [(misses[:3], ()), ([0], (0,)), (misses[3:], ())]:
        belief.read(tuple(salvo), CellsReport(hits, 0))
        cells = belief.cells()
        assert cells.min() >= 0
        assert cells.max() <= 1
        open_hits = len(belief._hits)
        assert cells.sum() == pytest.approx(3 + 2 + 2 - open_hits)
        moving = belief._moving
        assert (moving <= cells + 1e-9).all()
    assert cells[[1, 6]].sum() > 0.9


def test_what_was_missed_long_ago_is_doubted_again() -> None:
    rules = moving_rules(1, 9, 2)
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    belief.read((4,), CellsReport((), 0))
    assert belief.cells()[4] > 0
    at_once = belief.cells()[4]
    for _ in range(20):
        belief.read((0,), CellsReport((), 0))
    assert belief.cells()[4] > 2 * at_once


def test_ships_that_may_still_flee_are_shot_before_those_that_were_hit() -> None:
    rules = moving_rules(6, 6, 3, 2)
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    belief.read((0,), CellsReport((0,), 0))
    beside_the_hit = [1, 6]
    assert int(belief.cells().argmax()) in beside_the_hit
    assert int(belief.worth().argmax()) not in beside_the_hit


@pytest.mark.parametrize(("solo", "first"), [(True, False), (False, True)])
def test_sure_hit_comes_first_only_where_it_costs_no_turn(*, solo: bool, first: bool) -> None:
    rules = replace(moving_rules(6, 6, 3, 2, 2, 2), again=True)
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=solo)
    for cell in (0, 1):
        belief.read((cell,), CellsReport((cell,), 0))
    assert (int(belief.worth().argmax()) == 2) == first


def test_open_hits_are_not_shot_again() -> None:
    rules = moving_rules(6, 6, 3, 2)
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    belief.read((0,), CellsReport((0,), 0))
    belief.read((20,), CellsReport((), 0))
    cells = belief.open_cells([], 1)
    assert 0 not in cells
    assert 20 in cells


@pytest.mark.parametrize(("ship", "length"), [("ship 0", 3), ("ship 1", 2)])
def test_ship_that_is_named_as_sunk_lies_where_it_was_hit(ship: str, length: int) -> None:
    rules = replace(moving_rules(6, 6, 3, 2), sinkings="named")
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    *before, last = range(length)
    for cell in before:
        belief.read((cell,), CellsReport((cell,), ()))
    belief.read((last,), CellsReport((last,), (ship,)))
    cells = belief.cells()
    assert cells[: length + 1].max() == 0
    assert cells.sum() == pytest.approx(5 - length)
    assert belief._left.tolist() == [int(other != length) for other in belief._board.lengths]


@pytest.mark.parametrize("seed", range(3))
def test_the_ships_are_never_ruled_out(seed: int) -> None:
    rules = preset("afp")
    game = play_bots([PosteriorGreedy()], rules, seeds=(seed, seed))
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    last = None
    for state in replay(game, rules):
        # A salvo has been answered, and a ship has moved, once the next shot is due.
        if state.salvo is None or state.salvo is last or state.request is None:
            continue
        if type(state.request).__name__ != "ShootRequest":
            continue
        last = state.salvo
        belief.read(last.cells, last.report)
        waters = state.waters.second
        assert waters is not None
        assert (belief.density()[cells_of(waters.afloat)] > 0).all()
