"""The network of ``deep_salvo`` at boards in tensors, with a judge beside it that knows luck.

``bots.training.deep_adjusted`` says what is learned, and why.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from bots.tactics.learned.placement_network import FleetPlacements
from bots.training.deep_boards import UNTRIED, Boards, Known, Sight
from bots.training.deep_learner import BARRED, BOLDEST, Learner
from bots.training.deep_network import LEAST_CHANCE, Seen

TENS = 10.0  # misses are told in tens, so that numbers inside the network are about 1


class Judgement(NamedTuple):
    """How many misses are left on each board, each number a mean."""

    now: Tensor  # boards
    hit: Tensor  # if the shot at a cell hits, boards x cells
    missed: Tensor  # if it misses; that miss is not counted


class Judge(nn.Module):
    """Estimates how many misses are left, from what the network sees before its last head."""

    def __init__(self, inputs: int, channels: int) -> None:
        super().__init__()
        self.one = nn.Conv2d(inputs, channels, 3, padding=1)
        self.all = nn.Linear(2 * channels, channels)
        self.now = nn.Linear(channels, 1)
        self.two = nn.Conv2d(channels, channels, 1)
        self.after = nn.Conv2d(channels, 2, 1)

    def forward(self, hidden: Tensor) -> Judgement:
        """Return what it makes of boards."""
        near = functional.relu(self.one(hidden))
        far = torch.cat([near.mean(dim=(2, 3)), near.amax(dim=(2, 3))], dim=1)
        far = functional.relu(self.all(far))
        now = self.now(far).float() * TENS
        after = self.after(functional.relu(self.two(near) + far[:, :, None, None]))
        after = after.float().flatten(2) * TENS + now[:, :, None]
        return Judgement(now[:, 0], after[:, 0], after[:, 1])


class Moves(NamedTuple):
    """Shots, one a row."""

    known: Known  # what was known before each
    places: Tensor  # where each ship lies
    teaches: Tensor  # whether what is known agrees with that
    alone: Tensor  # whether one shot a turn was taken
    cells: Tensor
    chances: Tensor  # the logarithm of how likely the cell was to be shot
    missed: Tensor
    worth: Tensor  # how many misses fewer were left than expected, less luck
    now: Tensor  # how many misses were left before each, less luck
    after: Tensor  # and after

    def some(self, rows: Tensor) -> "Moves":
        """Return some of the shots."""
        return Moves._make([self.known.some(rows), *(column[rows] for column in self[1:])])


class JudgedLearner(Learner):
    """The network, its judge, the steps of Adam, and boards in play.

    Args:
        places: The placements of the fleet.
        boards: How many boards there are.
        salvos: How many of them take a salvo a turn.
        threads: How many threads compute on a processor.
        size: What ``Learner`` takes.
    """

    moves: Moves

    def __init__(
        self,
        places: FleetPlacements,
        *,
        boards: int,
        salvos: int,
        threads: int,
        **size: Any,  # noqa: ANN401 - each has its own type
    ) -> None:
        torch.set_num_threads(threads)
        torch.set_float32_matmul_precision("high")  # on a GPU: with ten bits after the first
        super().__init__(places, **size)
        self._sight = Sight(places, self._device)
        self._boards = Boards(places, boards, salvos, self._generator(size["seed"]))

    def _make_critic(self, channels: int) -> nn.Module:
        return Judge(channels + len(self.places.lengths) + 1, channels)

    def play(self, moves: int, far: float, seed: int) -> list[int]:
        """Shoot so often at each board; return the turns of the games that ended.

        Those with a salvo a turn are left out. What was shot is in ``moves`` then. ``far`` is the
        decay of generalised advantages.
        """
        draw = self._generator(seed)
        boards = self._boards
        kept: list[tuple[Any, ...]] = []
        judged: list[tuple[Tensor, ...]] = []
        ended: list[int] = []
        with torch.inference_mode():
            for _ in range(moves):
                known = Known(*(part.clone() for part in boards.known))
                seen, judgement = self._both(known)
                worth = seen.worth + BARRED.item() * (known.seen != UNTRIED)
                noise = torch.empty_like(worth).exponential_(generator=draw).log_()
                cells = (worth - noise).argmax(dim=1)  # a draw by the softmax
                shot = cells[:, None]
                chances = functional.log_softmax(worth, dim=1).gather(1, shot)[:, 0]
                there, teaches = boards.places.clone(), boards.teaches
                missed, over, turns = boards.shoot(cells, draw)
                ended += turns[boards.alone[over]].tolist()
                kept.append((known, there, teaches, boards.alone, cells, chances, missed))
                answers = [part.gather(1, shot)[:, 0] for part in judgement[1:]]
                hit = seen.cells.gather(1, shot)[:, 0].clamp(0, 1)
                judged.append((judgement.now, *answers, hit, over))
            last = self._both(boards.known)[1].now
            results = adjusted(judged, [one[6] for one in kept], last, far)
        columns = [torch.cat(column) for column in zip(*(one[1:] for one in kept), strict=True)]
        known = Known(
            *(torch.cat(column) for column in zip(*(one[0] for one in kept), strict=True))
        )
        self.moves = Moves._make([known, *columns, *results])
        return ended

    def learn(self, rate: float, seed: int, *, improving: bool) -> None:
        """Learn from all moves in random order: where ships lie, what is left, what to shoot."""
        moves = self.moves
        order = torch.randperm(
            len(moves.cells), generator=self._generator(seed), device=self._device
        )
        for first in range(0, len(order), self.batch):
            self._learn_some(
                moves.some(order[first : first + self.batch]), rate, improving=improving
            )

    def _learn_some(self, moves: Moves, rate: float, *, improving: bool) -> None:
        seen, judgement = self._both(moves.known)
        shot = moves.cells[:, None]
        there = moves.places[:, :, None]
        teaches = moves.teaches.float()
        loss = torch.zeros((), device=self._device)
        for odds in seen.places:
            off = -torch.log(odds.gather(2, there) + LEAST_CHANCE).mean(dim=(1, 2))
            loss = loss + (off * teaches).sum() / teaches.sum() / len(seen.places)
        alone = moves.alone.float() / moves.alone.sum()
        after = torch.where(moves.missed[:, None], judgement.missed, judgement.hit)
        for told, true in ((judgement.now, moves.now), (after.gather(1, shot)[:, 0], moves.after)):
            loss = loss + (((told - true) / TENS).square() * alone).sum()
        if improving:
            worth = seen.worth.masked_fill(moves.known.seen != UNTRIED, -float("inf"))
            chances = functional.log_softmax(worth, dim=1).gather(1, shot)[:, 0]
            change = (chances - moves.chances).exp()
            mean = (moves.worth * alone).sum()
            merits = (moves.worth - mean) / ((moves.worth - mean).square() * alone).sum().sqrt()
            bounded = change.clamp(1 - BOLDEST, 1 + BOLDEST)
            loss = loss - (torch.minimum(change * merits, bounded * merits) * alone).sum()
        self._step(loss, rate)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights, what Adam keeps, and the boards, as arrays."""
        kept = {f"board:{n}": part.cpu().numpy() for n, part in self._boards.state().items()}
        return super().state() | kept

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what ``state`` returned."""
        super().restore(state)
        self._boards.restore(
            {
                name.removeprefix("board:"): torch.from_numpy(np.array(value)).to(self._device)
                for name, value in state.items()
                if name.startswith("board:")
            }
        )

    def _both(self, known: Known) -> tuple[Seen, Judgement]:
        planes, penalties = self._sight.planes(known), self._sight.penalties(known)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bfloat16):
            seen: Seen = self.network(planes, penalties, to_teach=False)
            judgement: Judgement = self.critic(seen.hidden)
        return seen, judgement

    def _generator(self, seed: int) -> torch.Generator:
        return torch.Generator(self._device).manual_seed(seed)


def adjusted(
    judged: list[tuple[Tensor, ...]], missed: list[Tensor], last: Tensor, far: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the last three fields of ``Moves``: generalised advantages, less luck.

    ``judged`` has, shot after shot, the misses left before it, after a hit, after a miss, the
    chance of a hit, and whether the game ended; ``last`` those left after the last.
    """
    worth, before, later = [], [], []
    after, error = last, torch.zeros_like(last)
    for (now, hit, miss, chance, over), lost in zip(
        reversed(judged), reversed(missed), strict=True
    ):
        after, error = after.masked_fill(over, 0), error.masked_fill(over, 0)
        expected = chance * hit + (1 - chance) * (1 + miss)
        luck = torch.where(lost, 1 + miss, hit) - expected
        later.append(after + far * error)
        error = lost + after - luck - now + far * error
        worth.append(-error)
        before.append(now + error)
        after = now
    return torch.cat(worth[::-1]), torch.cat(before[::-1]), torch.cat(later[::-1])
