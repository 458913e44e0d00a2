"""Ramesh's trainer: every layout, the gradient with all that may be shown, the last odd cell."""

from typing import Any

import numpy as np
import pytest

from arena.rules import Rules, Ship, preset
from bots.tactics.learned.salvo_network import SalvoNetwork
from bots.tactics.learned.weight_files import Origin
from bots.training.ramesh import Settings, Trainer, Turn, every_layout

ODD = Rules(name="odd", rows=3, columns=3, fleet=(Ship("A", 2),), shots=2, sinkings="silent")


@pytest.mark.parametrize(("name", "layouts"), [("ramesh-1", 8), ("ramesh-5", 120)])
def test_every_layout_is_there_once(name: str, layouts: int) -> None:
    found = every_layout(preset(name))
    assert len(found) == len({tuple(row) for row in found.tolist()}) == layouts


@pytest.mark.parametrize(
    "shown",
    [{}, {"sunk": True}, {"convolution": 3}, {"fleet": True}, {"convolution": 2, "sunk": True}],
)
def test_a_step_goes_up_the_gradient_of_the_logarithm(shown: dict[str, Any]) -> None:
    trainer = Trainer(Settings(rules="ramesh-3", **shown))
    board = np.array([-1] * 12 + [0, 1, 0, -1], dtype=np.int8)
    extra = np.ones(1) if {"sunk", "fleet"} & set(shown) else np.zeros(0)
    turn = Turn(board, extra, 7, 1)
    size = 1e-6

    def logarithm() -> float:
        return float(np.log(trainer._forward(board, extra)[7]))

    before, weights = logarithm(), {name: part.copy() for name, part in trainer.parts.items()}
    trainer._step(turn, size)
    moved = sum(((trainer.parts[name] - part) ** 2).sum() for name, part in weights.items())
    assert (logarithm() - before) / size == pytest.approx(moved / size**2, rel=1e-3)


@pytest.mark.parametrize("shown", [{}, {"sunk": True, "fleet": True}, {"convolution": 3}])
def test_the_bots_network_is_the_trainers(shown: dict[str, Any]) -> None:
    trainer = Trainer(Settings(rules="ramesh-5", **shown))
    trainer.learn()
    _, arrays, purpose = trainer.weights()
    origin = Origin(command="", seed=1, date="", code="", games=1, **purpose)
    network = SalvoNetwork(arrays, origin)
    board = np.array([-1] * 12 + [0, 1, 0, -1], dtype=np.int8)
    sunk = np.array([0.0, 1.0]) if "sunk" in shown else np.zeros(0)
    extra = np.concatenate([sunk, trainer.lengths]) if "fleet" in shown else sunk
    probabilities = trainer._forward(board, extra)
    scores = network.scores(board, np.array([0.0, 1.0]))
    assert scores - scores.max() == pytest.approx(np.log(probabilities / probabilities.max()))


def test_the_last_odd_cell_takes_a_turn_of_its_own() -> None:
    trainer = Trainer(Settings(), rules=ODD)
    longest = [turns for turns, count in (trainer._play() for _ in range(400)) if count == 5]
    assert longest
    assert all(len(turns) == 4 for turns in longest)


def test_chance_expects_more_of_a_salvo_than_of_a_shot() -> None:
    turns = [Turn(np.zeros(16), np.zeros(0), 0, hits) for hits in (0, 1, 1)]
    of_salvo = Trainer(Settings(rules="ramesh-3"))._rewards(turns)
    of_shot = Trainer(Settings(rules="ramesh-3", expected="shot"))._rewards(turns)
    assert of_salvo[-1] == pytest.approx(1 - 2 * 1 / 12)
    assert of_shot[-1] == pytest.approx(1 - 1 / 12)
