"""Tracks where one opponent's ships may lie, from the first salvo of a game to the last.

It is fed observations and knows no bot, so that a recorded game can be followed as well as one that
is being played; ``BeliefReader`` feeds it what a bot has seen.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from arena.rules import RulesView, unusual
from arena.rules.rule_features import CERTAIN
from bots.tactics.placement_counts import HIT_WEIGHT
from bots.tactics.posterior.board_placements import MAX_CELLS, Floats, board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import (
    MAX_EXPLANATIONS,
    Explanations,
    ImpossibleEvidenceError,
)
from bots.tactics.posterior.opening_table import look_up
from bots.tactics.posterior.posterior import Effort, Posterior, count_roughly, estimate

FOLLOWED = CERTAIN | {"reshoot"}  # features of rules by which a belief can be kept
TRIES = 4  # times that explanations are listed again after a failure, each keeping twice as many


def can_follow(rules: RulesView) -> bool:
    """Return whether a belief can be kept in a game: its rules are FOLLOWED, its board not huge."""
    return rules.cells <= MAX_CELLS and unusual(rules) <= FOLLOWED


def highest(
    cells: Floats, untried: Sequence[int], count: int, random: Random | None = None
) -> list[int]:
    """Return the untried cells with the highest values, ties at random or the lowest first."""
    # Values that differ by less than rounding are equal.
    values = cells[untried].round(9)
    if random and count == 1:
        best = np.flatnonzero(values == values.max()).tolist()
        return [untried[random.choice(best)]]
    order = np.arange(len(untried))
    if random:
        order = np.array(random.sample(range(len(untried)), len(untried)))
    ranked = order[np.argsort(-values[order], kind="stable")]
    return [untried[place] for place in ranked[:count].tolist()]


class Marginals(NamedTuple):
    """The probability of a ship on each cell, and how exact it is."""

    cells: Floats  # the probability that a ship lies on each cell, (cells,)
    exact: bool  # whether every layout was counted, none sampled
    # How many layouts are left, ships of one length counting as different; an estimate unless exact
    layouts: float
    effective: float  # the effective size of the sample; that many layouts where exact
    error: float  # the largest standard error of a cell; 0 where exact


class Belief:
    """Follows one game; make one for each game.

    Attributes:
        known: The explanations of the hits so far.
        evidence: The observations so far, oldest first.
    """

    def __init__(
        self, rules: RulesView, random: np.random.Generator, effort: Effort | None = None
    ) -> None:
        """Start from an opponent of whom nothing is known but the fleet.

        ``can_follow`` accepts the rules; equal generators and observations give equal answers.
        """
        fleet = rules.opponent_fleet
        assert fleet is not None, "a belief needs a fleet that is known"
        self._lengths = tuple(sorted((ship.length for ship in fleet), reverse=True))
        self._afloat = Counter(self._lengths)
        self._effort = effort or Effort()
        self.board = board_of(rules.rows, rules.columns, self._lengths, rules.touching)
        self._shot = np.zeros(self.board.cells, bool)
        self._hits = np.zeros(self.board.cells, bool)
        self.random = random
        self.evidence: list[Observation] = []
        self.known = Explanations(self.board, self._lengths, random)

    def observe(self, observation: Observation) -> None:
        """Take in the answer to one more salvo; a cell that was shot before tells nothing new.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with what was observed, or none was found.
        """
        cells, hits, sunk, ships, wrecks = observation
        fresh = [place for place, cell in enumerate(hits) if not self._shot[cell]]
        new = Observation(
            tuple(cell for cell in cells if not self._shot[cell]),
            tuple(hits[place] for place in fresh),
            sunk,
            None if ships is None else tuple(ships[place] for place in fresh),
            wrecks,
        )
        self._shot[list(new.cells)] = True
        self._hits[list(new.hits)] = True
        if isinstance(sunk, tuple):
            self._afloat -= Counter(sunk)
        self.evidence.append(new)
        try:
            self.known.observe(new)
        except ImpossibleEvidenceError:
            self.known = self._explain_again()

    def marginals(self) -> Marginals:
        """Return how likely each cell holds a ship: in the opening from a table, else estimated.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with what was observed, or none was found.
        """
        if (found := self._opening()) is not None:
            return found
        posterior = self.posterior()
        return Marginals(
            posterior.cells,
            posterior.exact,
            posterior.layouts,
            posterior.effective,
            float(posterior.errors.max()),
        )

    def cells(self) -> Floats:
        """Return the probability of a ship on each cell; a density if no layout is found."""
        try:
            found = self._opening()
            return self.posterior().cells if found is None else found.cells
        except ImpossibleEvidenceError:
            return self.density()

    def certain(self) -> list[int]:
        """Return the untried cells that hit in every explanation; they need no counting."""
        if not self._hits.any():
            return []
        sure = self.known.untried & self.known.covered.all(axis=0)
        return [int(cell) for cell in np.flatnonzero(sure)]

    def posterior(self) -> Posterior:
        """Return the posterior of this moment.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with what was observed, or none was found.
        """
        try:
            return estimate(self.known, self.random, self._effort)
        except ImpossibleEvidenceError:
            self.known = self._explain_again()
            return estimate(self.known, self.random, self._effort)

    def most_layouts(self) -> float:
        """Return a bound on how many layouts are left: ships that were not hit may overlap."""
        return count_roughly(self.known)

    def hit_is_open(self) -> bool:
        """Return whether a ship afloat may have been hit."""
        return self.known.hit_is_open()

    def density(self) -> Floats:
        """Return how many placements of the ships afloat cover each cell, as if each were alone.

        A placement counts ``HIT_WEIGHT`` times for each hit it covers that may be of a ship
        afloat.
        """
        board, hits = self.board, self._hits
        closed = self._shot & ~hits | self.known.sunk_cells()
        cells = np.zeros(board.cells)
        for length, number in self._afloat.items():
            covers = board.covers[length]
            free = covers[~(covers & closed).any(axis=1)]
            cells += number * (float(HIT_WEIGHT) ** (free & hits).sum(axis=1) @ free)
        return cells

    def _opening(self) -> Marginals | None:
        if self._hits.any():
            return None
        missed = np.flatnonzero(self._shot).tolist()
        if (found := look_up(self.board, self._lengths, missed)) is None:
            return None
        layouts, cells = found
        return Marginals(cells, exact=True, layouts=layouts, effective=layouts, error=0)

    def _explain_again(self) -> Explanations:
        """Go through all evidence again: a sample may have lost what was right."""
        for tried in range(TRIES):
            limit = MAX_EXPLANATIONS << tried
            known = Explanations(self.board, self._lengths, self.random, limit, self.evidence)
            try:
                for observation in self.evidence:
                    known.observe(observation)
                estimate(known, self.random, self._effort)
            except ImpossibleEvidenceError:
                if known.exact:
                    raise
            else:
                return known
        raise ImpossibleEvidenceError("no layout was found that agrees with what was observed")
