"""deep_salvo learns from a look ahead, shown the posterior; `tox -e deep` has PyTorch."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from bots.tactics.learned.placement_network import PlacementNetwork
from bots.training.deep_posterior import Settings, Trainer


def test_the_bot_and_the_trainer_compute_the_same_of_a_posterior() -> None:
    trainer = Trainer(Settings(games=4, side_by_side=4))
    network = PlacementNetwork(trainer.weights()[1], trainer.places)
    _, lessons = trainer.play(2)
    _, worth = trainer.learner.look(lessons.known, posterior=lessons.posterior)
    for row in range(0, len(worth), 7):
        seen = network.look(lessons.known.some(slice(row, row + 1)), lessons.posterior[[row]])
        assert np.abs(seen.worth[0] - worth[row]).max() < 1e-2


def test_before_it_learns_it_shoots_the_likeliest_cells() -> None:
    trainer = Trainer(Settings(games=4, side_by_side=4))
    _, lessons = trainer.play(4)
    _, worth = trainer.learner.look(lessons.known, posterior=lessons.posterior)
    untried = lessons.known.untried
    chosen = np.where(untried, worth, -np.inf).argmax(axis=1)[:, None]
    chances = np.where(untried, lessons.posterior, 0)
    share = np.take_along_axis(chances, chosen, axis=1)[:, 0] / chances.max(axis=1)
    assert share.mean() > 0.9


def test_cells_that_the_look_ahead_prefers_become_likelier() -> None:
    trainer = Trainer(Settings(games=8, side_by_side=8))
    _, lessons = trainer.play(8)

    def agreement() -> float:
        _, worth = trainer.learner.look(lessons.known, posterior=lessons.posterior)
        chances = np.exp(worth - worth.max(axis=1, keepdims=True)) * lessons.known.untried
        chances /= chances.sum(axis=1, keepdims=True)
        return float((lessons.wanted * np.log(chances + 1e-9)).sum(axis=1).mean())

    before = agreement()
    for _ in range(20):
        trainer.learner.imitate(*lessons, rate=0.001)
    assert agreement() > before
