"""A model that Stable-Baselines3 saved gets its row in the benchmark."""

from pathlib import Path
from typing import Any

import gymnasium
import pytest
from sb3_contrib import QRDQN, MaskablePPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm

import arena.environments  # noqa: F401 - it registers them
from arena.errors import UserError
from salvo.benchmark.agents import agent_named
from salvo.benchmark.evaluation import evaluate
from salvo.benchmark.games import Run
from salvo.benchmark.tasks import TASKS

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def saved(algorithm: Any, folder: Path, **made: Any) -> str:  # noqa: ANN401 - it has no types
    solo = {"id": "salvo/Solo-v0", "illegal": "cost", "max_episode_steps": 40}
    environment = gymnasium.make(**solo | made)
    policy = "MultiInputPolicy" if "observations" not in made else "MlpPolicy"
    rollout = {"n_steps": 64} if issubclass(algorithm, OnPolicyAlgorithm) else {}
    model = algorithm(policy, environment, seed=1, **rollout)
    model.learn(64)
    model.save(folder / "model.zip")
    return f"mine={algorithm.__name__}:{folder / 'model.zip'}"


@pytest.mark.parametrize("algorithm", [PPO, DQN, QRDQN, MaskablePPO])
@pytest.mark.parametrize("form", [{}, {"observations": "planes"}])
def test_a_saved_model_is_played(algorithm: Any, form: dict[str, str], tmp_path: Path) -> None:  # noqa: ANN401
    agent = agent_named(saved(algorithm, tmp_path, rules="ramesh-5", **form))
    *_, result = evaluate(agent, TASKS["ramesh-5"], tmp_path, Run())
    assert result.forfeits == 0
    assert 5 < sum(result.turns) / len(result.turns) < 8


@pytest.mark.parametrize("algorithm", [PPO, MaskablePPO])
def test_a_saved_model_plays_the_game_for_two(algorithm: Any, tmp_path: Path) -> None:  # noqa: ANN401
    duel = {"id": "salvo/Duel-v0", "opponent": "hunt_target", "illegal": "end"}
    agent = agent_named(saved(algorithm, tmp_path, observations="flat", **duel))
    *_, result = evaluate(agent, TASKS["duel"], tmp_path, Run(layouts=8))
    assert (len(result.points), result.forfeits) == (8, 0)


def test_a_model_that_has_not_seen_its_own_board_is_refused_in_the_game_for_two(
    tmp_path: Path,
) -> None:
    agent = agent_named(saved(PPO, tmp_path, rules="salvo"))
    with pytest.raises(UserError, match="not trained on salvo/Duel-v0 by the rules 'salvo'"):
        list(evaluate(agent, TASKS["duel"], tmp_path, Run()))


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    agent = agent_named(saved(PPO, tmp_path, rules="row-5-3"))
    with pytest.raises(UserError, match="not trained on salvo/Solo-v0 by the rules 'row-10-3'"):
        list(evaluate(agent, TASKS["row-10-3"], tmp_path, Run()))


def test_what_is_no_model_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    with pytest.raises(UserError, match="no model of PPO: ") as refused:
        agent_named(f"PPO:{tmp_path / 'bad.zip'}")
    assert "\n" not in str(refused.value)
