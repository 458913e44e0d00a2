"""The value network is less surprised by games that it learned from; `tox -e deep` has PyTorch."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from bots.tactics.value.network import Network, network_for
from bots.training.deep_trials import Settings, Trainer
from bots.training.trials import Told, came_of
from bots.training.value_learner import ValueLearner


@pytest.fixture(scope="module")
def games() -> list[Told]:
    found = [game.told for game in Trainer(Settings(games=8)).games(8)]
    return [told for told in found if told is not None]


def surprise(network: Network, games: list[Told], far: float) -> float:
    came = came_of(Told.joined(games), network, far)
    return float(np.nanmean(np.square(came)))


def test_it_begins_as_the_network_that_is_given(games: list[Told]) -> None:
    begun = ValueLearner(network_for(1)).network()
    for far in (0.0, 1.0):
        assert surprise(begun, games, far) == pytest.approx(surprise(network_for(1), games, far))


def test_its_surprises_are_those_that_trials_are_told_by(games: list[Told]) -> None:
    told = Told.joined(games)
    found = ValueLearner(network_for(1))._surprises(told).detach().numpy()
    came = came_of(told, network_for(1), 0.0) - told.dearer
    known = np.isfinite(came)
    assert known.sum() == len(came) - len(games)
    assert found[known] == pytest.approx(came[known], abs=1e-3)


def test_games_that_it_learned_from_surprise_it_less(games: list[Told]) -> None:
    learner, random = ValueLearner(network_for(1)), np.random.default_rng(1)
    for _ in range(100):
        learner.learn(games, random)
    for far in (0.0, 1.0):
        after, before = (surprise(one, games, far) for one in (learner.network(), network_for(1)))
        assert after < before / 2


def test_it_goes_on_where_it_stopped(games: list[Told]) -> None:
    whole, part, rest = (ValueLearner(network_for(1)) for _ in range(3))
    for times, learner in ((2, whole), (1, part)):
        random = np.random.default_rng(1)
        for _ in range(times):
            learner.learn(games, random)
    rest.restore(part.state())
    rest.learn(games, random)
    for ours, theirs in zip(whole.network().weights, rest.network().weights, strict=True):
        assert (ours == theirs).all()


def test_it_goes_on_from_the_beginning(games: list[Told]) -> None:
    whole, rest = ValueLearner(network_for(1)), ValueLearner(network_for(1))
    rest.restore(ValueLearner(network_for(1)).state())
    for learner in (whole, rest):
        learner.learn(games, np.random.default_rng(1))
    for ours, theirs in zip(whole.network().weights, rest.network().weights, strict=True):
        assert (ours == theirs).all()
