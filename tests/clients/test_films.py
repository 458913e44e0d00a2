"""Gymnasium's recorder makes films of games, of one board and of a batch."""

from pathlib import Path

import gymnasium
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers import vector as wrappers

import arena.environments  # noqa: F401 - it registers them

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


@pytest.mark.parametrize("name", ["Solo", "Duel"])
def test_records_a_game(name: str, tmp_path: Path) -> None:
    opponent = {"opponent": "hunt_target"} if name == "Duel" else {}
    made = gymnasium.make(f"salvo/{name}-v0", rules="row-10-3", render_mode="rgb_array", **opponent)
    environment = RecordVideo(made, str(tmp_path))
    _, info = environment.reset(seed=1)
    ended = False
    while not ended:
        cell = environment.action_space.sample(info["action_mask"])
        _, _, ended, _, info = environment.step(cell)
    environment.close()
    (film,) = tmp_path.glob("*.mp4")
    assert film.stat().st_size > 1000


def test_records_a_batch(tmp_path: Path) -> None:
    made = gymnasium.make_vec(
        "salvo/Solo-v0",
        num_envs=4,
        rules="classic",
        render_mode="rgb_array",
        autoreset_mode=AutoresetMode.NEXT_STEP,
    )
    environment = wrappers.RecordVideo(made, str(tmp_path), video_length=20)
    _, info = environment.reset(seed=1)
    for _ in range(25):
        _, _, _, _, info = environment.step(info["action_mask"].argmax(axis=1))
    environment.close()
    assert list(tmp_path.glob("*.mp4"))
