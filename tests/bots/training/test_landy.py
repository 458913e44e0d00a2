"""Landy's trainer: the reward of the source, and the gradient of the logarithm."""

import numpy as np
import pytest

from arena.rules import preset
from bots.training.landy import Settings, Trainer, rewards_of


def source_rewards(hits: list[int]) -> list[float]:
    """Return the reward by the formula, sum by sum."""
    excess = [hit - (3 - sum(hits[:t])) / (10 - t) for t, hit in enumerate(hits)]
    return [
        sum(excess[t] * 0.5 ** (t - start) for t in range(start, len(hits)))
        for start in range(len(hits))
    ]


@pytest.mark.parametrize("hits", [[1, 1, 1], [0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [0] * 7 + [1] * 3])
def test_the_reward_is_that_of_the_source(hits: list[int]) -> None:
    assert rewards_of(hits, 10, 0.5) == pytest.approx(source_rewards(hits))


def test_a_step_goes_up_the_gradient_of_the_logarithm() -> None:
    trainer = Trainer(Settings())
    board = np.array([-1, 0, 1, -1, -1, 0, -1, -1, -1, -1.0])
    size = 1e-6

    def logarithm() -> float:
        return float(np.log(trainer.network.forward(board)[1][4]))

    before, weights = logarithm(), {name: part.copy() for name, part in trainer.state().items()}
    trainer.network.step(board, 4, size)
    moved = sum(((trainer.state()[name] - part) ** 2).sum() for name, part in weights.items())
    # To first order a step s along the gradient g gains s g^2, and moves by s g.
    assert (logarithm() - before) / size == pytest.approx(moved / size**2, rel=1e-3)


def test_a_game_ends_when_the_ship_is_sunk() -> None:
    trainer = Trainer(Settings(rules="row-10-3"))
    for _ in range(50):
        boards, shots, hits = trainer.play()
        assert sum(hits) == 3
        assert hits[-1] == 1
        assert len(set(shots)) == len(shots) == len(boards)
        assert trainer.rules == preset("row-10-3")
