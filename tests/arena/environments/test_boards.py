"""Boards, pictures and actions of the environments, number by number."""

from typing import Any

import numpy as np
import pytest

from arena.environments import BatchedSoloEnv, DuelEnv, SoloEnv
from arena.environments.action_checks import (
    checked_action,
    checked_actions,
    checked_illegal,
    checked_options,
)
from arena.environments.board_pictures import CELL_PIXELS, paint_board, paint_own, side_by_side
from arena.environments.fleet_placement import Placing
from arena.environments.layout_batches import Drawing
from arena.environments.sight import Sight, draw_board, own_sea, sight_space
from arena.errors import IllegalActionError, RulesError, UserError
from arena.rules import CellsReport, Place, Rules, Ship, Shoot, apply, begin, cells_of

RULES = Rules(name="small", rows=2, columns=4, fleet=(Ship("Boat", 3), Ship("Dot", 1)), shots=2)
LAYOUT = {"Boat": [0, 1, 2], "Dot": [7]}


def unnamed(**given: Any) -> Rules:  # noqa: ANN401 - any field of Rules
    fields = {"name": "small", "rows": 2, "columns": 4, "fleet": RULES.fleet, "shots": 2}
    return Rules(**{**fields, **given})


def test_board_shows_what_was_chosen_missed_hit_and_sunk() -> None:
    seen = Sight(RULES)
    shown = [draw_board(seen.board)]
    seen.choose(4)
    shown.append(draw_board(seen.board))
    assert (seen.chosen, seen.untried(4), seen.untried(5)) == ([4], False, True)
    seen.hear((4, 0), CellsReport((0,), ()))
    shown.append(draw_board(seen.board))
    seen.hear((7, 5), CellsReport((7,), ("Dot",)))
    shown.append(draw_board(seen.board))
    assert shown == ["....\n....\n", "....\n*...\n", "#...\no...\n", "#...\noo.@\n"]
    assert seen.chosen == []
    assert seen.sunk.tolist() == [0, 1]
    assert seen.mask().tolist() == [0, 1, 1, 1, 0, 0, 1, 0]
    seen.hear((1, 2, 3, 6), CellsReport((1, 2), ("Boat",)))
    assert seen.sunk.tolist() == [1, 1]
    assert seen.mask().tolist() == [1] * 8


def test_ships_sunk_are_counted_where_they_are_unnamed_and_left_out_where_silent() -> None:
    seen = Sight(unnamed(sinkings="unnamed"))
    seen.hear((0, 7), CellsReport((0, 7), 2))
    assert seen.sunk.tolist() == [2]
    assert draw_board(seen.board) == "@...\n...@\n"
    seen.hear((1, 2), CellsReport((1,), 0))
    assert seen.sunk.tolist() == [2]
    assert draw_board(seen.board) == "@#o.\n...@\n"
    assert set(Sight(unnamed(sinkings="silent")).observation()) == {"board"}


@pytest.mark.parametrize(
    ("given", "shape", "most"),
    [
        ({}, (2,), 1),
        ({"sinkings": "unnamed"}, (1,), 8),
        ({"sinkings": "unnamed", "rows": 16, "columns": 16}, (1,), 127),
    ],
)
def test_numbers_of_sunk_ships_have_a_bound_that_tells_no_secret(
    given: dict[str, Any], shape: tuple[int, ...], most: int
) -> None:
    sunk = sight_space(unnamed(**given))["sunk"]
    assert sunk.shape == shape
    assert (sunk.low.min(), sunk.high.max()) == (0, most)  # type: ignore[attr-defined]
    board = sight_space(unnamed(**given))["board"]
    assert (board.low.min(), board.high.max()) == (0, 4)  # type: ignore[attr-defined]


def test_own_sea_has_the_ships_and_what_came_in() -> None:
    state = begin(RULES)
    laid = own_sea(state, "first", 0b10010001)
    assert laid["own"].tolist() == [[1, 0, 0, 0], [1, 0, 0, 1]]
    assert laid["incoming"].tolist() == [[0] * 4] * 2
    for action in (Place(LAYOUT), Place(LAYOUT), Shoot([3, 7])):
        state = apply(state, action)
    for seat, incoming in (("first", [[0] * 4] * 2), ("second", [[0, 0, 0, 1], [0, 0, 0, 1]])):
        sea = own_sea(state, seat)  # type: ignore[arg-type]
        assert sea["own"].tolist() == [[1, 1, 1, 0], [0, 0, 0, 1]]
        assert sea["incoming"].tolist() == incoming


GAP = [252, 252, 250]
WATER, CHOSEN, MISS, HIT, SANK, SHIP = (
    [205, 220, 232],
    [240, 200, 90],
    [150, 170, 185],
    [214, 93, 80],
    [120, 30, 40],
    [95, 110, 120],
)


def test_each_state_of_a_cell_has_a_colour_between_thin_lines() -> None:
    picture = paint_board(np.array([[0, 1, 2], [3, 4, 0]], dtype=np.int8))
    assert picture.shape == (2 * CELL_PIXELS, 3 * CELL_PIXELS, 3)
    assert paint_board(np.zeros((1, 1), np.int8)).shape[0] % 2 == 0, "as films ask for"
    for row, colours in enumerate([[WATER, CHOSEN, MISS], [HIT, SANK, WATER]]):
        for column, colour in enumerate(colours):
            cell = picture[row * CELL_PIXELS :, column * CELL_PIXELS :]
            cell = cell[:CELL_PIXELS, :CELL_PIXELS]
            assert (cell[1:, 1:] == colour).all()
            assert (cell[0] == GAP).all()
            assert (cell[:, 0] == GAP).all()


def test_own_board_is_painted_and_stands_beside_another() -> None:
    own = np.array([[0, 1], [0, 1]], dtype=np.int8)
    incoming = np.array([[0, 0], [1, 1]], dtype=np.int8)
    picture = paint_own(own, incoming)
    middle = slice(CELL_PIXELS // 2, None, CELL_PIXELS)
    assert picture[middle, middle].tolist() == [[WATER, SHIP], [MISS, HIT]]
    both = side_by_side(picture, picture)
    assert both.shape == (2 * CELL_PIXELS, 5 * CELL_PIXELS, 3)
    assert both[middle, middle].tolist() == [
        [WATER, SHIP, GAP, WATER, SHIP],
        [MISS, HIT, GAP, MISS, HIT],
    ]


def test_action_of_one_game_is_a_whole_number() -> None:
    for given in (3, np.int8(3), np.array(3)):
        assert checked_action(given, 4) == 3
        assert type(checked_action(given, 4)) is int
    with pytest.raises(IllegalActionError, match=r"^action 4 is none; give one from 0 to 3$"):
        checked_action(4, 4)
    long = " ".join(["word"] * 9)
    for text, shown in ((long[:38], f"'{long[:38]}'"), (long, f"'{long[:36]}...")):
        with pytest.raises(IllegalActionError) as refused:
            checked_action(text, 4)
        told = f"action {shown} of str: give one whole number from 0 to 3"
        assert str(refused.value) == told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([0, 1], r"actions of shape \(2,\): give one for each of 3 games, \(3,\)$"),
        ([[0, 1, 2]], r"actions of shape \(1, 3\): give one"),
        ([0.0, 1.0, 2.0], "actions of float64: give whole numbers from 0 to 3$"),
        ([True, True, True], "actions of bool: give whole"),
        ([0, 4, 5], "game 1: action 4 is none; give one from 0 to 3$"),
        ([0, 1, -1], "game 2: action -1 is none"),
        ([[0], [1, 2]], r"actions \[\[0\], \[1, 2\]\]: "),
    ],
)
def test_actions_of_many_games_are_one_whole_number_each(given: object, told: str) -> None:
    assert checked_actions(np.array([0, 3, 1], np.uint8), 3, 4).tolist() == [0, 3, 1]
    with pytest.raises(IllegalActionError, match=f"^{told}"):
        checked_actions(given, 3, 4)


def test_options_that_there_are_not_are_refused_with_those_that_there_are() -> None:
    assert checked_options(None, ["layout"]) == {}
    assert checked_options({"layout": 1}, ["layout", "seat"]) == {"layout": 1}
    for given, known, told in (
        ({"b": 1, "a": 2}, [], "options: 'a' is no option of this environment; there are none"),
        ({"a": 2}, ["layout"], "options: 'a' is no option of this environment; there is layout"),
        ({"a": 2}, ["b", "c"], "options: 'a' is no option of this environment; there is b and c"),
    ):
        with pytest.raises(UserError) as refused:
            checked_options(given, known)
        assert str(refused.value) == told
    assert [checked_illegal(word) for word in ("raise", "end", "cost")] == ["raise", "end", "cost"]
    with pytest.raises(UserError, match="illegal is 'stop'; choose one of raise, end, cost"):
        checked_illegal("stop")


def test_salvo_is_told_shot_by_shot() -> None:
    """One game alone and the same in a batch: rewards, ends and what is told, step by step."""
    alone, batch = SoloEnv(RULES), BatchedSoloEnv(2, RULES, autoreset_mode="Disabled")
    _, info = alone.reset(options={"layout": LAYOUT})
    batch.reset(options={"layout": LAYOUT})
    assert (info["turns"], info["shots_left"]) == (1, 2)
    steps = []
    for cell in (0, 3, 7, 1, 4, 2):
        seen, reward, ended, _, info = alone.step(cell)
        together, rewards, all_ended, _, of_all = batch.step(np.array([cell, cell]))
        assert (together["board"] == seen["board"]).all()  # type: ignore[index]
        assert (together["sunk"] == seen["sunk"]).all()  # type: ignore[index]
        assert rewards.tolist() == [reward] * 2
        assert all_ended.tolist() == [ended] * 2
        for name in ("turns", "shots_left"):
            assert of_all[name].tolist() == [info[name]] * 2
        board = draw_board(seen["board"]).replace("\n", "/")  # type: ignore[index]
        steps.append((board, reward, ended, info["turns"], info["shots_left"]))
    assert steps == [
        ("*.../..../", 0.0, False, 1, 1),
        ("#..o/..../", -1.0, False, 2, 2),
        ("#..o/...*/", 0.0, False, 2, 1),
        ("#@.o/...@/", -1.0, False, 3, 2),
        ("#@.o/*..@/", 0.0, False, 3, 1),
        ("#@@o/o..@/", -1.0, True, 3, 0),
    ]


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        ({}, ["1----1000-", "1----1000-", "-000----11"]),
        ({"layouts": "sequential"}, ["--00011---", "000----11-", "11---000--"]),
    ],
)
def test_a_seed_gives_the_same_boards_in_every_version(
    given: dict[str, Any], drawn: list[str]
) -> None:
    rules = Rules(name="s", rows=2, columns=5, fleet=(Ship("A", 3), Ship("B", 2)), **given)
    number = 3 if given else 300  # fewer and more than are tried at once at least
    boards = Drawing(rules, np.random.default_rng(5)).draw(number)[[0, 1, -1]]
    assert ["".join("-01"[ship + 1] for ship in board) for board in boards] == drawn


def test_a_seed_gives_the_same_game_in_every_version() -> None:
    rules = Rules(name="s", rows=2, columns=5, fleet=(Ship("A", 3), Ship("B", 2)))
    alone, both = SoloEnv(rules), DuelEnv(rules)
    alone.reset(seed=1)
    both.reset(seed=1)
    waters = both.state_of_game.waters
    assert waters.first is not None
    assert waters.second is not None
    assert [
        [cells_of(ship) for ship in layout]
        for layout in (alone.layout, waters.first.ships, waters.second.ships)
    ] == [[[2, 3, 4], [0, 5]], [[2, 3, 4], [0, 5]], [[5, 6, 7], [1, 2]]]


def test_the_search_for_room_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(name="row", rows=1, columns=7, fleet=(Ship("A", 2), Ship("B", 2)))
    placing = Placing(rules)
    # For B it looks at 3, 4, 1, 1, 1 and 1 places, for each place of A.
    monkeypatch.setattr("arena.environments.fleet_placement.MOST_LOOKS", 11)
    for _ in range(2):
        assert placing.legal() == [0, 1, 2, 3, 4, 5]
    monkeypatch.setattr("arena.environments.fleet_placement.MOST_LOOKS", 10)
    with pytest.raises(RulesError, match="rules 'row': the board is too full to place ships one"):
        placing.legal()


def test_a_game_may_be_cut_off_after_one_step() -> None:
    environment = BatchedSoloEnv(2, RULES, max_episode_steps=1)
    environment.reset(options={"layout": LAYOUT})
    for _ in range(2):
        _, rewards, ended, cut, info = environment.step(np.array([0, 1]))
        assert (rewards.tolist(), ended.tolist()) == ([0, 0], [False, False])
        assert cut.tolist() == [True, True]
        assert info["final_info"]["shots_left"].tolist() == [1, 1]
        assert info["shots_left"].tolist() == [2, 2]
