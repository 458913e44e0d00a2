"""Samples layouts where ships that were not hit may move.

For each placement it follows how likely a ship that was not hit lies there, given the misses so far
and that any such ship may move by one cell a turn, as if each ship were alone. A ship that was hit
stays where it is: so for each open hit it keeps what was likely when it was hit, less what was
missed since. From these, layouts of the moment are built: hit by hit a ship that lies there, then
the ships that were not hit, all clear of each other.
"""

from collections.abc import Sequence

import numpy as np

from arena.rules import Report, RulesView, barred, cells_of
from bots.tactics.posterior.board_placements import Bools, Floats, Indices
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.particles import Options, Particles, clear_of, words
from bots.tactics.posterior.sampled import Sample, SampledBelief

MOVES = 0.5  # how likely some ship moves after a turn: what the arena does in a solo game
WAITING = 0.2  # what a hit on a ship that was hit before is worth, as long as others may flee

FEW_MOVING = 0.8
"""With fewer ships expected not to be hit, all hits are worth the same.

Both were tuned on 50 layouts: 53.2 turns, against 57.1 with 0 and 0.3.
"""

WAITING_AGAIN = 0.5
"""The same as ``WAITING`` in a game for two in which a hit gives another shot.

Of 0.2, 0.5 and 1, the best against a fleet that only moves: 23.9 turns in 120 games, against 25.5
and 27.5.
"""

SURE = 0.05  # keeps cells that are sure to hit from being worth infinitely much

PARTICLES = 300
EXPLAINED = 8.0  # what an open hit that is explained counts: as in ``reported``


class MovingBelief(SampledBelief):
    """Follows a game in which ships that were not hit may move.

    The fleet is known, and each cell is reported truly. Alone, a ship may move after every salvo.
    """

    joint = False

    def __init__(self, rules: RulesView, random: np.random.Generator, *, solo: bool) -> None:
        super().__init__(rules, random, PARTICLES)
        self._solo = solo
        self._left = np.array([self._lengths.count(length) for length in self._board.lengths])
        self._steps = steps(self._all.covers, self._all.kinds, rules)
        self._unhit = np.ones(len(self._all.kinds))
        self._hits: dict[int, Floats] = {}
        self._undamaged = float(len(self._lengths))
        self._moving = np.zeros(rules.cells)

    def worth(self) -> Floats:
        """Return what one shot at each cell is worth.

        What is known of a ship that moves is soon out of date; one that was hit waits. So as long
        as some ship was not hit, a hit on such a one is worth more. Where a hit gives another shot,
        only misses cost turns: there it is what is expected to be hit for each miss.
        """
        try:
            drawn = self.draws()
        except ImpossibleEvidenceError:
            return self.density()
        free = self._rules.again and not self._solo
        waiting = 1.0
        if self._undamaged > FEW_MOVING:
            waiting = WAITING_AGAIN if free else WAITING
        worth = self._moving + waiting * (drawn.cells - self._moving)
        return worth / (1 + SURE - drawn.cells) if free else worth

    def open_cells(self, untried: Sequence[int], count: int) -> Sequence[int]:
        """Return all cells but the open hits, shot before or not; if these are too few, all."""
        del untried
        every = range(self._board.cells)
        cells = [cell for cell in every if cell not in self._hits]
        return cells if len(cells) >= count else every

    def density(self) -> Floats:
        """Return how likely ships that were hit or not lie on each cell, as if each were alone."""
        fields = sum(self._hits.values(), self._unhit)
        return np.asarray(fields @ self._all.covers, float)

    def _observe(self, cells: tuple[int, ...], report: Report) -> None:
        observation = observation_of(cells, report, self._by_name)
        covers = self._all.covers
        for cell in cells:
            over = covers[:, cell]
            if cell in self._hits:
                continue
            if cell in observation.hits:
                self._hits[cell] = np.where(over, self._unhit, 0.0)
            else:
                for there in self._hits.values():
                    there[over] = 0
            self._unhit[over] = 0
        sunk = observation.sunk
        if isinstance(sunk, tuple):
            for length in sunk:
                self._sink(cells, self._board.lengths.index(length))
        else:
            for _ in range(sunk or 0):
                self._sink(cells, None)
        self._unhit[self._reach(sum(1 << cell for cell in self._hits))] = 0
        if self._solo or not (self._rules.again and observation.hits):
            self._move()

    def _sink(self, salvo: tuple[int, ...], kind: int | None) -> None:
        """Take the likeliest ship off the board of those that a salvo may have sunk."""
        covers, kinds = self._all.covers, self._all.kinds
        shot = self._open_hits()
        there = self._lonely(shot) & (covers <= shot).all(axis=1)
        there &= covers[:, list(salvo)].any(axis=1)
        there &= self._left[kinds] > 0 if kind is None else kinds == kind
        if not there.any():
            return
        weight = np.zeros(len(kinds))
        for field in self._hits.values():
            weight = np.maximum(weight, field)
        place = int(np.argmax(np.where(there, weight + 1e-9, 0)))
        self._left[kinds[place]] -= 1
        cells = np.flatnonzero(covers[place]).tolist()
        for cell in cells:
            self._hits.pop(cell, None)
        reach = self._reach(sum(1 << cell for cell in cells))
        for field in (self._unhit, *self._hits.values()):
            field[reach] = 0

    def _open_hits(self) -> Bools:
        shot = np.zeros(self._board.cells, bool)
        shot[list(self._hits)] = True
        return shot

    def _reach(self, mask: int) -> Bools:
        """Return which placements may not hold a ship beside one that covers some cells."""
        rules = self._rules
        closed = cells_of(barred(rules.rows, rules.columns, mask, rules.touching))
        return np.asarray(self._all.covers[:, closed].any(axis=1), bool)

    def _lonely(self, hit: Bools) -> Bools:
        """Return which placements deny no cell that is an open hit to the ship that was hit."""
        near = clear_of(words(hit[None]), self._all.reach_words & ~self._all.cover_words)
        return np.asarray(near[0], bool)

    def _move(self) -> None:
        field, steps = self._unhit, self._steps
        closed = self._reach(sum(1 << cell for cell in self._hits))
        can_go = (steps >= 0) & ~closed[steps]
        ways = can_go.sum(axis=1)
        total = field.sum()
        if total <= 0:
            return
        others = max(self._undamaged - 1, 0.0) * float(field @ ways) / total
        going = field * MOVES / np.maximum(ways + others, 1.0)
        moved = field - going * ways
        for direction in range(steps.shape[1]):
            can = can_go[:, direction]
            np.add.at(moved, steps[can, direction], going[can])
        self._unhit = np.maximum(moved, 0.0)

    def _draw(self, number: int) -> Sample:
        covers, kinds = self._all.covers, self._all.kinds
        shot = self._open_hits()
        hits = covers @ shot.astype(np.intp)
        number_of = np.bincount(kinds)
        room = np.maximum(np.bincount(kinds, self._unhit, len(self._left)) / number_of, 1e-12)
        afloat = (hits < covers.sum(axis=1)) | (self._rules.sinkings == "silent")
        afloat &= self._lonely(shot)
        nothing = np.zeros(len(kinds), np.intp)
        particles = Particles(self._all, self._left, number, self.random)

        def options(field: Floats) -> Options:
            weights = field / number_of[kinds] * EXPLAINED**hits
            places = np.flatnonzero(weights > 0)
            return Options(places, weights[places], nothing[places])

        for cell, field in self._hits.items():
            rows = np.flatnonzero(~particles.holding(cell))
            if len(rows):
                particles.place(rows, options(field * afloat))
                particles.expect(self._prospects(particles, room, shot))
        particles.expect(self._prospects(particles, room, np.zeros_like(shot)))
        self._undamaged = float(particles.weights @ particles.left.sum(axis=1)) / number
        particles.mark()
        in_turn = self._rules.layouts == "sequential"
        for kind in range(len(self._left)):
            places = np.flatnonzero(kinds == kind)
            weights = self._unhit[places] / room[kind] / len(places)
            free = Options(places, weights, nothing[places])
            for _ in range(int(particles.left[:, kind].max())):
                rows = np.flatnonzero(particles.left[:, kind] > 0)
                if len(rows):
                    particles.place(rows, free, any_of_kind=False, in_turn=in_turn)
        layouts = particles.layouts(self._board.cells) & ~shot
        unhit = particles.since_mark(self._board.cells)
        self._moving = np.asarray(particles.weights @ unhit / particles.weights.sum(), float)
        return Sample(layouts, particles.weights, layouts)

    def _prospects(self, particles: Particles, room: Floats, hit: Bools) -> Floats:
        """Return what the ships that are left are likely to count.

        Each is one of those that the remaining hits are on, or it was not hit, and counts the room
        that is left to such a ship.
        """
        remaining = (~particles.layouts(self._board.cells)[:, hit]).sum(axis=1)
        ships = np.maximum(particles.left.sum(axis=1), 1)
        damaged = np.minimum(remaining / ships, 1.0)[:, None]
        return np.asarray(((damaged + (1 - damaged) * room) ** particles.left).prod(axis=1), float)


def steps(covers: Bools, kinds: Indices, rules: RulesView) -> Indices:
    """Return where a ship may move from each placement: numbers of placements, -1 for none."""
    number = {
        (int(kind), tuple(np.flatnonzero(cells).tolist())): place
        for place, (kind, cells) in enumerate(zip(kinds, covers, strict=True))
    }
    columns = rules.columns
    found = np.full((len(kinds), 4), -1)
    for (kind, cells), place in number.items():
        for direction, (down, right) in enumerate(((0, 1), (0, -1), (1, 0), (-1, 0))):
            after = tuple(cell + down * columns + right for cell in cells)
            along = len(cells) == 1 or after[:-1] == cells[1:] or after[1:] == cells[:-1]
            # Two cells whose numbers differ by one may be in different rows.
            in_row = down or after[0] // columns == cells[0] // columns
            if along and in_row and (kind, after) in number:
                found[place, direction] = number[kind, after]
    return found
