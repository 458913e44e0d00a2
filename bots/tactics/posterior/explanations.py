"""Lists every way in which the ships that were hit can lie.

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

import numpy as np

from arena.rules import Ship
from bots.tactics.posterior.board_placements import Board, Bools, Floats, Indices
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanation_table import FREE, SETTLED, Table, table_of_no_hits

MAX_EXPLANATIONS = 20_000  # of more, a sample is kept, each with the weight of those it stands for


class ImpossibleEvidenceError(Exception):
    """No layout agrees with what was observed, or none was left in the sample."""


class Explanations:
    """The explanations that agree with all answers so far.

    Attributes:
        lengths: The length of each slot, longest first; ships of one length stand together.
        untried: Whether each cell has not been shot.
        is_open: Whether each placement of any length is over untried cells.
        exact: Whether every explanation is there, none of them sampled.
    """

    def __init__(
        self,
        board: Board,
        lengths: Sequence[int],
        random: np.random.Generator,
        limit: int = MAX_EXPLANATIONS,
        ahead: Sequence[Observation] = (),
    ) -> None:
        """Start from an opponent of whom nothing is known but the fleet.

        Of more explanations than ``limit`` a sample is kept. ``ahead`` is all that will be
        observed, where that is known beforehand: explanations that would be refuted in the end are
        then left out, and those that foresee hits are preferred in a sample.
        """
        self._hits: Bools = np.zeros(board.cells, bool)
        self._missed = self._hits.copy()
        for answer in ahead:
            self._hits[list(answer.hits)] = True
            self._missed[list(answer.cells)] = True
        self._missed &= ~self._hits
        self.board = board
        self.lengths = sorted(lengths, reverse=True)
        self.untried: Bools = np.ones(board.cells, bool)
        self.is_open = board.are_clear(np.flatnonzero(self._missed))
        self.exact = True
        self.salvos = 0
        self.limit = limit
        self._random = random
        self._afloat = Counter(self.lengths)
        self._slots: dict[str, int] = {}
        self._lengths = np.array(board.lengths)
        # 1 where a slot is of a length, (slots, lengths)
        self._slots_by_length = np.equal.outer(self.lengths, board.lengths).astype(np.intp)
        self._slots_of_length = self._slots_by_length.sum(axis=0)
        self._first_slots = self._slots_by_length.argmax(axis=0)
        self._table = table_of_no_hits(len(lengths), board)

    @property
    def places(self) -> Indices:
        """Return the placement in each slot, or FREE, (explanations, slots)."""
        return self._table.places

    @property
    def numbers(self) -> Indices:
        """Return the same by its number among the placements of all lengths, the last if free."""
        return self._table.numbers

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
        """Return the ways to assign ships to slots, times the explanations each stands for."""
        return self._table.weights

    def observe(self, observation: Observation) -> None:
        """Keep and extend what agrees with the answer to one more salvo.

        Raises:
            ImpossibleEvidenceError: If nothing agrees.
        """
        self._hits[list(observation.hits)] = True
        misses = [cell for cell in observation.cells if cell not in observation.hits]
        if misses:
            self._close(misses)
            self._keep(np.logical_not(self.covered[:, misses].any(axis=1)))
        # Without a hit no ship can sink, and all that could have sunk before did so.
        if observation.hits or observation.sunk:
            self._keep_sinking(observation.sunk, observation.hits)
        ships = observation.ships or [None] * len(observation.hits)
        for done, (cell, ship) in enumerate(zip(observation.hits, ships, strict=True), start=1):
            self._thin()
            if ship is None:
                self._hit(cell)
            else:
                self._hit_ship(cell, ship)
            self._keep_sinking(observation.sunk, observation.hits[done:])
        self._sink(observation)
        self._thin()
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

    def hit_is_open(self) -> bool:
        """Return whether a ship afloat was hit, in any explanation."""
        return bool((self._table.unhit != SETTLED).any())

    def _keep(self, kept: Bools) -> None:
        if not kept.all():
            self._table = self._table.take(np.flatnonzero(kept))

    def _close(self, cells: Sequence[int]) -> None:
        for cell in cells:
            self.untried[cell] = False
            self.is_open[self.board.all_through[cell]] = False

    def _keep_sinking(self, sunk: Sequence[int] | int | None, left: Sequence[int]) -> None:
        """Keep the explanations that may still sink what this salvo sank, by the hits left of it.

        A ship that is placed is sunk if those hits are all it lacks. Any other that sank was not
        hit before, so it lies wholly on hits that no placed ship explains. Once no hit is left,
        what is kept sinks exactly what was reported.
        """
        if sunk is None:
            return
        explained = self._table.count_explained(left, self.board)
        sinking = self._table.unhit == explained
        if not sunk:
            # All that hits can do is to sink a ship: this says as much as the rest, with less work.
            self._keep(np.logical_not(sinking.any(axis=1)))
            return
        room = len(left) - explained.sum(axis=1)
        if isinstance(sunk, int):
            missing = sunk - sinking.sum(axis=1)
            self._keep((missing >= 0) & (missing * min(self.lengths) <= room))
            return
        wanted = np.array([sunk.count(length) for length in self.board.lengths])
        missing = wanted - sinking @ self._slots_by_length
        room -= missing @ self._lengths
        self._keep((missing >= 0).all(axis=1) & (room >= 0))

    def _hit(self, cell: int) -> None:
        """Explain a hit: by a ship that is placed there already, or by a free one."""
        explained = self.covered[:, cell]
        covering = self._table.take(np.flatnonzero(explained))
        covering.unhit[:] -= covering.count_explained([cell], self.board)
        others = np.flatnonzero(np.logical_not(explained))
        if len(others):
            extended = self._extend(others, self.board.all_through[cell])
            columns = zip(covering, extended, strict=True)
            self._table = Table._make(np.concatenate(both) for both in columns)
        else:
            self._table = covering
        self._close([cell])

    def _hit_ship(self, cell: int, ship: Ship) -> None:
        """Explain a hit on a ship that was named: it was hit before, or it was free."""
        slot = self._slots.get(ship.name)
        if slot is not None:
            self._close([cell])
            over = self.board.covers[ship.length][self.places[:, slot], cell]
            self._keep(over)
            self._table.unhit[:, slot] -= 1
            return
        hit_before = [slot for slot in self._slots.values() if self.lengths[slot] == ship.length]
        self._slots[ship.name] = self.lengths.index(ship.length) + len(hit_before)
        others = np.flatnonzero(~self.covered[:, cell])
        numbers = self.board.numbers[ship.length]
        extended = self._extend(others, numbers.start + self.board.through[ship.length][cell])
        self._close([cell])
        # Which of the ships of this length it is, its name says.
        extended.weights[:] /= self.lengths.count(ship.length) - len(hit_before)
        self._table = extended

    def _slots_of(self, length: int) -> slice:
        start = self.lengths.index(length)
        return slice(start, start + self.lengths.count(length))

    def _extend(self, rows: Indices, through: Indices) -> Table:
        """Return ``rows`` with a free ship at each of some placements, in every way.

        The placements are given by their numbers, in ascending order. The ways come length by
        length, and of each length row by row.
        """
        board = self.board
        through = through[self.is_open.take(through)]
        kinds = board.kinds.take(through)
        numbers = self.numbers.take(rows, axis=0)
        placed = (numbers != len(board.kinds)) @ self._slots_by_length
        fitting = (placed < self._slots_of_length).T.take(kinds, axis=0)
        fits = board.fits_or_free.take(through, axis=0)
        for slot in self.in_the_way(rows):
            fitting &= fits.take(numbers[:, slot], axis=1)
        row, which = np.nonzero(fitting.T)
        order = kinds.take(which).argsort(kind="stable")
        row, which = row.take(order), which.take(order)
        number, kind = through.take(which), kinds.take(which)
        taken = placed[row, kind]
        extended = self._table.take(rows[row])
        every, slot = np.arange(len(row)), self._first_slots.take(kind) + taken
        extended.places[every, slot] = number - board.starts.take(kind)
        extended.numbers[every, slot] = number
        extended.unhit[every, slot] = self._lengths.take(kind) - 1
        extended.covered[:] |= board.all_covers.take(number, axis=0)
        extended.weights[:] *= self._slots_of_length.take(kind) - taken
        return extended

    def in_the_way(self, rows: Indices) -> list[int]:
        """Return the slots whose ships must be looked at to place another, in some explanations.

        A ship that is sunk lies on cells that were shot, and ships that were not hit do not.
        """
        if self.board.touching == "allowed":
            placed = self._table.unhit.take(rows, axis=0) != SETTLED
        else:
            placed = self.places.take(rows, axis=0) != FREE
        found: list[int] = np.flatnonzero(placed.any(axis=0)).tolist()
        return found

    def _sink(self, observation: Observation) -> None:
        """Note what this salvo sank: which explanations agree was decided before."""
        sunk = observation.sunk
        if observation.hits:
            newly = self._table.unhit == 0
            self.sunk_at[newly] = self.salvos
            self._table.unhit[newly] = SETTLED
        if isinstance(sunk, tuple) and sunk:
            named = Counter(sunk)
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
            slots = self._slots_of(length)
            (place,) = np.flatnonzero(self.board.covers[length][:, list(cells)].all(axis=1))
            there = (self.places[:, slots] == place) & (self.sunk_at[:, slots] == self.salvos)
            self._keep(there.any(axis=1))

    def _thin(self) -> None:
        if len(self.weights) > self.limit:
            self.exact = False
            self._table = self._table.draw(self.limit // 2, self._hits, self._random)
