"""Cells are compared by what came of them where chance chose; `tox -e deep` has PyTorch."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from bots.tactics.learned.placement_network import symmetries
from bots.tactics.value.advice import TURNS
from bots.training.deep_trials import MOST, Settings, Trainer
from bots.training.trials import Trials


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    return Trainer(Settings(games=4, side_by_side=4))


@pytest.fixture(scope="module")
def trials(trainer: Trainer) -> Trials:
    turns, found = trainer.play(2)
    assert len(turns) == 2
    return found


def costs_of(trainer: Trainer, trials: Trials) -> np.ndarray:
    _, worth = trainer.learner.look(trials.known, posterior=trials.posterior)
    return -TURNS * np.take_along_axis(worth, trials.cells, axis=1)


def test_a_trial_draws_among_untried_cells_that_are_nearly_as_good_as_the_best(
    trainer: Trainer, trials: Trials
) -> None:
    assert trials.cells.shape[1] == MOST
    there = trials.chances > 0
    assert (there.sum(axis=1) > 1).all()
    assert np.take_along_axis(trials.known.untried, trials.cells, axis=1)[there].all()
    costs = costs_of(trainer, trials)
    assert (costs - costs[:, :1])[there].max() <= trainer.settings.near + 1e-4
    assert np.take_along_axis(there, trials.drawn[:, None], axis=1).all()


def test_the_best_cell_is_drawn_besides_by_the_share_that_is_not(trials: Trials) -> None:
    assert trials.chances.sum(axis=1) == pytest.approx(np.ones(len(trials.chances)))
    some = (trials.chances > 0).sum(axis=1)
    assert trials.chances[:, 0] == pytest.approx(0.5 + 0.5 / some)
    assert trials.chances[:, 1] == pytest.approx(0.5 / some)


def test_what_came_of_a_shot_is_known_of_all_but_the_first(trials: Trials) -> None:
    assert np.isfinite(trials.came).all()
    assert trials.known.untried.sum(axis=1).max() == 99
    assert abs(trials.came.mean()) < 0.2


def test_cells_of_trials_turn_with_their_boards(trials: Trials) -> None:
    order = symmetries(10, 10)[5]
    turned = trials.turned(order)
    rows = np.arange(len(trials.came))[:, None]
    for name in ("missed", "hit"):
        before, after = (getattr(one.known, name) for one in (trials, turned))
        assert (after == before[:, order]).all()
    assert (turned.posterior[rows, turned.cells] == trials.posterior[rows, trials.cells]).all()


def test_a_cell_that_games_went_worse_after_gets_dearer_beside_the_others() -> None:
    trainer = Trainer(Settings(games=4, side_by_side=4))
    _, trials = trainer.play(4)
    # As if the best cell had cost a turn more each time, and another one less.
    trials = trials._replace(came=np.where(trials.drawn == 0, 1.0, -1.0))

    def dearer() -> float:
        costs = costs_of(trainer, trials)
        return float((costs[:, 0] - costs[:, 1]).mean())

    before = dearer()
    for _ in range(10):
        trainer.learner.compare(trials, 0.001)
    taken = trainer.learner.arrays()
    trainer.learner.network.take(taken)
    assert dearer() > before + 0.01
