"""Defines beliefs from samples of layouts, for rules under which hits alone explain too little."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena.rules import Report, RulesView
from bots.tactics.posterior.belief import Marginals
from bots.tactics.posterior.board_placements import Bools, Floats, board_of
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.particles import catalogue_of
from bots.tactics.posterior.systematic import draw_systematically, effective_size

AFLOAT = 1 << 30  # stands for the salvo that sinks a ship which is afloat
TRIES = 3  # how often a sample is drawn in which no layout agrees, each four times as large


class Sample(NamedTuple):
    """Layouts drawn from the posterior."""

    # Whether a ship lies on a cell, (layouts, cells); ships that are counted rather than drawn are
    # left out
    layouts: Bools
    weights: Floats  # what each layout counts, (layouts,)
    # The probability that a ship lies on a cell, given each layout, (layouts, cells)
    chances: Floats | Bools
    exact: bool = False  # whether these are all layouts that are left

    @property
    def cells(self) -> Floats:
        """Return the probability that a ship lies on each cell, (cells,)."""
        return np.asarray(self.weights @ self.chances / self.weights.sum(), float)


class SampledBelief(ABC):
    """Follows one game by samples of layouts that are drawn anew at every move.

    Equal generators and reports give equal answers.

    Attributes:
        joint: Whether every ship is drawn, so that several cells can be judged together.
    """

    joint = True

    def __init__(
        self,
        rules: RulesView,
        random: np.random.Generator,
        particles: int,
        expected: Iterable[int] = (),
    ) -> None:
        """Start a game; the lengths that are expected stand for a fleet that is not known."""
        self.random, self.particles = random, particles
        self._rules = rules
        self._by_name = {ship.name: ship.length for ship in rules.opponent_fleet or ()}
        self._lengths = tuple(sorted(self._by_name.values() or expected, reverse=True))
        self._board = board_of(rules.rows, rules.columns, self._lengths, rules.touching)
        self._all = catalogue_of(self._board)
        self._drawn: Sample | None = None

    def read(self, cells: tuple[int, ...], report: Report) -> None:
        """Take in the answer to one more salvo."""
        self._drawn = None
        self._observe(cells, report)

    @abstractmethod
    def _observe(self, cells: tuple[int, ...], report: Report) -> None:
        """Take in the answer to one more salvo."""

    @abstractmethod
    def _draw(self, number: int) -> Sample:
        """Return about ``number`` layouts with weights.

        Raises:
            ImpossibleEvidenceError: If none was found that agrees with what was reported.
        """

    @abstractmethod
    def density(self) -> Floats:
        """Return a value for each cell, for when no layout was found."""

    def draws(self) -> Sample:
        """Return layouts drawn from the posterior, the same until the next report.

        Raises:
            ImpossibleEvidenceError: If none was found that agrees with what was reported.
        """
        number = self.particles
        for tries_left in reversed(range(TRIES)):
            if self._drawn is not None:
                break
            try:
                self._drawn = self._draw(number)
            except ImpossibleEvidenceError:
                if not tries_left:
                    raise
            number *= 4
        assert self._drawn is not None
        return self._drawn

    def marginals(self) -> Marginals:
        """Return how likely each cell holds a ship.

        Raises:
            ImpossibleEvidenceError: If no layout was found that agrees with what was reported.
        """
        drawn = self.draws()
        cells, effective = drawn.cells, effective_size(drawn.weights)
        error = float(np.sqrt((cells * (1 - cells)).max() / effective))
        if drawn.exact:
            number = len(drawn.weights)
            return Marginals(cells, exact=True, layouts=number, effective=number, error=0.0)
        return Marginals(cells, exact=False, layouts=np.nan, effective=effective, error=error)

    def cells(self) -> Floats:
        """Return the probability that a ship lies on each cell; a density if none is known."""
        try:
            return self.marginals().cells
        except ImpossibleEvidenceError:
            return self.density()

    def certain(self) -> list[int]:
        """Return the cells that surely hit: from a sample, none is known to."""
        return []

    def worth(self) -> Floats:
        """Return what one shot at each cell is worth: the probability that it hits."""
        return self.cells()

    def open_cells(self, untried: Sequence[int], count: int) -> Sequence[int]:
        """Return the cells that are worth a shot, at least ``count``: those not shot yet."""
        del count
        return untried

    def sample(self, number: int) -> Bools:
        """Return layouts drawn from the posterior, as the cells they cover, (number, cells).

        Raises:
            ImpossibleEvidenceError: If no layout was found that agrees with what was reported.
        """
        drawn = self.draws()
        rows, _ = draw_systematically(drawn.weights, number, self.random)
        return np.asarray(drawn.layouts[rows], bool)
