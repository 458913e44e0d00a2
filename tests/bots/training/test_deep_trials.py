"""Cells are compared by what came of them where chance chose; `tox -e deep` has PyTorch."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from arena.rules import preset
from bots.tactics.learned.placement_network import PlacementNetwork, symmetries
from bots.tactics.value.advice import TURNS
from bots.tactics.value.network import network_for
from bots.training.course import run_course
from bots.training.deep_trials import MOST, Settings, Trainer, _ToldGame, near_cells
from bots.training.trials import Trials, came_of


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    return Trainer(Settings(games=4, a_round=2))


@pytest.fixture(scope="module")
def trials(trainer: Trainer) -> Trials:
    turns, found = trainer.play(2)
    assert len(turns) == 2
    return found


def costs_of(trainer: Trainer, trials: Trials) -> np.ndarray:
    _, worth = trainer.learner.look(trials.known, posterior=trials.posterior)
    return -TURNS * np.take_along_axis(worth, trials.cells, axis=1)


def test_a_trial_draws_among_untried_cells(trials: Trials) -> None:
    assert trials.cells.shape[1] == MOST
    there = trials.chances > 0
    assert (there.sum(axis=1) > 1).all()
    assert np.take_along_axis(trials.known.untried, trials.cells, axis=1)[there].all()
    assert np.take_along_axis(there, trials.drawn[:, None], axis=1).all()


def test_cells_are_near_that_cost_little_more_than_the_best() -> None:
    worth = np.full(100, -np.inf)
    worth[[7, 3, 50, 4]] = np.array([0.0, 0.11, -0.2, 0.13]) / -TURNS
    cells, chances = near_cells(worth, Settings(near=0.12, drawn=0.6))
    assert cells[:4].tolist() == [50, 7, 3, 4]
    assert chances[:2].tolist() == [1.0, 0.0]
    worth[50] = -np.inf
    cells, chances = near_cells(worth, Settings(near=0.12, drawn=0.6))
    assert cells[:3].tolist() == [7, 3, 4]
    assert chances == pytest.approx([0.4 + 0.3, 0.3, 0, 0, 0, 0, 0, 0])


def test_the_best_cell_is_drawn_besides_by_the_share_that_is_not(trials: Trials) -> None:
    assert trials.chances.sum(axis=1) == pytest.approx(np.ones(len(trials.chances)))
    some = (trials.chances > 0).sum(axis=1)
    assert trials.chances[:, 0] == pytest.approx(0.5 + 0.5 / some)
    assert trials.chances[:, 1] == pytest.approx(0.5 / some)


def test_what_came_of_a_shot_is_known_of_all_but_the_first(trials: Trials) -> None:
    assert np.isfinite(trials.came).all()
    assert trials.known.untried.sum(axis=1).max() == 99
    assert abs(trials.came.mean()) < 0.2


def test_games_whose_luck_is_not_known_have_no_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(Settings(games=4, a_round=2))
    played = trainer.games(2)
    untold = [game._replace(told=None) for game in played]
    for games in (untold, [untold[0], played[1]]):
        monkeypatch.setattr(trainer, "games", lambda _, games=games: games)
        turns, found = trainer.play(2)
        assert turns == [game.turns for game in played]
        shots = sum(game.turns for game in games if game.told is not None)
        assert len(found.came) <= max(shots - 1, 0)
        assert (len(found.came) > 0) == (shots > 0)


def test_costs_may_begin_smaller_than_the_bundled_ones(trainer: Trainer, trials: Trials) -> None:
    smaller = Trainer(Settings(games=4, a_round=2, scale=0.25))
    assert costs_of(smaller, trials) == pytest.approx(costs_of(trainer, trials) / 4, abs=1e-5)
    taken = PlacementNetwork(smaller.weights()[1], smaller.places)
    seen = taken.look(trials.known.some(slice(0, 1)), trials.posterior[:1])
    costs = -TURNS * seen.worth[0, trials.cells[0]]
    assert costs == pytest.approx(costs_of(smaller, trials)[0], abs=1e-4)


def test_shots_farther_away_count_more_as_the_training_goes_on() -> None:
    def came(played: int, far: float, farther: float) -> list[float]:
        one = Trainer(Settings(games=4, a_round=2, far=far, farther=farther))
        one.played = played
        found: list[float] = one.play(1)[1].came.tolist()
        return found

    assert came(0, 0.5, 0.9) == came(0, 0.5, 0.5) != came(0, 0.7, 0.7)
    assert came(2, 0.5, 0.9) == came(0, 0.7, 0.7)


def test_cells_of_trials_turn_with_their_boards(trials: Trials) -> None:
    order = symmetries(10, 10)[5]
    turned = trials.turned(order)
    rows = np.arange(len(trials.came))[:, None]
    for name in ("missed", "hit"):
        before, after = (getattr(one.known, name) for one in (trials, turned))
        assert (after == before[:, order]).all()
    assert (turned.posterior[rows, turned.cells] == trials.posterior[rows, trials.cells]).all()


def dearer(held: float) -> float:
    """Return how many turns dearer the best cell gets if it cost a turn more in each trial."""
    trainer = Trainer(Settings(games=4, a_round=4))
    _, trials = trainer.play(3)
    # ... and another one less.
    trials = trials._replace(came=np.where(trials.drawn == 0, 1.0, -1.0))

    def difference() -> float:
        costs = costs_of(trainer, trials)
        return float((costs[:, 0] - costs[:, 1]).mean())

    before = difference()
    for _ in range(10):
        trainer.learner.compare(trials, 0.001, held)
    trainer.learner.network.take(trainer.learner.arrays())
    return difference() - before


def test_a_cell_that_games_went_worse_after_gets_dearer_beside_the_others() -> None:
    assert dearer(held=0.0) > 0.01


def test_what_cells_cost_is_held_to_what_they_cost_at_the_start() -> None:
    assert abs(dearer(held=10_000.0)) < dearer(held=1.0) / 2


def told(trainer: Trainer, trials: Trials) -> np.ndarray:
    """Return by how many turns the network expects each drawn cell to cost more than the mean."""
    seen = [trainer.learner.last_seen(trials.turned(way)) for way in symmetries(10, 10)]
    return np.mean(seen, axis=0) @ trainer.learner.last


def test_what_the_last_layer_sees_says_what_cells_cost(trainer: Trainer, trials: Trials) -> None:
    costs = costs_of(trainer, trials)
    drawn = np.take_along_axis(costs, trials.drawn[:, None], axis=1)[:, 0]
    expected = (trials.chances * costs).sum(axis=1)
    found = trainer.learner.last_seen(trials) @ trainer.learner.last
    assert found == pytest.approx(drawn - expected, abs=1e-4)


def test_in_the_end_the_last_layer_fits_what_games_came_to(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(Settings(games=2, a_round=2, fitted=1, looks=8))
    trainer.played = 1
    turns, trials = trainer.play(1)
    weights, before = trainer.learner.arrays(), told(trainer, trials)
    trials = trials._replace(came=2 * before)
    monkeypatch.setattr(trainer, "play", lambda _: (turns, trials))
    assert trainer.learn() == turns
    off = told(trainer, trials) - trials.came
    assert np.square(off).mean() < np.square(before).mean() / 10
    others = trainer.learner.arrays()
    assert {name for name in weights if (weights[name] != others[name]).any()} == {
        "trust",
        "worth_two",
    }


def test_games_that_the_last_layer_is_fitted_to_count_every_later_shot() -> None:
    def came(**settings: float) -> list[float]:
        one = Trainer(Settings(games=4, a_round=2, **settings))
        one.played = 2
        found: list[float] = one.play(1)[1].came.tolist()
        return found

    assert came(fitted=2, far=0.5, farther=0.5) == came(far=1.0, farther=1.0)


def test_a_later_shot_that_was_drawn_is_told_as_if_it_had_been_the_best() -> None:
    game = _ToldGame(preset("classic"), 3)
    for cell in (44, 33, 55, 22):
        game.shoot(cell)
    plain = game.told(np.zeros(4))
    dearer = game.told(np.array([0.0, 0.0, 0.03, 0.0]))
    assert plain is not None
    assert dearer is not None
    found = [came_of(told, network_for(1), 1.0)[1:] for told in (plain, dearer)]
    assert found[1] == pytest.approx(found[0] - [0.03, 0, 0])


def test_a_course_that_fits_the_last_layer_goes_on_where_it_stopped() -> None:
    settings = Settings(games=4, a_round=1, fitted=3)
    whole = Trainer(settings)
    while whole.played < 4:
        whole.learn()
    part = Trainer(settings)
    for _ in range(2):
        part.learn()
    rest = Trainer(settings)
    rest.restore(part.state())
    rest.random = part.random
    for _ in range(2):
        rest.learn()
    for name, array in whole.learner.arrays().items():
        assert (array == rest.learner.arrays()[name]).all()


def test_any_number_of_workers_plays_the_same_games(trials: Trials) -> None:
    turns, found = Trainer(Settings(games=4, a_round=2, workers=2)).play(2)
    assert len(turns) == 2
    assert (found.cells == trials.cells).all()
    assert (found.drawn == trials.drawn).all()
    assert (found.came == trials.came).all()


def test_a_course_goes_on_with_another_number_of_workers(tmp_path: Path) -> None:
    ends = run_course(Trainer(Settings(games=4, a_round=2)), tmp_path, "test", checkpoint_s=0)
    assert next(ends) == []
    assert len(next(ends)) == 2
    ends.close()
    done = list(run_course(Trainer(Settings(games=4, a_round=2, workers=2)), tmp_path, "test"))
    assert len(done[-1]) == 4
