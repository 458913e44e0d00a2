"""Trains the network of ``deep_salvo`` in PyTorch, by each of the ways in which it learns."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from bots.tactics.learned.placement_network import NEVER, Evidence, FleetPlacements, Floats
from bots.tactics.value.advice import TURNS
from bots.training.checkpoints import restore_state, state_of
from bots.training.deep_network import LEAST_CHANCE, Critic, Network, Seen
from bots.training.trials import Trials

Integers = NDArray[np.integer[Any]]

BOLDEST = 0.2  # how far a step may change how likely a move is: PPO (Schulman et al., 2017)
STEEPEST = 1.0  # the longest gradient that is followed as it is; longer ones are shortened to it
NOISE = 0.01  # square turns that count as 1 where trials are compared
SOFT = 4.0  # a cell worth so much less than the best is e times less held to what it was worth
BARRED = np.float32(-1e4)  # added to the worth of cells that were shot
SLOW = 0.998  # what the mean that the bot plays by keeps at each step, once many were taken


class Moves(NamedTuple):
    """Moves that were made, one a row."""

    known: Evidence  # what was known before each
    numbers: Integers  # where each ship lies, ``FleetPlacements.numbers_of``
    cells: Integers
    chances: Floats  # the logarithm of how likely the cell was to be shot
    ships: NDArray[np.bool_]  # which cells have a ship, moves x cells
    merits: Floats  # how many misses it saved, against what the critic expected
    left: Floats  # how many misses there were from then on

    def some(self, rows: Integers) -> "Moves":
        """Return some of the moves."""
        return Moves._make([self.known.some(rows), *(column[rows] for column in self[1:])])


class Shown(NamedTuple):
    """The inputs of the network for some boards."""

    planes: Tensor  # boards x planes x rows x columns
    penalties: Tensor  # 0 for each place that the reports allow, else ``NEVER``
    posterior: Tensor | None


class Learner:
    """The network, its critic and the steps of Adam; it computes boards by the batch."""

    def __init__(  # noqa: PLR0913 - what a network is, and how it is computed
        self,
        places: FleetPlacements,
        *,
        channels: int,
        rounds: int,
        batch: int,
        seed: int,
        bfloat16: bool,
        device: str,
    ) -> None:
        self.places, self.batch = places, batch
        self._device, self._bfloat16 = torch.device(device), bfloat16
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = Network(places, channels, rounds)
            self.critic = self._make_critic(channels)
            mean = Network(places, channels, rounds)
        mean.load_state_dict(self.network.state_dict())
        self._mean = mean.requires_grad_(requires_grad=False)
        self._parts = nn.ModuleDict(
            {"network": self.network, "critic": self.critic, "mean": self._mean}
        )
        self._parts.to(self._device)
        learned = [part for part in self._parts.parameters() if part.requires_grad]
        self._adam = torch.optim.Adam(learned)

    def _make_critic(self, channels: int) -> nn.Module:
        return Critic(self.places, channels)

    def take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Begin with the weights of another network of the same size."""
        self.network.take(arrays)
        self._mean.take(arrays)

    def scale_worth(self, factor: float) -> None:
        """Multiply what each cell is worth, which leaves the best one as it is."""
        with torch.no_grad():
            for network in (self.network, self._mean):
                for part in (network.trust, *network.worth_two.parameters()):
                    part.mul_(factor)

    def look(
        self, known: Evidence, *, to_teach: bool = False, posterior: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Return how likely each cell has a ship, and what it is worth: boards x cells each."""
        cells, worth = [], []
        with torch.inference_mode():
            for rows in self._batches(len(known.hit)):
                shown = None if posterior is None else posterior[rows]
                seen = self._see(known.some(rows), to_teach=to_teach, posterior=shown)
                cells.append(seen.cells.float().cpu().numpy())
                worth.append(seen.worth.float().cpu().numpy())
        return np.concatenate(cells), np.concatenate(worth)

    def judge(self, known: Evidence, ships: NDArray[np.bool_]) -> Floats:
        """Return how many misses the critic expects on each board."""
        with torch.inference_mode():
            found = [
                self._judge(known.some(rows), ships[rows]).float().cpu().numpy()
                for rows in self._batches(len(known.hit))
            ]
        return np.concatenate(found)

    def teach(self, known: Evidence, numbers: Integers, rate: float) -> float:
        """Take one step towards the hidden layouts; return how far off the placements were.

        The mean over layouts of the cross-entropy is least where the network gives the posterior
        probability of each placement.
        """
        off = self._off(self._see(known, to_teach=True), numbers)
        self._step(off.mean(), rate)
        return float(off[-1].detach())

    def improve(self, moves: Moves, rate: float) -> None:
        """Take one step towards moves that saved misses, and teach as well."""
        seen = self._see(moves.known, to_teach=False)
        untried = torch.from_numpy(moves.known.untried).to(self._device)
        chances = functional.log_softmax(seen.worth.masked_fill(~untried, -float("inf")), dim=1)
        shot = torch.from_numpy(moves.cells).to(self._device)[:, None]
        change = (chances.gather(1, shot)[:, 0] - self._tensor(moves.chances)).exp()
        merits = self._tensor(moves.merits)
        bounded = change.clamp(1 - BOLDEST, 1 + BOLDEST)
        gain = torch.minimum(change * merits, bounded * merits).mean()
        judged = self._judge(moves.known, moves.ships)
        wrong = functional.smooth_l1_loss(judged, self._tensor(moves.left))
        self._step(self._off(seen, moves.numbers).mean() - gain + wrong, rate)

    def imitate(self, known: Evidence, posterior: Floats, wanted: Floats, rate: float) -> None:
        """Take one step towards choices: how often each cell is wanted, choices x cells."""
        seen = self._see(known, to_teach=False, posterior=posterior)
        # Cells that may not be shot are as unlikely as a number can be, and wanted never.
        barred = self._tensor(np.where(known.untried, np.float32(0), BARRED))
        chances = functional.log_softmax(seen.worth + barred, dim=1)
        self._step(-(self._tensor(wanted) * chances).sum(dim=1).mean(), rate)

    def keep_start(self) -> None:
        """Keep the network as it is, for ``compare`` to stay near it."""
        self._start = copy.deepcopy(self._mean)

    def compare(self, trials: Trials, rate: float, held: float) -> None:
        """Take one step towards what the cells of some trials cost beside each other, in turns.

        What cells cost is held to what they cost at the start: a difference from it counts
        ``held`` times as much as one from what came.
        """
        shown = self._shown(trials.known, trials.posterior)
        seen = self._seen_by(self.network, shown, to_teach=False)
        start = self._seen_by(self._start, shown, to_teach=False).worth  # it has no gradients
        untried = torch.from_numpy(trials.known.untried).to(self._device)
        likely = functional.softmax((start / SOFT).masked_fill(~untried, -float("inf")), dim=1)
        moved = TURNS * (seen.worth - start)
        moved = moved - (likely * moved).sum(dim=1, keepdim=True)
        drift = (likely * moved.square()).sum(dim=1)
        costs = -TURNS * seen.worth.gather(1, torch.from_numpy(trials.cells).to(self._device))
        drawn = torch.from_numpy(trials.drawn).to(self._device)[:, None]
        expected = (self._tensor(trials.chances) * costs).sum(dim=1)
        off = self._tensor(trials.came) - (costs.gather(1, drawn)[:, 0] - expected)
        self._step((off.square() + held * drift).mean() / NOISE, rate)

    def last_seen(self, trials: Trials) -> Floats:
        """Return the inputs of the last layer at the drawn cell, less their mean over the draws.

        Trials x weights, each times turns: their product with ``last`` is how many turns the
        network expects the cell to cost more than the mean of those that might be drawn.
        """
        shown = self._shown(trials.known, trials.posterior)
        with torch.inference_mode():
            seen = self._seen_by(self._mean, shown, to_teach=False)
            last = -TURNS * self._mean.last_seen(seen.hidden).float()
        every: Floats = last.cpu().numpy()
        cells: Floats = np.take_along_axis(every, trials.cells[:, None], axis=2)
        drawn = cells[np.arange(len(cells)), :, trials.drawn]
        return np.asarray(drawn - (cells * trials.chances[:, None]).sum(axis=2))

    @property
    def last(self) -> Floats:
        """Return the weights of the last layer."""
        return np.asarray(self._mean.last.detach().cpu().numpy(), float)

    def take_last(self, weights: Floats) -> None:
        """Take over weights of the last layer."""
        with torch.no_grad():
            for network in (self.network, self._mean):
                network.take_last(self._tensor(weights))

    def learn_to_judge(self, moves: Moves, rate: float) -> None:
        """Take one step of the critic alone."""
        judged = self._judge(moves.known, moves.ships)
        self._step(functional.smooth_l1_loss(judged, self._tensor(moves.left)), rate)

    def arrays(self) -> dict[str, Floats]:
        """Return the mean of the weights over the last steps, for ``PlacementNetwork``."""
        arrays: dict[str, Floats] = self._mean.arrays()
        return arrays

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights and what Adam keeps, as arrays."""
        return state_of(self._parts, self._adam)

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what ``state`` returned."""
        restore_state(self._parts, self._adam, state)

    def _batches(self, number: int) -> Iterator[slice]:
        for first in range(0, number, self.batch):
            yield slice(first, first + self.batch)

    def _see(self, known: Evidence, *, to_teach: bool, posterior: Floats | None = None) -> Seen:
        return self._seen_by(self.network, self._shown(known, posterior), to_teach=to_teach)

    def _shown(self, known: Evidence, posterior: Floats | None) -> Shown:
        penalties = np.where(self.places.possible(known), np.float32(0), NEVER)
        shown = None if posterior is None else self._board(posterior[:, None])
        return Shown(self._planes(known), self._tensor(penalties), shown)

    def _seen_by(self, network: Network, shown: Shown, *, to_teach: bool) -> Seen:
        planes, penalties, posterior = shown
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bfloat16):
            found: Seen = network(planes, penalties, to_teach=to_teach, posterior=posterior)
        return found

    def _judge(self, known: Evidence, ships: NDArray[np.bool_]) -> Tensor:
        lie = self._board(ships[:, None].astype(np.float32))
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bfloat16):
            found: Tensor = self.critic(self._planes(known), lie)
        return found

    def _off(self, seen: Seen, numbers: Integers) -> Tensor:
        """Return the mean cross-entropy of a ship's placement, for each round."""
        there = torch.from_numpy(numbers).to(self._device)[:, :, None]
        found = [-torch.log(odds.gather(2, there) + LEAST_CHANCE).mean() for odds in seen.places]
        return torch.stack(found)

    def _step(self, loss: Tensor, rate: float) -> None:
        for group in self._adam.param_groups:
            group["lr"] = rate
        self._adam.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self._parts.parameters(), STEEPEST)
        self._adam.step()
        taken = int(self._adam.state[self.network.first.weight].get("step", 0))
        keep = min(SLOW, taken / (taken + 10))
        with torch.no_grad():
            for mean, part in zip(self._mean.parameters(), self.network.parameters(), strict=True):
                mean.lerp_(part, 1 - keep)

    def _planes(self, known: Evidence) -> Tensor:
        return self._board(known.planes())

    def _board(self, planes: Floats) -> Tensor:
        shape = (*planes.shape[:2], self.places.rows, self.places.columns)
        found = self._tensor(planes.reshape(shape))
        return found.contiguous(memory_format=torch.channels_last)

    def _tensor(self, values: Floats) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32)).to(self._device)
