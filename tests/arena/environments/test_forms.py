"""Observations in each form, pictures, and what an illegal shot does."""

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from arena.environments import AgainstBotEnv, BatchedSoloEnv, DuelEnv, SoloEnv
from arena.environments.board_pictures import CELL_PIXELS
from arena.errors import IllegalActionError, UserError

FORMS = ["planes", "flat"]
ROW = {"Ship of 3": [0, 1, 2]}


def finished(environment: gymnasium.Env[Any, Any]) -> tuple[float, dict[str, Any]]:
    """Shoot cell by cell to the end; return the sum of the rewards and the last info."""
    total, ended = 0.0, False
    info: dict[str, Any] = {}
    for cell in itertools.count():
        if ended:
            return total, info
        _, reward, ended, _, info = environment.step(cell)
        total += float(reward)
    raise AssertionError


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rules", ["classic", "salvo", "unnamed", "silent"])
def test_passes_the_checks_of_gymnasium(rules: str, form: str) -> None:
    check_env(gymnasium.make("salvo/Solo-v0", rules=rules, observations=form).unwrapped)
    duel = {"opponent": "hunt_target", "rules": rules, "observations": form}
    check_env(gymnasium.make("salvo/Duel-v0", **duel).unwrapped)


def test_planes_say_what_the_dictionary_says() -> None:
    environment = SoloEnv("salvo", observations="planes")
    assert environment.observation_space == gymnasium.spaces.Box(0, 1, (10, 10, 10), np.float32)
    named = SoloEnv("salvo")
    for one in (environment, named):
        one.reset(seed=3)
    for cell in range(60):
        shown, *_ = environment.step(cell)
        seen, *_ = named.step(cell)
        assert isinstance(seen, dict)
        assert isinstance(shown, np.ndarray)
        assert environment.observation_space.contains(shown)
        assert (shown[:5].argmax(axis=0) == seen["board"]).all()
        assert (shown[:5].sum(axis=0) == 1).all()
        assert (shown[5:] == seen["sunk"][:, None, None]).all()
    assert shown[5:].any()


def test_a_flat_row_has_the_planes_one_behind_the_other() -> None:
    environments = [SoloEnv("salvo", observations=form) for form in ("planes", "flat")]
    for one in environments:
        one.reset(seed=3)
    for cell in range(60):
        planes, flat = (one.step(cell)[0] for one in environments)
        assert isinstance(planes, np.ndarray)
        assert isinstance(flat, np.ndarray)
        assert (flat == np.concatenate([planes[:5].ravel(), planes[5:, 0, 0]])).all()


@pytest.mark.parametrize("form", FORMS)
def test_batches_show_what_single_games_show(form: Any) -> None:  # noqa: ANN401 - a Literal
    layout = SoloEnv("classic")
    layout.reset(seed=1)
    ships = {
        ship.name: [cell for cell in range(100) if mask >> cell & 1]
        for ship, mask in zip(layout.rules.fleet, layout.layout, strict=True)
    }
    single = SoloEnv("classic", observations=form)
    batch = BatchedSoloEnv(2, "classic", observations=form)
    alone, _ = single.reset(options={"layout": ships})
    all_of_them, _ = batch.reset(options={"layout": ships})
    for cell in range(40):
        assert all_of_them.tolist() == [np.asarray(alone).tolist()] * 2
        alone, *_ = single.step(cell)
        all_of_them, *_ = batch.step(np.array([cell, cell]))


def test_a_duel_shows_the_own_board_and_what_came_in() -> None:
    environment = AgainstBotEnv("hunt_target", "classic", seat="second", observations="planes")
    shown, _ = environment.reset(seed=1)
    assert isinstance(shown, np.ndarray)
    assert shown[5].sum() == 17
    assert shown[6].sum() == 1
    shown, *_ = environment.step(0)
    assert isinstance(shown, np.ndarray)
    assert shown[6].sum() == 2


def test_both_duels_show_the_same_arrays() -> None:
    gym, zoo = AgainstBotEnv("hunt_target", "salvo"), DuelEnv("salvo")
    zoo_space = zoo.observation_space("first")
    assert isinstance(zoo_space, gymnasium.spaces.Dict)
    assert gym.observation_space == zoo_space["observation"]
    assert isinstance(gym.observation_space, gymnasium.spaces.Dict)
    flags = gymnasium.spaces.Box(0, 1, (10, 10), np.int8)
    assert gym.observation_space["own"] == gym.observation_space["incoming"] == flags
    assert zoo_space["action_mask"] == gymnasium.spaces.Box(0, 1, (100,), np.int8)


@pytest.mark.parametrize("form", FORMS)
def test_pettingzoo_shows_the_same_forms(form: Any) -> None:  # noqa: ANN401 - a Literal
    environment = DuelEnv("salvo", observations=form)
    environment.reset(seed=1)
    for _ in range(12):
        seen = environment.observe(environment.agent_selection)
        assert environment.observation_space("first").contains(seen)
        environment.step(int(environment.action_masks().argmax()))


def test_an_illegal_shot_costs_a_turn_and_nothing_else() -> None:
    environment = SoloEnv("row-5-3", illegal="cost")
    environment.reset(options={"layout": ROW})
    seen, *_ = environment.step(0)
    again, reward, ended, _, info = environment.step(0)
    assert isinstance(seen, dict)
    assert isinstance(again, dict)
    assert again["board"].tolist() == seen["board"].tolist()
    assert (reward, ended, info["turns"]) == (-1, False, 3)
    environment.step(1)
    _, reward, ended, _, info = environment.step(2)
    assert (reward, ended, info["turns"]) == (-1, True, 4)


def test_an_illegal_shot_that_ends_the_game_is_worse_than_any_game() -> None:
    environment = SoloEnv("row-5-3", illegal="end")
    environment.reset(options={"layout": ROW})
    rewards = [environment.step(cell)[1] for cell in (0, 1)]
    _, reward, ended, _, info = environment.step(1)
    assert ended
    assert sum(rewards) + reward == -5
    assert info["action_mask"].all()
    with pytest.raises(IllegalActionError, match="over"):
        environment.step(2)


def test_an_illegal_shot_loses_a_duel() -> None:
    environment = AgainstBotEnv("hunt_target", "classic", seat="first", illegal="end")
    for _ in range(2):
        environment.reset(seed=1)
        environment.step(3)
        _, reward, ended, truncated, _ = environment.step(3)
        assert (reward, ended, truncated) == (-1, True, False)


def test_a_duel_knows_no_turn_without_shots() -> None:
    with pytest.raises(UserError, match="illegal is 'cost'; choose one of raise, end"):
        AgainstBotEnv("hunt_target", illegal="cost")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (2.0, "action 2.0 of float: give one whole number from 0 to 4"),
        (np.float32(2), "of float32: give one whole number"),
        (True, "action True of bool"),
        ("2", "action '2' of str"),
        (np.array([2]), "of ndarray"),
        (None, "action None of NoneType"),
        (5, "action 5 is none; give one from 0 to 4"),
        (-1, "action -1 is none"),
    ],
)
@pytest.mark.parametrize(
    "make", [SoloEnv, lambda rules: AgainstBotEnv("hunt_target", rules), DuelEnv]
)
def test_refuses_what_is_no_cell_in_one_line(make: Any, action: object, told: str) -> None:  # noqa: ANN401
    environment = make("row-5-3")
    environment.reset(seed=1)
    with pytest.raises(IllegalActionError, match=told) as refused:
        environment.step(action)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "make", [SoloEnv, lambda rules: AgainstBotEnv("hunt_target", rules), DuelEnv]
)
def test_refuses_a_step_before_the_game(make: Any) -> None:  # noqa: ANN401 - three classes
    with pytest.raises(IllegalActionError, match="has not begun; reset the environment first"):
        make("row-5-3").step(0)


@pytest.mark.parametrize("make", [SoloEnv, lambda: AgainstBotEnv("hunt_target")])
def test_refuses_options_that_there_are_not(make: Any) -> None:  # noqa: ANN401 - two classes
    with pytest.raises(UserError, match="'layuot' is no option of this environment"):
        make().reset(options={"layuot": {}})


@pytest.mark.parametrize("placement", ["drawn", "actions"])
def test_masks_allow_every_action_when_the_game_is_over(placement: Any) -> None:  # noqa: ANN401
    environment = DuelEnv("row-5-3", placement)
    environment.reset(seed=1)
    while not all(environment.terminations.values()):
        assert environment.action_masks().tolist() == [
            bool(legal) for legal in environment.observe(environment.agent_selection)["action_mask"]
        ]
        environment.step(int(environment.action_masks().argmax()))
    assert environment.action_masks().all()
    assert all(info["action_mask"].all() for info in environment.infos.values())


def test_the_mask_allows_every_cell_when_the_fleet_is_sunk() -> None:
    environment = SoloEnv("row-5-3")
    assert environment.action_masks().tolist() == [True] * 5
    environment.reset(options={"layout": ROW})
    assert environment.action_masks().tolist() == [True] * 5
    environment.step(4)
    assert environment.action_masks().tolist() == [True] * 4 + [False]
    finished(environment)
    assert environment.action_masks().all()


def test_paints_what_is_known_of_the_board() -> None:
    environment = gymnasium.make("salvo/Solo-v0", rules="row-5-3", render_mode="rgb_array")
    environment.reset(options={"layout": ROW})
    environment.step(0)
    environment.step(4)
    picture = environment.render()
    assert isinstance(picture, np.ndarray)
    assert picture.shape == (CELL_PIXELS, 5 * CELL_PIXELS, 3)
    assert picture.dtype == np.uint8
    hit, untried, _, _, miss = (
        tuple(picture[CELL_PIXELS // 2, column * CELL_PIXELS + CELL_PIXELS // 2].tolist())
        for column in range(5)
    )
    assert len({hit, untried, miss}) == 3


def test_paints_a_batch_as_one_picture_a_game() -> None:
    environment = BatchedSoloEnv(3, "row-5-3", render_mode="rgb_array")
    environment.reset(seed=1)
    pictures = environment.render()
    assert pictures is not None
    assert [picture.shape for picture in pictures] == [(CELL_PIXELS, 5 * CELL_PIXELS, 3)] * 3


def test_paints_both_boards_of_a_duel() -> None:
    environment = AgainstBotEnv("hunt_target", "row-5-3", render_mode="rgb_array")
    environment.reset(seed=1)
    assert environment.render().shape == (CELL_PIXELS, 11 * CELL_PIXELS, 3)
    zoo = DuelEnv("row-5-3", render_mode="rgb_array")
    zoo.reset(seed=1)
    assert zoo.render().shape == (CELL_PIXELS, 23 * CELL_PIXELS, 3)
