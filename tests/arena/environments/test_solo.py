"""The Gymnasium environment: its interface, and the rules move for move."""

import runpy
from pathlib import Path
from random import Random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.environments import CHOSEN, HIT, MISS, SANK, UNTRIED, SoloEnv
from arena.errors import IllegalActionError, RulesError, UserError
from arena.rules import (
    CellsReport,
    Layout,
    Rules,
    Shoot,
    ShootRequest,
    apply,
    begin_solo,
    name_layout,
    preset,
)

games = runpy.run_path(str(Path(__file__).with_name("rule_sets.py")))["games"]
CLASSIC = {
    "Carrier": range(5),
    "Battleship": range(10, 14),
    "Destroyer": range(20, 23),
    "Submarine": range(30, 33),
    "Patrol boat": range(40, 42),
}


@pytest.mark.parametrize("rules", ["classic", "salvo", "unnamed", "unknown", "apart", "ramesh-5"])
def test_passes_the_checks_of_gymnasium(rules: str) -> None:
    environment = gymnasium.make("salvo/Solo-v0", rules=rules)
    check_env(environment.unwrapped)


@settings(max_examples=80, deadline=None)
@given(game=games(), seed=st.integers(0, 2**32))
def test_agrees_with_the_rules_move_for_move(game: tuple[Rules, Layout, Layout], seed: int) -> None:
    rules, layout, _ = game
    random = Random(seed)
    environment = SoloEnv(rules)
    options = {"layout": name_layout(rules, layout)}
    seen, info = environment.reset(options=options)
    state = begin_solo(rules, layout)
    expected = np.full(rules.cells, UNTRIED)
    turns = 0
    while isinstance(request := state.request, ShootRequest):
        assert info["shots_left"] == request.shots
        cells: list[int] = []
        for _ in range(request.shots):
            assert environment.observation_space.contains(seen)
            assert (info["action_mask"] == (expected == UNTRIED)).all()
            cells.append(random.choice(np.flatnonzero(info["action_mask"]).tolist()))
            seen, reward, ended, truncated, info = environment.step(cells[-1])
            expected[cells[-1]] = CHOSEN
            assert not truncated
        state = apply(state, Shoot(cells))
        assert state.salvo is not None
        report = state.salvo.report
        assert isinstance(report, CellsReport)
        for cell in cells:
            expected[cell] = (SANK if report.sunk else HIT) if cell in report.hits else MISS
        assert (seen["board"].ravel() == expected).all()
        assert reward == -1
        turns += 1
        assert ended == (state.request is None)
    assert info["turns"] == turns


def test_tells_names_of_ships_sunk() -> None:
    environment = SoloEnv("classic")
    environment.reset(options={"layout": CLASSIC})
    environment.step(40)
    seen, *_ = environment.step(41)
    assert seen["sunk"].tolist() == [0, 0, 0, 0, 1]
    assert seen["board"][4, :3].tolist() == [HIT, SANK, UNTRIED]


def test_tells_the_number_of_ships_sunk_where_they_are_unnamed() -> None:
    environment = SoloEnv("unnamed")
    environment.reset(options={"layout": CLASSIC})
    environment.step(40)
    seen, *_ = environment.step(41)
    assert seen["sunk"].tolist() == [1]


def test_the_same_seed_draws_the_same_layouts() -> None:
    environments = [SoloEnv("classic") for _ in range(2)]
    layouts = []
    for environment in environments:
        environment.reset(seed=7)
        first = environment.layout
        environment.reset()
        layouts.append((first, environment.layout))
    assert layouts[0] == layouts[1]
    assert layouts[0][0] != layouts[0][1]


@pytest.mark.parametrize("cell", [-1, 100, 3])
def test_refuses_a_cell_that_may_not_be_shot(cell: int) -> None:
    environment = SoloEnv("classic")
    environment.reset(seed=1)
    environment.step(3)
    with pytest.raises(IllegalActionError, match=str(cell)):
        environment.step(cell)


def test_refuses_a_step_after_the_end() -> None:
    environment = SoloEnv("row-5-3")
    environment.reset(options={"layout": {"Ship of 3": [0, 1, 2]}})
    for cell in range(3):
        environment.step(cell)
    with pytest.raises(IllegalActionError, match="over"):
        environment.step(3)


def test_refuses_a_layout_that_the_rules_forbid() -> None:
    with pytest.raises(UserError, match=r"layout: .*straight"):
        SoloEnv("row-5-3").reset(options={"layout": {"Ship of 3": [0, 1, 3]}})


@pytest.mark.parametrize(("name", "field"), [("paper", "told"), ("lies", "lies"), ("afp", "moves")])
def test_refuses_rules_that_a_board_cannot_show(name: str, field: str) -> None:
    with pytest.raises(RulesError, match=f"{name}', {field}"):
        SoloEnv(preset(name))


def test_draws_the_board_as_text() -> None:
    environment = SoloEnv("row-5-3", render_mode="ansi")
    environment.reset(options={"layout": {"Ship of 3": [0, 1, 2]}})
    environment.step(2)
    environment.step(3)
    assert environment.render() == "..#o.\n"


def test_writes_the_board_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    environment = SoloEnv("row-5-3", render_mode="human")
    environment.reset(seed=1)
    assert environment.render() is None
    assert capsys.readouterr().out == ".....\n\n"
