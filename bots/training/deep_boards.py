"""Holds thousands of boards as tensors, so that games are played where the network is computed.

The rules are those of ``arena.environments.SoloBoards``: known fleets, ships may touch, sinkings
are named. A board takes one shot a turn, or a salvo of as many as it has ships, whose cells count
as misses until it is complete. A board whose fleet is sunk gets another layout at once.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from bots.tactics.learned.placement_network import NEVER, PLANES, FleetPlacements

UNTRIED, MISSED, HIT, CHOSEN = range(4)
ENOUGH = 3  # layouts drawn for each that is needed: more than a third have no two ships on a cell


class Known(NamedTuple):
    """What is known of some boards, one a row; ``Evidence`` as tensors."""

    seen: Tensor  # of each cell ``UNTRIED`` and so on, boards x cells
    sank: Tensor  # for each cell that hit, which ships its salvo sank: bit n stands for ship n
    left: Tensor  # how many cells of each ship are not hit, boards x ships

    def some(self, rows: Tensor) -> "Known":
        """Return what is known of some of the boards."""
        return Known(*(column[rows] for column in self))


class Sight:
    """Shows a network what is known of boards, as ``Evidence`` and ``FleetPlacements`` do."""

    def __init__(self, places: FleetPlacements, device: torch.device) -> None:
        self._size = places.rows, places.columns
        self._covers = torch.from_numpy(places.covers).to(device)
        self._fits = self._covers.any(dim=2)
        self._bits = torch.arange(len(places.lengths), device=device)

    def planes(self, known: Known) -> Tensor:
        """Return what the network sees, boards x planes x rows x columns."""
        boards, cells = known.seen.shape
        ships = len(self._bits)
        shape = boards, PLANES + 2 * ships, cells
        planes = torch.empty(shape, device=known.seen.device)
        planes[:, 0] = 1
        planes[:, 1] = known.seen == UNTRIED
        planes[:, 2] = (known.seen == MISSED) | (known.seen == CHOSEN)
        planes[:, 3] = known.seen == HIT
        planes[:, PLANES : PLANES + ships] = self._sank(known)
        planes[:, PLANES + ships :] = (known.left > 0)[:, :, None]
        found = planes.reshape(boards, -1, *self._size)
        return found.contiguous(memory_format=torch.channels_last)

    def penalties(self, known: Known) -> Tensor:
        """Return 0 for each place that the reports allow, else ``NEVER``: boards x ships x places.

        See ``FleetPlacements.possible``.
        """
        missed = (known.seen == MISSED) | (known.seen == CHOSEN)
        untried = self._counts((known.seen == UNTRIED).float()) > 0
        last = torch.einsum("bsc,spc->bsp", self._sank(known), self._covers) > 0
        afloat = (known.left > 0)[:, :, None]
        found = self._fits & (self._counts(missed.float()) == 0)
        found &= torch.where(afloat, untried, ~untried & last)
        return torch.where(found, 0.0, float(NEVER))

    def _sank(self, known: Known) -> Tensor:
        return (known.sank[:, None] >> self._bits[:, None] & 1).float()

    def _counts(self, cells: Tensor) -> Tensor:
        """Return how many of some cells each place covers, boards x ships x places."""
        return torch.einsum("bc,spc->bsp", cells, self._covers)


class Boards:
    """Boards in play.

    Args:
        places: The placements of the fleet.
        number: How many boards there are.
        salvos: How many of them, the last ones, take a salvo a turn.
        draw: What all layouts are drawn by, on the boards' device.

    Attributes:
        known: What is known of them.
        ships: Which ship lies on each cell, the longest 0, or as many as there are: none.
        places: Where each ship lies, ``FleetPlacements.numbers_of``, boards x ships.
        turns: How many turns each has taken.
    """

    def __init__(
        self, places: FleetPlacements, number: int, salvos: int, draw: torch.Generator
    ) -> None:
        device = draw.device
        self._covers = torch.from_numpy(places.covers).to(device)
        fits = self._covers.any(dim=2)
        self._numbers = [torch.nonzero(fit)[:, 0] for fit in fits]
        self._lengths = torch.tensor(places.lengths, device=device)
        fleet = len(places.lengths)
        self._shots = torch.ones(number, dtype=torch.long, device=device)
        self._shots[number - salvos :] = fleet
        self.known = Known(
            torch.zeros((number, places.cells), dtype=torch.uint8, device=device),
            torch.zeros((number, places.cells), dtype=torch.int32, device=device),
            self._lengths.repeat(number, 1),
        )
        self.ships, self.places = self._drawn(number, draw)
        self.turns = torch.zeros(number, dtype=torch.long, device=device)

    @property
    def alone(self) -> Tensor:
        """Return which boards take one shot a turn."""
        return self._shots == 1

    @property
    def teaches(self) -> Tensor:
        """Return of which boards what is known agrees with the layout."""
        there = self.ships < len(self._lengths)
        return ~((self.known.seen == CHOSEN) & there).any(dim=1)

    def state(self) -> dict[str, Tensor]:
        """Return all that changes, as tensors."""
        return {
            **self.known._asdict(),
            "ships": self.ships,
            "places": self.places,
            "turns": self.turns,
        }

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on from what ``state`` returned."""
        self.known = Known._make(state[name] for name in Known._fields)
        self.ships, self.places, self.turns = state["ships"], state["places"], state["turns"]

    def shoot(self, cells: Tensor, draw: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Shoot at an untried cell of each board.

        Returns:
            Whether each shot missed, which boards' fleets are sunk, and the turns that these took.
            Boards whose fleets are sunk have another layout already.
        """
        seen, sank, left = self.known
        seen.scatter_(1, cells[:, None], CHOSEN)
        missed = self.ships.gather(1, cells[:, None])[:, 0] == len(self._lengths)
        chosen = seen == CHOSEN
        full = (chosen.sum(dim=1) == self._shots) | ~(seen == UNTRIED).any(dim=1)
        chosen &= full[:, None]
        hit = chosen & (self.ships < len(self._lengths))
        sunk = torch.zeros(len(seen), dtype=torch.int32, device=seen.device)
        for ship in range(len(self._lengths)):
            struck = (hit & (self.ships == ship)).sum(dim=1)
            left[:, ship] -= struck
            sunk |= ((struck > 0) & (left[:, ship] == 0)).int() << ship
        seen.masked_fill_(chosen, MISSED).masked_fill_(hit, HIT)
        sank |= hit * sunk[:, None]
        self.turns += full
        over = ~(left > 0).any(dim=1)
        turns = self.turns[over]
        self._begin(torch.nonzero(over)[:, 0], draw)
        return missed, over, turns

    def _begin(self, boards: Tensor, draw: torch.Generator) -> None:
        if not len(boards):
            return
        self.known.seen[boards] = UNTRIED
        self.known.sank[boards] = 0
        self.known.left[boards] = self._lengths
        self.ships[boards], self.places[boards] = self._drawn(len(boards), draw)
        self.turns[boards] = 0

    def _drawn(self, number: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """Return layouts, all equally likely: the ship on each cell, and the place of each."""
        found: list[tuple[Tensor, Tensor]] = []
        while sum(len(places) for _, places in found) < number:
            many = ENOUGH * number + 64
            covered = torch.zeros((many, self._covers.shape[2]), device=draw.device)
            ships = torch.full(covered.shape, len(self._lengths), device=draw.device)
            places = []
            for ship, fits in enumerate(self._numbers):
                one = torch.randint(len(fits), (many,), generator=draw, device=draw.device)
                places.append(fits[one])
                cover = self._covers[ship, fits[one]]
                covered += cover
                ships[cover > 0] = ship
            legal = covered.amax(dim=1) <= 1
            found.append((ships[legal], torch.stack(places, dim=1)[legal]))
        cells, numbers = zip(*found, strict=True)
        return torch.cat(cells)[:number], torch.cat(numbers)[:number]
