"""The actor and its critic: the gradient by differences, and what they reach in seconds."""

from pathlib import Path

import numpy as np

from arena.rules import preset
from bots.tactics.learned.salvo_network import networks_in
from bots.training.actor_critic import Settings, Trainer
from bots.training.course import run_course
from bots.training.ramesh import every_layout


def test_the_critics_gradient_is_that_of_its_error() -> None:
    trainer = Trainer(Settings(rules="ramesh-3", games=64, entropy=0.0))
    ships = trainer.ships[:16]
    turns, steps = trainer._play(ships)
    begun = np.concatenate([np.full(len(step.games), n) for n, step in enumerate(steps)])
    games = np.concatenate([step.games for step in steps])
    inputs = np.concatenate([step.inputs for step in steps])
    told = np.concatenate([inputs, ships[games]], axis=1).astype(np.float64)
    worth = -(turns[games] - begun)

    def error(bias: float) -> float:
        hidden = told @ trainer.parts["critic_hidden"] + trainer.parts["critic_hidden_bias"]
        judged = np.tanh(hidden) @ trainer.parts["critic_output"] + bias
        return float(((judged[:, 0] - worth) ** 2).mean() / 2)

    slope = (error(1e-3) - error(-1e-3)) / 2e-3
    found = trainer._gradient(ships, turns, steps)["critic_output_bias"][0]
    assert np.isclose(found, slope, rtol=1e-3)


def test_it_comes_within_5_percent_of_the_optimum_in_seconds(tmp_path: Path) -> None:
    for _ in run_course(Trainer(Settings(rules="ramesh-1", games=12_000)), tmp_path, "test"):
        pass
    (network,) = networks_in(tmp_path / "bot")
    assert (
        np.mean([turns_at(network, ships >= 0) for ships in every_layout(preset("ramesh-1"))])
        <= 6.3
    )


def turns_at(network, ships) -> int:  # type: ignore[no-untyped-def] # noqa: ANN001
    board = np.full(len(ships), -1)
    turns = 0
    while (board == 1).sum() < ships.sum():
        cells = network.choose(board, np.zeros(0), network.origin.shots)
        board[cells] = ships[cells]
        turns += 1
    return turns
