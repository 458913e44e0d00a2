"""Trains the agents of small games by several seeds, and plays each over every layout."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import Rules
from benchmarks.games.estimates import estimate
from benchmarks.lines import Note
from bots.tactics.learned.salvo_network import SalvoNetwork
from bots.tactics.learned.weight_files import Origin
from bots.training import ramesh
from bots.training.agent import LearningAgent

USUAL_GAMES = 10_000
"""Games of the trainings that others are measured against, as the sources' texts have them."""

Turns = NDArray[np.int64]
"""Turns of one bot at each layout of its game, in the order of ``ramesh.every_layout``."""


class Seeds(NamedTuple):
    """A number of an agent by each of the seeds that it was trained with."""

    values: Sequence[float]

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return float(np.mean(self.values))

    def __str__(self) -> str:
        """Return the mean with its 95% interval, taking the seeds as a sample of all."""
        return f"{estimate(self.values):.2f}"

    @property
    def span(self) -> str:
        """Return the least and the greatest."""
        return f"{min(self.values):.2f} to {max(self.values):.2f}"


class Trained(NamedTuple):
    """An agent, and the turns of each game of its training."""

    agent: LearningAgent
    turns: list[int]


@dataclass
class Trainings:
    """Trainings of the agents by the seeds 1, 2, 3 and so on, each done once.

    Attributes:
        seeds: How many seeds.
        games: Games for which an agent of the sources is trained; others in proportion.
    """

    seeds: int
    games: int
    _done: dict[tuple[Any, ...], list[Turns]] = field(default_factory=dict)

    def trained(self, name: str, seed: int, share: int = 1, **settings: Any) -> Trained:  # noqa: ANN401
        """Return an agent that has been trained, for one ``share``th of its usual games."""
        module = importlib.import_module(f"bots.training.{name}")
        usual = module.Settings(seed=seed, **settings)
        games = max(usual.games * self.games // (USUAL_GAMES * share), 1)
        agent: LearningAgent = module.Trainer(replace(usual, games=games))
        return Trained(agent, train(agent, games))

    def prepare(self, name: str, **settings: Any) -> Iterator[Note]:  # noqa: ANN401
        """Train by each seed unless that is done, and yield notes on how far that is."""
        key = _key(name, settings)
        if key in self._done:
            return
        found = []
        for seed in range(1, self.seeds + 1):
            yield Note(f"{name} {' '.join(map(str, settings.values()))}: training by seed {seed}")
            agent, _ = self.trained(name, seed, **settings)
            _, arrays, purpose = agent.weights()
            origin = Origin(command="", seed=seed, date="", code="", games=0, **purpose)
            network = SalvoNetwork(arrays, origin)
            found.append(network_turns(network, ramesh.every_layout(agent.rules)))
        self._done[key] = found

    def turns(self, name: str, **settings: Any) -> list[Turns]:  # noqa: ANN401 - as above
        """Return the turns at each layout, by the seed; ``prepare`` has trained them."""
        return self._done[_key(name, settings)]

    def means(self, name: str, **settings: Any) -> Seeds:  # noqa: ANN401 - as above
        """Return the mean turns over every layout."""
        return Seeds([float(turns.mean()) for turns in self.turns(name, **settings)])


def _key(name: str, settings: Mapping[str, Any]) -> tuple[Any, ...]:
    return (name, *sorted(settings.items()))


def train(trainer: LearningAgent, games: int) -> list[int]:
    """Train for some games, or a few more, and return the turns of each."""
    turns: list[int] = []
    while len(turns) < games:
        turns += trainer.learn()
    return turns


def network_turns(network: SalvoNetwork, layouts: ramesh.Integers) -> Turns:
    """Return the turns of a network at each layout, given as ``ramesh.every_layout`` has them."""
    number = len(network.origin.lengths)
    turns = np.zeros(len(layouts), dtype=np.int64)
    for which, ships in enumerate(layouts):
        board = np.full(len(ships), -1)
        while (board == 1).sum() < (ships >= 0).sum():
            sunk = np.array([(board[ships == ship] == 1).all() for ship in range(number)], float)
            cells = network.choose(board, sunk, network.origin.shots)
            board[cells] = ships[cells] >= 0
            turns[which] += 1
    return turns


def network_for(networks: Sequence[SalvoNetwork], rules: Rules) -> SalvoNetwork:
    """Return the network of a bot that is for some rules."""
    lengths = tuple(sorted((ship.length for ship in rules.fleet), reverse=True))
    game = rules.rows, rules.columns, lengths, rules.shots
    return next(
        network
        for network in networks
        if (
            network.origin.rows,
            network.origin.columns,
            network.origin.lengths,
            network.origin.shots,
        )
        == game
    )
