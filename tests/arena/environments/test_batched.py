"""The batched boards: the rules move for move, and games replaced within the step."""

import runpy
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
import scipy
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.environments import BatchedSoloEnv, SoloBoards, SoloEnv
from arena.environments.layout_batches import Drawing, ships_on_cells
from arena.errors import IllegalActionError
from arena.rules import Layout, Rules, Ship, draw_uniform, name_layout, placements, preset

games = runpy.run_path(str(Path(__file__).with_name("rule_sets.py")))["games"]


def play_both(rules: Rules, layouts: list[Layout], seed: int) -> None:
    """Play the same cells on batched boards and in one environment a layout."""
    random = Random(seed)
    boards = SoloBoards(rules, len(layouts), np.random.default_rng(seed))
    every = np.arange(len(layouts))
    boards.begin(every, np.stack([ships_on_cells(rules, layout) for layout in layouts]))
    environments = [SoloEnv(rules) for _ in layouts]
    infos: list[dict[str, Any]] = []
    for environment, layout in zip(environments, layouts, strict=True):
        infos.append(environment.reset(options={"layout": name_layout(rules, layout)})[1])
    for _ in range(min(rules.cells, 12)):
        cells = [random.choice(np.flatnonzero(info["action_mask"]).tolist()) for info in infos]
        fired, over = boards.choose(np.array(cells))
        for game, environment in enumerate(environments):
            seen, reward, ended, _, infos[game] = environment.step(cells[game])
            assert boards.seen[game].tolist() == seen["board"].ravel().tolist()
            assert boards.sunk[game].tolist() == seen.get("sunk", np.zeros(0)).tolist()
            assert fired[game] == (reward < 0)
            assert over[game] == ended
            assert boards.turns[game] == infos[game]["turns"]
            if not ended:
                assert boards.untried[game].tolist() == infos[game]["action_mask"].tolist()
                assert boards.shots_left[game] == infos[game]["shots_left"]
        if over.any():
            # Both begin the games that have ended anew, with the same layouts.
            ended_games = np.flatnonzero(over)
            fresh = np.stack([ships_on_cells(rules, layouts[game]) for game in ended_games])
            boards.begin(ended_games, fresh)
            for game in ended_games:
                options = {"layout": name_layout(rules, layouts[game])}
                infos[game] = environments[game].reset(options=options)[1]


@settings(max_examples=80, deadline=None)
@given(game=games(), seed=st.integers(0, 2**32))
def test_agrees_with_the_rules_move_for_move(game: tuple[Rules, Layout, Layout], seed: int) -> None:
    rules, *layouts = game
    play_both(rules, layouts, seed)


@pytest.mark.parametrize("name", ["classic", "salvo", "unnamed", "silent", "apart", "ramesh-5"])
def test_agrees_on_the_presets(name: str) -> None:
    rules = preset(name)
    play_both(rules, [draw_uniform(rules, Random(seed)) for seed in range(8)], seed=1)


def test_a_game_that_ends_is_replaced_in_the_same_step() -> None:
    environment = gymnasium.make_vec("salvo/Solo-v0", num_envs=3, rules="row-5-3")
    assert environment.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    environment.reset(seed=1)
    ended_once = False
    for cell in range(5):
        seen, rewards, ended, truncated, info = environment.step(np.full(3, cell))
        assert (rewards == -1).all()
        assert not truncated.any()
        for game in np.flatnonzero(ended):
            assert (info["final_obs"][game]["board"] > 1).sum() == cell + 1
            assert info["final_info"]["turns"][game] == cell + 1
            assert not seen["board"][game].any()
            assert info["action_mask"][game].all()
            ended_once = True
        if ended.any():
            break
    assert ended_once


def test_every_observation_is_of_its_space() -> None:
    environment = BatchedSoloEnv(5, "salvo")
    seen, info = environment.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(250):
        assert environment.observation_space.contains(seen)
        cells = [random.choice(np.flatnonzero(mask)) for mask in info["action_mask"]]
        seen, _, _, _, info = environment.step(np.array(cells))


def test_the_same_seed_gives_the_same_games() -> None:
    boards = []
    for _ in range(2):
        environment = BatchedSoloEnv(50, "classic")
        environment.reset(seed=3)
        boards.append(environment.boards.ships.copy())
    assert (boards[0] == boards[1]).all()


def test_a_second_reset_goes_on_with_other_layouts() -> None:
    environment = BatchedSoloEnv(50, "classic")
    environment.reset(seed=3)
    before = environment.boards.ships.copy()
    environment.reset()
    assert (environment.boards.ships != before).any()


@pytest.mark.parametrize("cell", [-1, 100, 5])
def test_refuses_a_cell_that_may_not_be_shot(cell: int) -> None:
    boards = SoloBoards("classic", 2, np.random.default_rng(1))
    boards.choose(np.array([4, 5]))
    with pytest.raises(IllegalActionError, match=f"game 1: cell {cell}"):
        boards.choose(np.array([6, cell]))


@pytest.mark.parametrize("touching", ["allowed", "corners", "never"])
def test_draws_every_layout_equally_often(touching: Any) -> None:  # noqa: ANN401 - a Literal
    fleet = (Ship("two", 2), Ship("three", 3))
    rules = Rules(name="small", rows=4, columns=3, fleet=fleet, touching=touching)
    layouts = [
        (two, three)
        for two in placements(4, 3, 2)
        for three in placements(4, 3, 3)
        if draw_is_legal(rules, two, three)
    ]
    drawn = Drawing(rules, np.random.default_rng(5)).draw(200 * len(layouts))
    counts = Counter(map(bytes, drawn))
    expected = {bytes(ships_on_cells(rules, layout)) for layout in layouts}
    assert set(counts) == expected
    assert scipy.stats.chisquare(list(counts.values())).pvalue > 1e-4


def draw_is_legal(rules: Rules, two: int, three: int) -> bool:
    near = {"allowed": [0], "corners": [0, 1], "never": [0, 1, 2]}[rules.touching]
    cells = [[divmod(cell, 3) for cell in range(12) if mask >> cell & 1] for mask in (two, three)]
    gaps = [
        (abs(row - other_row), abs(column - other_column))
        for row, column in cells[0]
        for other_row, other_column in cells[1]
    ]
    apart = [max(gap) if 2 in near else sum(gap) for gap in gaps]
    return min(apart) > (0 if near == [0] else 1)


@pytest.mark.parametrize("law", ["uniform", "sequential"])
def test_draws_where_boards_are_full(law: Any) -> None:  # noqa: ANN401 - a Literal
    fleet = tuple(Ship(str(number), 3) for number in range(5))
    rules = Rules(name="full", rows=3, columns=5, fleet=fleet, layouts=law)
    drawn = Drawing(rules, np.random.default_rng(5)).draw(3)
    assert [Counter(row) for row in drawn.tolist()] == [Counter(dict.fromkeys(range(5), 3))] * 3


def test_games_that_are_kept_go_on_as_they_were() -> None:
    boards, alone = (SoloBoards("classic", 3, np.random.default_rng(5)) for _ in range(2))
    some = np.array([True, False, True])
    boards.keep(some)
    assert boards.number == 2
    for cell in range(40):
        fired, over = boards.choose(np.full(2, cell))
        _, all_over = alone.choose(np.full(3, cell))
        assert fired.tolist() == [True, True]
        assert over.tolist() == all_over[some].tolist()
        assert (boards.seen == alone.seen[some]).all()
        assert (boards.sunk == alone.sunk[some]).all()
