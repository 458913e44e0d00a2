"""Every way in which the ships that were hit can lie.

An explanation gives each ship that was hit a placement, such that together they cover every hit and
no miss. The other ships are free: they lie where nothing was shot. Each shot extends or refutes
explanations, and the order of the shots matters: the cell that sank a ship is its last hit.

Ships of one length that names do not distinguish are interchangeable. An explanation fills their
slots in the order in which they were first hit, and its weight is the number of ways to assign the
ships to the slots. Where hits name the ship there is one way, and its slot is known.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.rules import Ship
from bots.tactics.posterior.board import Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.evidence import Evidence, Observation

__all__ = ["FREE", "MAX_EXPLANATIONS", "Explanations", "ImpossibleEvidenceError"]

FREE = -1
"""Stands for the placement of a ship that was not hit, and for the sinking of a ship afloat."""

MAX_EXPLANATIONS = 20_000
"""Of more, a sample is kept, each with the weight of those it stands for."""

FORESEEN = 8.0
"""How many times likelier an explanation is kept for each hit that it foresees, if they are known.

Each counts that much less for it, so that the sample stays without bias.
"""


class ImpossibleEvidenceError(Exception):
    """No layout agrees with what was observed, or none was left in the sample."""


class _Table(NamedTuple):
    """Some explanations, one in each row of every column; see ``Explanations``.

    Attributes:
        places: The placement in each slot, or FREE, (rows, slots).
        sunk_at: The number of the salvo that sank the ship in each slot, or FREE, (rows, slots).
        unhit: How many cells of the ship in each slot were not hit yet, (rows, slots).
        covered: Whether the ships placed cover a cell, (rows, cells).
        weights: What each counts, (rows,).
    """

    places: Indices
    sunk_at: Indices
    unhit: Indices
    covered: Bools
    weights: Floats

    def take(self, rows: Indices) -> "_Table":
        """Return a copy of some rows."""
        return _Table(
            self.places[rows],
            self.sunk_at[rows],
            self.unhit[rows],
            self.covered[rows],
            self.weights[rows],
        )


class Explanations:
    """The explanations that agree with all answers so far.

    Attributes:
        board: The placements.
        lengths: The length of each slot, longest first; ships of one length stand together.
        untried: Whether each cell has not been shot.
        named: Whether every sinking was reported by name.
        exact: Whether every explanation is there, none of them sampled.
        salvos: How many salvos were observed.
        limit: How many explanations are kept at most.
    """

    def __init__(
        self,
        board: Board,
        lengths: Sequence[int],
        random: np.random.Generator,
        limit: int = MAX_EXPLANATIONS,
        ahead: Evidence = (),
    ) -> None:
        """Start from an opponent of whom nothing is known but the fleet.

        Args:
            board: The placements.
            lengths: The lengths of the fleet.
            random: Draws which explanations are kept, where there are too many.
            limit: How many are kept at most.
            ahead: All that will be observed, where that is known beforehand: explanations that
                would be refuted in the end are then left out.
        """
        self._hits: Bools = np.zeros(board.cells, bool)
        self._missed = self._hits.copy()
        for told in ahead:
            self._hits[list(told.hits)] = True
            self._missed[list(told.cells)] = True
        self._missed &= ~self._hits
        self.board = board
        self.lengths = sorted(lengths, reverse=True)
        self.untried: Bools = np.ones(board.cells, bool)
        self.exact = self.named = True
        self.salvos = 0
        self.limit = limit
        self._random = random
        self._afloat = Counter(self.lengths)
        self._slots: dict[str, int] = {}
        free = np.full((1, len(lengths)), FREE, np.int16)
        self._table = _Table(
            places=free,
            sunk_at=free.copy(),
            unhit=np.zeros_like(free),
            covered=np.zeros((1, board.cells), bool),
            weights=np.ones(1),
        )

    @property
    def places(self) -> Indices:
        """Return the placement in each slot, or FREE, (explanations, slots)."""
        return self._table.places

    @property
    def sunk_at(self) -> Indices:
        """Return the number of the salvo that sank the ship in each slot, or FREE."""
        return self._table.sunk_at

    @property
    def covered(self) -> Bools:
        """Return whether the ships placed cover a cell, (explanations, cells)."""
        return self._table.covered

    @property
    def weights(self) -> Floats:
        """Return what each explanation counts, (explanations,).

        That is the number of ways to assign ships of one length to their slots, times the number
        of explanations that a sampled one stands for.
        """
        return self._table.weights

    def observe(self, observation: Observation) -> None:
        """Keep and extend what agrees with the answer to one more salvo.

        Raises:
            ImpossibleEvidenceError: If nothing agrees.
        """
        misses = [cell for cell in observation.cells if cell not in observation.hits]
        self.untried[misses] = False
        if misses:
            self._keep(np.flatnonzero(~self.covered[:, misses].any(axis=1)))
        if observation.ships is None:
            for cell in observation.hits:
                self._hit(cell)
        else:
            for cell, ship in zip(observation.hits, observation.ships, strict=True):
                self._hit_ship(cell, ship)
        self._sink(observation)
        self.salvos += 1
        if not len(self.weights):
            raise ImpossibleEvidenceError("no layout agrees with what was observed")

    def sunk_cells(self) -> Bools:
        """Return the cells that ships which were sunk cover in every explanation."""
        sunk = np.zeros_like(self.covered)
        for slot, length in enumerate(self.lengths):
            rows = np.flatnonzero(self.sunk_at[:, slot] != FREE)
            sunk[rows] |= self.board.covers[length][self.places[rows, slot]]
        return np.asarray(sunk.all(axis=0), bool)

    def _keep(self, rows: Indices) -> None:
        if len(rows) < len(self.weights):
            self._table = self._table.take(rows)

    def _hit(self, cell: int) -> None:
        """Explain a hit: by a ship that is placed there already, or by a free one."""
        self.untried[cell] = False
        explained = self._table.take(np.flatnonzero(self.covered[:, cell]))
        explained.unhit[:] -= self._covers(explained.places, cell)
        parts = [explained]
        others = np.flatnonzero(~self.covered[:, cell])
        if len(others):
            extended = (self._extend(others, length, cell) for length in self.board.lengths)
            parts += [part for part in extended if part is not None]
        self._table = _Table(*map(np.concatenate, zip(*parts, strict=True)))
        if len(self.weights) > self.limit:
            self._thin(self.limit // 2)

    def _hit_ship(self, cell: int, ship: Ship) -> None:
        """Explain a hit on a ship that was named: it was hit before, or it was free."""
        self.untried[cell] = False
        slot = self._slots.get(ship.name)
        if slot is not None:
            over = self.board.covers[ship.length][self.places[:, slot], cell]
            self._keep(np.flatnonzero(over))
            self._table.unhit[:, slot] -= 1
            return
        hit_before = [slot for slot in self._slots.values() if self.lengths[slot] == ship.length]
        self._slots[ship.name] = self.lengths.index(ship.length) + len(hit_before)
        others = np.flatnonzero(~self.covered[:, cell])
        extended = self._extend(others, ship.length, cell) if len(others) else None
        if extended is None:
            self._keep(np.zeros(0, np.intp))
            return
        # Which of the ships of this length it is, its name says.
        extended.weights[:] /= self.lengths.count(ship.length) - len(hit_before)
        self._table = extended
        if len(self.weights) > self.limit:
            self._thin(self.limit // 2)

    def _covers(self, places: Indices, cell: int) -> Bools:
        """Return whether the ship in each slot covers a cell, (explanations, slots)."""
        columns = [
            self.board.covers[length][places[:, slot], cell] & (places[:, slot] != FREE)
            for slot, length in enumerate(self.lengths)
        ]
        return np.stack(columns, axis=1)

    def _extend(self, rows: Indices, length: int, cell: int) -> _Table | None:
        """Return ``rows`` with a free ship of ``length`` placed over ``cell``, in every way."""
        slots = [slot for slot, one in enumerate(self.lengths) if one == length]
        placed = (self.places[rows][:, slots] != FREE).sum(axis=1)
        rows, placed = rows[placed < len(slots)], placed[placed < len(slots)]
        through = self.board.through[length][cell]
        shot = ~self.untried | self._missed
        shot[cell] = False
        through = through[~(self.board.covers[length][through] & shot).any(axis=1)]
        if not len(rows) or not len(through):
            return None
        free = self.fitting(rows, length)[:, through] > 0
        row, place = np.nonzero(free)
        extended = self._table.take(rows[row])
        slot = slots[0] + placed[row]
        every = np.arange(len(row))
        extended.places[every, slot] = through[place]
        extended.unhit[every, slot] = length - 1
        extended.covered[:] |= self.board.covers[length][through[place]]
        extended.weights[:] *= len(slots) - placed[row]
        return extended

    def fitting(self, rows: Indices, length: int) -> Counts:
        """Return 1.0 where a placement of ``length`` fits beside an explanation's ships.

        The shape is (rows, placements).
        """
        fitting = np.ones((len(rows), len(self.board.covers[length])), np.float32)
        for slot, other in enumerate(self.lengths):
            if self.out_of_the_way(slot, rows):
                continue
            place = self.places[rows, slot]
            if (placed := place != FREE).all():
                fitting *= self.board.fits[other, length].take(place, axis=0)
            elif placed.any():
                fitting[placed] *= self.board.fits[other, length].take(place[placed], axis=0)
        return fitting

    def out_of_the_way(self, slot: int, rows: Indices) -> bool:
        """Return whether the ship in a slot is sunk in all of some explanations.

        It lies on cells that were shot then, and ships that were not hit do not.
        """
        sunk = self.sunk_at[rows, slot] != FREE
        return self.board.touching == "allowed" and bool(sunk.all())

    def _sink(self, observation: Observation) -> None:
        """Keep the explanations in which this salvo sinks exactly the ships that were reported."""
        sunk = observation.sunk
        newly = (self.places != FREE) & (self._table.unhit == 0) & (self.sunk_at == FREE)
        self.sunk_at[newly] = self.salvos
        self.named &= isinstance(sunk, tuple)
        if isinstance(sunk, int):
            self._keep(np.flatnonzero(newly.sum(axis=1) == sunk))
        elif sunk is not None:
            named = Counter(sunk)
            agrees = np.ones(len(newly), bool)
            for length in self.board.lengths:
                slots = [slot for slot, one in enumerate(self.lengths) if one == length]
                agrees &= newly[:, slots].sum(axis=1) == named[length]
            self._keep(np.flatnonzero(agrees))
            # A name says which of the ships of its length it was, unless that was known; with its
            # cells, also which of those that this salvo sank.
            ways = math.perm if observation.wrecks else math.comb
            for length, number in named.items() if observation.ships is None else ():
                self.weights[:] /= ways(self._afloat[length], number)
            self._afloat -= named
            self._keep_wrecks(observation.wrecks)

    def _keep_wrecks(self, wrecks: Sequence[tuple[int, ...]]) -> None:
        """Keep the explanations in which this salvo sank a ship on exactly each set of cells."""
        for cells in wrecks:
            length = len(cells)
            slots = [slot for slot, one in enumerate(self.lengths) if one == length]
            (place,) = np.flatnonzero(self.board.covers[length][:, list(cells)].all(axis=1))
            there = (self.places[:, slots] == place) & (self.sunk_at[:, slots] == self.salvos)
            self._keep(np.flatnonzero(there.any(axis=1)))

    def _thin(self, number: int) -> None:
        """Keep ``number`` explanations, drawn by weight and by the hits that they foresee."""
        self.exact = False
        foreseen = (self.covered & self._hits).sum(axis=1)
        likely = FORESEEN ** (foreseen - foreseen.max())
        bounds = np.cumsum(self.weights * likely)
        points = (np.arange(number) + self._random.random()) * (bounds[-1] / number)
        rows = np.minimum(np.searchsorted(bounds, points, side="right"), len(bounds) - 1)
        drawn, times = np.unique(rows, return_counts=True)
        self._keep(drawn)
        self.weights[:] = times * (bounds[-1] / number) / likely[drawn]
