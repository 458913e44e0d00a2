"""The value network that takes the luck out of trials: it learns from their games, in PyTorch.

What a game takes, less the luck in it, differs from what was expected at its start by a surprise at
each shot: what the network expects before the answer, less what it expected after the answer
before. A network that knew what is left after each answer would never be surprised. So it learns to
be surprised less: by each shot alone, which says most of what lies close together, and by all shots
from one to the end of the game, which is how far what came of a trial is off.

Source: Baird, Residual algorithms (1995). As all answers are known, and how likely each is, there
is none of the bias that he warns of.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bots.tactics.value.answer_luck import Answers
from bots.tactics.value.network import Network, standardised
from bots.training.checkpoints import restore_state, state_of
from bots.training.trials import Told

TO_THE_END = 0.05  # what the surprises of all shots to the end count beside those of one
AT_ONCE = 16  # games a step
STEP = 5e-4  # of Adam
KIND = "value:"  # what its arrays are called in a checkpoint, beside those of other networks
SLOW = 0.98  # what the mean that luck is told by keeps at each step


class ValueLearner:
    """A value network at work.

    Args:
        start: What it begins with.
    """

    def __init__(self, start: Network) -> None:
        self._start = start
        self._layers = nn.ParameterList(
            nn.Parameter(torch.tensor(layer, dtype=torch.float32))
            for layer in (*start.weights, *start.biases)
        )
        self._mean = copy.deepcopy(self._layers).requires_grad_(requires_grad=False)
        self._parts = nn.ModuleDict({"network": self._layers, "mean": self._mean})
        self._adam = torch.optim.Adam(self._layers.parameters(), STEP)

    def learn(self, games: Sequence[Told], random: np.random.Generator) -> None:
        """Take steps towards being less surprised by some games, each given by itself."""
        order = random.permutation(len(games))
        for some in np.array_split(order, -(-len(order) // AT_ONCE)):
            self._step(Told.joined([games[game] for game in some]))

    def network(self) -> Network:
        """Return the mean of the network over the last steps."""
        layers = [layer.numpy().astype(float) for layer in self._mean]
        number = len(self._start.weights)
        return self._start._replace(weights=layers[:number], biases=layers[number:])

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights and what Adam keeps, as arrays."""
        kept = state_of(self._parts, self._adam)
        return {f"{KIND}{name}": part for name, part in kept.items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what ``state`` returned."""
        kept = {
            name.removeprefix(KIND): part for name, part in state.items() if name.startswith(KIND)
        }
        restore_state(self._parts, self._adam, kept)

    def _step(self, told: Told) -> None:
        sizes = np.bincount(told.game).tolist()
        # Of the first shot of a game nothing was expected before.
        games = [game[1:] for game in torch.split(self._surprises(told), sizes)]
        alone = torch.cat(games)
        to_the_end = torch.cat([game.flip(0).cumsum(0) for game in games])
        loss = alone.square().mean() + TO_THE_END * to_the_end.square().mean()
        self._adam.zero_grad()
        torch.autograd.backward(loss)
        self._adam.step()
        with torch.no_grad():
            for mean, layer in zip(self._mean, self._layers, strict=True):
                mean.lerp_(layer, 1 - SLOW)

    def _surprises(self, told: Told) -> Tensor:
        """Return by how many turns each shot went worse than was expected, as ``surprises``."""
        answers = told.answers
        salvo, chances = torch.from_numpy(answers.salvo), torch.from_numpy(answers.chances)
        worth = self._values(answers)
        nothing = torch.zeros(len(answers.came))
        expected = 1 + nothing.index_add(0, salvo, chances.float() * worth)
        before = worth[torch.from_numpy(answers.came)].roll(1)
        return expected - torch.from_numpy(told.dearer).float() - before

    def _values(self, answers: Answers) -> Tensor:
        """Return how many turns are left after each answer, as ``answer_luck.values``."""
        start = self._start
        given = standardised(answers.features, start.mean, start.scale).astype(np.float32)
        misses = self._misses(torch.from_numpy(given))
        salvo, seen = torch.from_numpy(answers.salvo), torch.from_numpy(answers.seen)
        nothing = torch.zeros(len(answers.came))
        number = nothing.index_add(0, salvo, seen.float()).clamp(min=1)
        mean = nothing.index_add(0, salvo, misses * seen) / number
        misses = torch.where(seen, misses, mean[salvo])
        to_hit = torch.from_numpy(answers.to_hit)
        return torch.where(to_hit > 0, to_hit + misses, 0.0)

    def _misses(self, inputs: Tensor) -> Tensor:
        number = len(self._start.weights)
        layer = inputs
        for place in range(number):
            layer = torch.matmul(layer, self._layers[place]) + self._layers[number + place][:, None]
            layer = layer.relu() if place < number - 1 else layer
        return layer.mean(dim=0)[:, 0]
