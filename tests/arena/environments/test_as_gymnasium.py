"""The batched environment does what Gymnasium's own batch of single ones does, in each mode."""

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import vector as wrappers

from arena.environments import BatchedSoloEnv
from arena.errors import IllegalActionError, UserError
from arena.rules import Rules, Ship

GAMES = 4


def lone_layout(shots: int) -> Rules:
    """Return rules by which every layout looks the same: two ships of 3 in a row of 7."""
    fleet = (Ship("A", 3), Ship("B", 3))
    return Rules(
        name="lone",
        rows=1,
        columns=7,
        fleet=fleet,
        shots=shots,
        touching="never",
        sinkings="silent",
    )


def same(ours: Any, theirs: Any) -> None:  # noqa: ANN401 - whatever infos hold
    """Compare arrays, or dictionaries of them, where both say that there is something."""
    if isinstance(theirs, dict):
        names = {name for name in theirs if not name.startswith("_")}
        assert names == {name for name in ours if not name.startswith("_")}
        for name in names:
            there = theirs.get(f"_{name}")
            if there is None or isinstance(theirs[name], dict):
                same(ours[name], theirs[name])
            else:
                assert ours[f"_{name}"].tolist() == there.tolist()
                for mine, other in zip(ours[name][there], theirs[name][there], strict=True):
                    same(mine, other)
    else:
        assert np.asarray(ours).tolist() == np.asarray(theirs).tolist()


def both(mode: AutoresetMode, shots: int, **more: Any) -> tuple[VectorEnv, VectorEnv]:  # type: ignore[type-arg] # noqa: ANN401
    rules = lone_layout(shots)
    ours = gymnasium.make_vec(
        "salvo/Solo-v0", num_envs=GAMES, rules=rules, autoreset_mode=mode, **more
    )
    theirs = SyncVectorEnv(
        [lambda: gymnasium.make("salvo/Solo-v0", rules=rules, **more)] * GAMES, autoreset_mode=mode
    )
    assert isinstance(ours, BatchedSoloEnv)
    return ours, theirs


@pytest.mark.parametrize("form", ["dict", "flat"])
@pytest.mark.parametrize("shots", [1, 2])
@pytest.mark.parametrize("illegal", ["raise", "cost", "end"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_steps_as_single_environments_do(
    mode: AutoresetMode, illegal: str, shots: int, form: str
) -> None:
    environments = both(mode, shots, illegal=illegal, observations=form, max_episode_steps=9)
    random = np.random.default_rng(1)
    (seen, info), (expected, expected_info) = (one.reset(seed=1) for one in environments)
    ends = 0
    for _ in range(60):
        same(seen, expected)
        same(info, expected_info)
        allowed = info["action_mask"] if illegal == "raise" else np.ones((GAMES, 7))
        cells = np.array([random.choice(np.flatnonzero(mask)) for mask in allowed])
        (seen, *ours, info), (expected, *theirs, expected_info) = (
            one.step(cells) for one in environments
        )
        for mine, other in zip(ours, theirs, strict=True):
            assert mine.tolist() == other.tolist()
        ended = ours[1] | ours[2]
        ends += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            same(seen, expected)
            same(info, expected_info)
            (seen, info), (expected, expected_info) = (
                one.reset(options={"reset_mask": ended.copy()}) for one in environments
            )
            for name in ("action_mask", "turns", "shots_left"):
                same(info[name][ended], expected_info[name][ended])
            expected_info = info  # theirs has those alone that were reset
    assert ends > GAMES


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_mask_of_a_game_that_is_over_lets_samplers_go_on(mode: AutoresetMode) -> None:
    environment = gymnasium.make_vec(
        "salvo/Solo-v0", num_envs=3, rules="row-5-3", autoreset_mode=mode.value
    )
    _, info = environment.reset(seed=1)
    for _ in range(30):
        assert info["action_mask"].any(axis=1).all()
        cells = environment.action_space.sample(mask=tuple(info["action_mask"]))
        _, _, ended, _, info = environment.step(cells)
        if mode is AutoresetMode.DISABLED and ended.any():
            assert info["action_mask"][ended].all()
            _, info = environment.reset(options={"reset_mask": ended})


def test_a_game_that_is_over_is_refused_where_nothing_begins_it_anew() -> None:
    environment = BatchedSoloEnv(2, lone_layout(1), autoreset_mode="Disabled")
    environment.reset(seed=1)
    for cell in (0, 1, 2, 4, 5, 6):
        environment.step(np.array([cell, 6 - cell]))
    with pytest.raises(IllegalActionError, match="game 0 is over; reset it with"):
        environment.step(np.array([3, 3]))


def test_a_reset_of_some_leaves_the_others_as_they_are() -> None:
    environment = BatchedSoloEnv(3, "classic")
    environment.reset(seed=1)
    environment.step(np.array([5, 6, 7]))
    ships = environment.boards.ships.copy()
    seen, info = environment.reset(options={"reset_mask": np.array([False, True, False])})
    assert seen["board"].reshape(3, -1).any(axis=1).tolist() == [True, False, True]
    assert info["turns"].tolist() == [2, 1, 2]
    assert (environment.boards.ships != ships).any(axis=1).tolist() == [False, True, False]


def test_layouts_are_given_by_an_option() -> None:
    environment = BatchedSoloEnv(3, "row-5-3")
    left, right = {"Ship of 3": [0, 1, 2]}, {"Ship of 3": [2, 3, 4]}
    environment.reset(seed=1, options={"layout": [left, None, right]})
    assert (environment.boards.ships[0] >= 0).tolist() == [True, True, True, False, False]
    assert (environment.boards.ships[2] >= 0).tolist() == [False, False, True, True, True]
    environment.reset(options={"layout": right})
    assert (environment.boards.ships >= 0).sum(axis=0).tolist() == [0, 0, 3, 3, 3]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"layuot": None}, "'layuot' is no option of this environment; there is layout and reset"),
        (
            {"reset_mask": [True, False]},
            "reset_mask: give an array of one flag for each of 2 games",
        ),
        ({"reset_mask": np.zeros(2, bool)}, "one of them True at least"),
        ({"layout": [None]}, "give one, or a list of 2"),
        ({"layout": {"Ship of 3": [0, 1, 3]}}, "layout: .*straight"),
    ],
)
def test_refuses_options_that_there_are_not(options: dict[str, Any], told: str) -> None:
    environment = BatchedSoloEnv(2, "row-5-3")
    environment.reset(seed=1)
    ships = environment.boards.ships.copy()
    with pytest.raises(UserError, match=told):
        environment.reset(options=options)
    assert (environment.boards.ships == ships).all()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"autoreset_mode": "Never"}, "choose one of NextStep, SameStep, Disabled"),
        ({"observations": "image"}, "choose one of dict, planes, flat"),
        ({"illegal": "ignore"}, "choose one of raise, end, cost"),
        ({"max_episode_steps": 0}, "max_episode_steps is 0; give 1 or more"),
    ],
)
def test_refuses_arguments_that_there_are_not(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told):
        BatchedSoloEnv(2, "row-5-3", **arguments)


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([1.0, 2.0], "actions of float64: give whole numbers from 0 to 4"),
        ([1], r"actions of shape \(1,\): give one for each of 2 games"),
        ([[1], [2]], r"actions of shape \(2, 1\)"),
        ([[1], [2, 3]], "inhomogeneous"),
        ([1, 5], "game 1: action 5 is none; give one from 0 to 4"),
        ([-1, 5], "game 0: action -1 is none"),
        (["1", "2"], "give whole numbers"),
        (None, r"shape \(\)"),
    ],
)
def test_refuses_actions_that_are_no_cells_in_one_line(actions: Any, told: str) -> None:  # noqa: ANN401
    environment = BatchedSoloEnv(2, "row-5-3", illegal="cost")
    environment.reset(seed=1)
    with pytest.raises(IllegalActionError, match=told) as refused:
        environment.step(actions)
    assert "\n" not in str(refused.value)
    assert not environment.boards.seen.any()


WRAPPERS = {
    "RecordEpisodeStatistics": (wrappers.RecordEpisodeStatistics, ()),
    "DictInfoToList": (wrappers.DictInfoToList, ()),
    "NormalizeReward": (wrappers.NormalizeReward, ()),
    "ClipReward": (wrappers.ClipReward, (-1, 1)),
}
ANEW_IN_THE_NEXT_STEP = {
    "NormalizeObservation": (wrappers.NormalizeObservation, ()),
    "DtypeObservation": (wrappers.DtypeObservation, (np.int8,)),
    "RescaleObservation": (wrappers.RescaleObservation, (np.float32(-1), np.float32(1))),
    "ReshapeObservation": (wrappers.ReshapeObservation, ((5, 10),)),
}
"""Those that Gymnasium itself lets go with no other mode."""


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *itertools.product(WRAPPERS, AutoresetMode),
        *((name, AutoresetMode.NEXT_STEP) for name in ANEW_IN_THE_NEXT_STEP),
    ],
)
def test_goes_through_the_wrappers_of_gymnasium(name: str, mode: AutoresetMode) -> None:
    made = gymnasium.make_vec(
        "salvo/Solo-v0", num_envs=2, rules="row-10-3", observations="flat", autoreset_mode=mode
    )
    assert isinstance(made, BatchedSoloEnv)
    wrapper, arguments = (WRAPPERS | ANEW_IN_THE_NEXT_STEP)[name]
    environment = wrapper(made, *arguments)
    seen, _ = environment.reset(seed=1)
    for _ in range(25):
        # The space that Gymnasium 1.1 gives to normalized observations is that from before.
        assert environment.observation_space.contains(seen) or name == "NormalizeObservation"
        seen, _, ended, _, _ = environment.step(made.action_masks().argmax(axis=1))
        if mode is AutoresetMode.DISABLED and ended.any():
            seen, _ = environment.reset(options={"reset_mask": ended})


def test_flattens_dictionaries_and_records_statistics() -> None:
    made = gymnasium.make_vec(
        "salvo/Solo-v0", num_envs=2, rules="row-10-3", autoreset_mode=AutoresetMode.NEXT_STEP
    )
    environment = wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(made))
    seen, info = environment.reset(seed=1)
    assert seen.shape == (2, 10)
    ended = np.zeros(2, bool)
    while not ended.any():
        seen, _, ended, _, info = environment.step(info["action_mask"].argmax(axis=1))
    game = int(ended.argmax())
    assert info["episode"]["r"][game] == -info["turns"][game]
