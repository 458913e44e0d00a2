"""The network of ``deep_salvo`` in PyTorch, and the critic that learns beside it.

``bots.tactics.learned.placement_network`` is the same network in numpy, for the bot;
``bots.training.deep_learner`` trains both.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from bots.tactics.learned.placement_network import LEAST, PLANES, FleetPlacements, Floats

TRUST = 20.0  # what the logarithm of the chance of a hit counts at the beginning
LEAST_CHANCE = float(LEAST)


class Seen(NamedTuple):
    """The output of the network for some boards: a ``Prediction`` with the places of each round."""

    places: list[Tensor]
    cells: Tensor
    worth: Tensor
    hidden: Tensor  # what the worth of cells is computed from, boards x channels x rows x columns


class Network(nn.Module):
    """The shooter; see ``PlacementNetwork``."""

    def __init__(self, places: FleetPlacements, channels: int, rounds: int) -> None:
        super().__init__()
        self.places = places
        ships = len(places.lengths)
        self.first = _convolution(PLANES + 2 * ships, channels)
        self.one = nn.ModuleList(
            _convolution(channels + (ships if number else 0), channels) for number in range(rounds)
        )
        self.two = nn.ModuleList(_convolution(channels, channels) for _ in range(rounds))
        # What a cell says of a ship on it: ships, lying or upright, channels, how far along it.
        shape = ships, 2, channels, max(places.lengths)
        self.head = nn.ParameterList(torch.randn(shape) / 100 for _ in range(rounds))
        self.worth_one = _convolution(channels + ships + 1, channels)
        self.worth_two = nn.Conv2d(channels, 1, 1)
        for part in self.worth_two.parameters():
            nn.init.zeros_(part)
        self.trust = nn.Parameter(torch.tensor(TRUST))
        self.covers: Tensor
        self.within: Tensor
        self.register_buffer("covers", torch.from_numpy(places.covers), persistent=False)
        within = torch.arange(max(places.lengths)) < torch.tensor(places.lengths)[:, None]
        self.register_buffer("within", within[:, None, None], persistent=False)

    def forward(
        self, planes: Tensor, penalties: Tensor, *, to_teach: bool, posterior: Tensor | None = None
    ) -> Seen:
        """Return what to make of boards, each plane as rows x columns.

        Penalties are 0 for each place that the reports allow, else ``NEVER``. To teach, the worth
        of cells is left at what their chances say. A posterior, given, takes the place of a guess.
        """
        places = self.places
        hidden = self.first(planes).relu_()
        covered: list[Tensor] = []
        by_round = []
        for one, two, head in zip(self.one, self.two, self.head, strict=True):
            inner = one(torch.cat([hidden, *covered], dim=1)).relu_()
            hidden = two(inner).add_(hidden).relu_()
            odds = functional.softmax(self._scores(hidden, head) + penalties, dim=2)
            by_round.append(odds)
            with torch.autocast(odds.device.type, enabled=False):  # a worth hangs on each per mille
                cover = torch.bmm(odds.transpose(0, 1), self.covers).transpose(0, 1)
            cover = cover.reshape(len(planes), -1, places.rows, places.columns)
            covered = [cover.contiguous(memory_format=torch.channels_last)]
        guessed = covered[0].float().sum(dim=1, keepdim=True)
        cells = guessed if posterior is None else posterior
        chances = torch.log(cells + LEAST_CHANCE)
        worth = chances * self.trust
        seen = torch.cat([hidden, *covered, chances], dim=1)
        if not to_teach:
            worth = worth + self.worth_two(functional.relu(self.worth_one(seen))).float()
        return Seen(by_round, cells.flatten(1), worth.flatten(1), seen)

    def last_seen(self, hidden: Tensor) -> Tensor:
        """Return the inputs of the last layer at each cell, given ``Seen.hidden``.

        Boards x weights x cells: their product with ``last``, plus a bias, is what a cell is worth.
        """
        chances = hidden[:, -1:].flatten(2)
        return torch.cat([functional.relu(self.worth_one(hidden)).flatten(2), chances], dim=1)

    @property
    def last(self) -> Tensor:
        """Return the weights of the last layer without its bias."""
        return torch.cat([self.worth_two.weight.flatten(), self.trust[None]])

    def take_last(self, weights: Tensor) -> None:
        """Take over weights, as ``last`` returns them."""
        self.worth_two.weight.copy_(weights[:-1].reshape(self.worth_two.weight.shape))
        self.trust.copy_(weights[-1])

    def _scores(self, hidden: Tensor, head: Tensor) -> Tensor:
        """Return the score of each place: convolutions along the ships, boards x ships x places."""
        head = head * self.within
        more = max(self.places.lengths) - 1
        lying = functional.conv2d(hidden, head[:, 0, :, None, :], padding=(0, more))
        upright = functional.conv2d(hidden, head[:, 1, :, :, None], padding=(more, 0))
        return torch.cat([lying[..., more:].flatten(2), upright[:, :, more:].flatten(2)], dim=2)

    def arrays(self) -> dict[str, Floats]:
        """Return the weights as ``PlacementNetwork`` takes them."""
        found = {}
        for key, part in self.state_dict().items():
            *words, what = key.split(".")
            name = "_".join(words)
            match what:
                case "weight" if name == "worth_two":
                    found[name] = part[0, :, 0]
                case "weight":
                    found[name] = part.permute(2, 3, 1, 0).flatten(0, 2)
                case "bias":
                    found[f"{name}_bias"] = part
                case "trust":
                    found[what] = part
                case number:
                    found[f"{name}_{number}"] = part.permute(2, 0, 1, 3).flatten(1)
        return {name: part.cpu().numpy().copy() for name, part in found.items()}

    def take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over weights, as ``arrays`` returns them."""
        for key, part in self.state_dict().items():
            *words, what = key.split(".")
            name = "_".join(words)
            match what:
                case "weight" if name == "worth_two":
                    given = arrays[name][None, :, :, None]
                case "weight":
                    outputs, inputs, *around = part.shape
                    given = arrays[name].reshape(*around, inputs, outputs).transpose(3, 2, 0, 1)
                case "bias":
                    given = arrays[f"{name}_bias"]
                case "trust":
                    given = arrays[what].reshape(())
                case number:
                    ships, turned, channels, along = part.shape
                    shape = channels, ships, turned, along
                    given = arrays[f"{name}_{number}"].reshape(shape).transpose(1, 2, 0, 3)
            part.copy_(torch.tensor(given))


class Critic(nn.Module):
    """Estimates how many misses are left, seeing what the shooter sees and where the ships lie."""

    def __init__(self, places: FleetPlacements, channels: int) -> None:
        super().__init__()
        planes = PLANES + 2 * len(places.lengths) + 1
        self.layers = nn.ModuleList(
            _convolution(planes if number == 0 else channels, channels) for number in range(4)
        )
        self.last = nn.Linear(channels, 1)

    def forward(self, planes: Tensor, ships: Tensor) -> Tensor:
        """Return how many misses are left on each board."""
        hidden = torch.cat([planes, ships], dim=1)
        for layer in self.layers:
            hidden = functional.relu(layer(hidden))
        found: Tensor = self.last(hidden.float().mean(dim=(2, 3)))[:, 0] * 10
        return found


def _convolution(inputs: int, outputs: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, 3, padding=1)
