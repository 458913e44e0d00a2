"""Samples layouts where cells are reported, perhaps falsely, or the fleet is unknown.

A layout is built so that it agrees with what was reported: first the ships that were sunk, each on
cells of which the last was shot when it sank; then, hit by hit, a ship that lies there or, where
lies are allowed, the verdict that the report was a lie; then the ships that were not hit, where
each cell that was reported as a miss makes one more lie. As no two ships share a cell, each layout
is built in one way.

If the fleet is unknown, there are as many ships of each length as a Poisson distribution says, on
any of their placements, given that none overlap. Those that were not hit are then not drawn but
counted: each placement that is left holds a ship with its probability, as if it were alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from arena.rules import Report, RulesView
from bots.tactics.placement_counts import HIT_WEIGHT
from bots.tactics.posterior.board_placements import Bools, Floats, Indices
from bots.tactics.posterior.evidence import Observation, observation_of
from bots.tactics.posterior.particles import Options, Particles, clear_of, unpacked
from bots.tactics.posterior.sampled import AFLOAT, Sample, SampledBelief

LIE_PROBABILITY = 0.1  # that the arena lies about a cell in a solo game, as long as lies are left
ODDS = LIE_PROBABILITY / (1 - LIE_PROBABILITY)  # of one particular lie, against the truth
HONEST = 0.5  # how likely an opponent never lies at all; otherwise it lies as the arena does

SHIPS_EXPECTED = {1: 4 / 3, 2: 8 / 3, 3: 7 / 3, 4: 4 / 3, 5: 2 / 3, 6: 1 / 10}
"""How many ships of each length an unknown fleet has on average.

Up to 5, the mean of three fleets that are often played: 5 4 3 3 2, the Russian one of 4 3 3 2 2 2
1 1 1 1, and that of the AFP wiki, 5 4 4 3 3 3 2 2 2 2. Longer runs of hits are explained by several
ships in a line.
"""

PARTICLES = 1_000  # how many layouts are drawn where the fleet is known
EXPLANATIONS = 400  # how many ways to explain the hits are drawn where it is not

EXPLAINED = 8.0
"""What a hit that is explained counts.

Each is in the end, so that no layout gains by it; but a ship that explains several hits at once is
drawn more often, as it should be.
"""

MANY = 1_000  # more ships of a length than fit on a board


class Moment(NamedTuple):
    """The reports so far, placement by placement."""

    lies: Indices  # how many reports are lies if a ship lies there
    sunk_at: Indices  # the salvo that shot the last cell, AFLOAT if one was not shot
    possible: Bools  # whether there may be so many lies
    unhit: Bools  # whether a ship may lie there that was not hit
    weights: Floats  # what a ship that lies there counts

    def options(self, chosen: Bools) -> Options:
        """Return the chosen placements with what they count."""
        places = np.flatnonzero(chosen)
        return Options(places, self.weights[places], self.lies[places])


class ReportedBelief(SampledBelief):
    """Follows a game in which cells are reported, perhaps falsely, and ships stay.

    Alone, the arena answers, which always lies at its rate.
    """

    def __init__(self, rules: RulesView, random: np.random.Generator, *, solo: bool) -> None:
        fleet = rules.opponent_fleet
        particles = EXPLANATIONS if fleet is None else PARTICLES
        longest = max(rules.rows, rules.columns)
        expected_lengths = [length for length in SHIPS_EXPECTED if length <= longest]
        super().__init__(rules, random, particles, expected_lengths)
        self._known = self.joint = fleet is not None
        self._prior = np.ones(len(self._all.kinds))
        self._fleet = np.array([self._lengths.count(length) for length in self._board.lengths])
        if not self._known:
            expected = np.array([SHIPS_EXPECTED[length] for length in self._board.lengths])
            self._prior = (expected / np.bincount(self._all.kinds))[self._all.kinds]
            self._fleet[:] = MANY
        self._silent = rules.sinkings == "silent"
        self._budget, self._honest = rules.lies, 0.0 if solo else HONEST
        self._shot_at = np.full(rules.cells, AFLOAT)
        self._hit = np.zeros(rules.cells, bool)
        self._salvos: list[Observation] = []

    def density(self) -> Floats:
        """Return how many placements of any length are over each cell and over no miss."""
        missed = (self._shot_at < AFLOAT) & ~self._hit
        free = ~(self._all.covers & missed).any(axis=1)
        hits = self._all.covers[free] @ self._hit.astype(np.intp)
        return np.asarray(float(HIT_WEIGHT) ** hits @ self._all.covers[free], float)

    def _observe(self, cells: tuple[int, ...], report: Report) -> None:
        observation = observation_of(cells, report, self._by_name)
        fresh = [cell for cell in cells if self._shot_at[cell] == AFLOAT]
        self._shot_at[fresh] = len(self._salvos)
        self._hit[[cell for cell in observation.hits if cell in fresh]] = True
        self._salvos.append(observation)

    def _draw(self, number: int) -> Sample:
        moment = self._moment()
        particles = Particles(self._all, self._fleet, number, self.random, self._budget)
        self._place_sunk(particles, moment)
        self._explain_hits(particles, moment)
        if not self._known:
            return self._counted(particles, moment.options(moment.unhit))
        for kind in range(len(self._fleet)):
            free = moment.options(moment.unhit & (self._all.kinds == kind))
            for _ in range(int(particles.left[:, kind].max())):
                rows = np.flatnonzero(particles.left[:, kind] > 0)
                if len(rows):
                    particles.place(rows, free, any_of_kind=False)
        layouts = particles.layouts(self._board.cells)
        return Sample(layouts, particles.weights * self._bias(layouts), layouts)

    def _moment(self) -> Moment:
        covers, kinds = self._all.covers, self._all.kinds
        missed = (self._shot_at < AFLOAT) & ~self._hit
        lies = np.asarray(covers @ missed.astype(np.intp), np.intp)
        hits = np.asarray(covers @ self._hit.astype(np.intp), np.intp)
        sunk_at = np.where(covers, self._shot_at, -1).max(axis=1)
        possible = lies <= self._budget
        unhit = possible & (hits == 0) & (sunk_at == AFLOAT)
        weights = self._prior * ODDS**lies * EXPLAINED**hits
        if self._known:
            # What a ship counts over all placements that are left to one not hit: sums near 1.
            room = np.bincount(kinds, np.where(unhit, weights, 0.0), len(self._fleet))
            weights /= np.maximum(room, 1e-9)[kinds]
        return Moment(lies, sunk_at, possible, unhit, weights)

    def _place_sunk(self, particles: Particles, moment: Moment) -> None:
        """Place the ships that were sunk; the salvo that sank one does not lie about it."""
        every = np.arange(len(particles.weights))
        for salvo, kind, wreck in self._sinkings():
            true = self._hit | (self._shot_at != salvo)
            there = moment.possible & (moment.sunk_at == salvo)
            there &= (self._all.covers <= true).all(axis=1)
            if kind is not None:
                there &= self._all.kinds == kind
            if wreck:
                there &= self._all.covers[:, list(wreck)].all(axis=1)
            particles.place(every, moment.options(there), any_of_kind=self._known)

    def _explain_hits(self, particles: Particles, moment: Moment) -> None:
        """Decide, hit by hit, which ship lies there, or that the report was a lie."""
        covers = self._all.covers
        there = moment.possible
        if not self._silent:
            there = there & (moment.sunk_at == AFLOAT)
        hits = np.flatnonzero(self._hit)
        for cell in hits[np.argsort(self._shot_at[hits], kind="stable")].tolist():
            rows = np.flatnonzero(~particles.holding(cell))
            if len(rows):
                over = moment.options(there & covers[:, cell])
                particles.place(rows, over, skip=ODDS * EXPLAINED, any_of_kind=self._known)
            there = there & ~covers[:, cell]

    def _counted(self, particles: Particles, free: Options) -> Sample:
        """Return the explanations of the hits; other ships lie on the free placements.

        There are ``weights`` ships expected on each that is clear of the ships that were hit.
        """
        # Particles that explain the hits alike are judged once.
        _, first, which = np.unique(
            particles.covered, axis=0, return_index=True, return_inverse=True
        )
        layouts = unpacked(particles.covered[first], self._board.cells)
        clear = clear_of(particles.closed[first], self._all.cover_words[free.places])
        expected = clear * free.weights
        over, total = expected @ self._all.covers[free.places], expected.sum(axis=1)
        # Where every ship that was hit is sunk, there is another, or the game would be over.
        unsunk = (layouts & (self._shot_at == AFLOAT)).any(axis=1)
        going_on = np.where(unsunk, 1.0, -np.expm1(-total))
        chances = -np.expm1(-over) / np.maximum(going_on, 1e-12)[:, None]
        weights = np.exp(total) * going_on
        which = which.ravel()
        chances = np.where(layouts, 1.0, chances)
        return Sample(layouts[which], (particles.weights * weights[which]), chances[which])

    def _sinkings(self) -> Iterator[tuple[int, int | None, tuple[int, ...]]]:
        """Yield of each sinking the salvo, the ship's kind or None, and its cells as reported."""
        for salvo, (_, _, sunk, _, wrecks) in enumerate(self._salvos):
            if isinstance(sunk, tuple):
                for length, cells in zip(sunk, wrecks or [()] * len(sunk), strict=True):
                    yield salvo, self._board.lengths.index(length), cells
            else:
                yield from [(salvo, None, ())] * (sunk or 0)

    def _bias(self, layouts: Bools) -> Floats:
        """Return what each layout counts beyond the odds of each of its lies.

        After the last lie of the budget every report is true, with certainty.
        """
        shot = np.flatnonzero(self._shot_at < AFLOAT)
        order = shot[np.argsort(self._shot_at[shot], kind="stable")]
        lied = layouts[:, order] != self._hit[order]
        number = lied.sum(axis=1)
        # The arena does not lie about a salvo that sank a ship.
        sank = np.array([bool(salvo.sunk) for salvo in self._salvos], bool)
        quiet = ~sank[self._shot_at[order]]
        after = (quiet & ~np.logical_or.accumulate(lied[:, ::-1], axis=1)[:, ::-1]).sum(axis=1)
        truth = 1 - LIE_PROBABILITY
        chance = np.where(number == self._budget, truth ** -after.astype(float), 1.0)
        never = self._honest / (1 - self._honest) * truth ** -float(quiet.sum())
        return np.where(number == 0, chance + never, chance)
