"""deep_salvo learns from hidden layouts; `tox -e deep` has PyTorch."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from arena.errors import RulesError
from benchmarks.games.estimates import estimate
from bots.tactics.learned.placement_network import PlacementNetwork
from bots.training.deep_learner import Moves
from bots.training.deep_salvo import Settings, Trainer

SMALL: dict[str, Any] = {
    "rules": "ramesh-2",
    "channels": 8,
    "rounds": 2,
    "side_by_side": 64,
    "batch": 32,
    "positions": 1.0,
    "step": 0.005,
}


def test_the_bot_and_the_trainer_compute_the_same() -> None:
    trainer = Trainer(Settings(games=64, taught=64, **SMALL))
    network = PlacementNetwork(trainer.weights()[1], trainer.places)
    _, steps = trainer.play(trainer.rules, 8, by_chance=False)
    for step in steps:
        cells, worth = trainer.learner.look(step.known)
        seen = network.look(step.known)
        assert np.abs(seen.cells - cells).max() < 1e-4
        assert np.abs(seen.worth - worth).max() < 1e-2


def test_taught_it_needs_fewer_shots() -> None:
    trainer = Trainer(Settings(games=2000, taught=2000, **SMALL))
    before = estimate(map(float, trainer.learn()))
    for _ in range(12):
        trainer.learn()
    after = estimate(map(float, trainer.learn() + trainer.learn()))
    assert after.high < before.low


def test_moves_that_saved_misses_become_likelier() -> None:
    trainer = Trainer(Settings(**SMALL))
    learner = trainer.learner
    ships, (first, *_) = trainer.play(trainer.rules, 64, by_chance=True)
    good, bad = 6, 18
    cells = np.where(np.arange(64) % 2, good, bad)
    merits = np.where(cells == good, 1, -1).astype(np.float32)
    before = learner.look(first.known)[1][0]
    for _ in range(5):
        worth = learner.look(first.known)[1]
        chances = worth[np.arange(64), cells] - np.log(np.exp(worth).sum(axis=1))
        learner.improve(
            Moves(
                known=first.known,
                numbers=trainer.places.numbers_of(ships),
                cells=cells,
                chances=chances,
                ships=ships >= 0,
                merits=merits,
                left=np.zeros(64, dtype=np.float32),
            ),
            0.002,
        )
    after = learner.look(first.known)[1][0]
    assert after[good] - after[bad] > before[good] - before[bad]


def test_ships_that_sink_unnamed_are_refused() -> None:
    what = r"rules 'unnamed', sinkings: unnamed: this agent is taught with one shot"
    with pytest.raises(RulesError, match=what):
        Trainer(Settings(rules="unnamed"))
