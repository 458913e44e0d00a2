"""Plays one game alone whose player is shown the posterior."""

from collections.abc import Sequence
from random import Random

import numpy as np

from arena.rules import CellsReport, Rules, Shoot, apply, begin_solo, draw_uniform, view
from bots.tactics.learned.placement_network import Evidence, Floats
from bots.tactics.posterior.belief import Belief
from bots.tactics.posterior.evidence import Observation, observation_of
from bots.tactics.value.chances import Chances
from bots.tactics.value.look_ahead import LAYOUTS


class ShownGame:
    """One game alone of one shot a turn, at a layout drawn by the seed.

    Attributes:
        columns: Those of the board.
        lengths: The length of each ship by its name, longest first.
        known: The reports so far, as a network sees them.
        turns: How many shots were fired.
        random: What the choice of shots may depend on.
        belief: The posterior.
        chances: Sets of layouts that agree with the reports.
    """

    def __init__(self, rules: Rules, seed: int, sets: int, layouts: int = LAYOUTS) -> None:
        random = np.random.default_rng(seed)
        rules_seen = view(rules)
        ships = sorted(rules_seen.fleet, key=lambda ship: -ship.length)
        self.columns = rules.columns
        self.lengths = {ship.name: ship.length for ship in ships}
        self._numbers = {ship.name: number for number, ship in enumerate(ships)}
        self.random = Random(int(random.integers(1 << 62)))
        self._state = begin_solo(rules, draw_uniform(rules, self.random))
        self.belief = Belief(rules_seen, random.spawn(1)[0])
        lengths = list(self.lengths.values())
        self.chances = Chances(self.belief.board, lengths, random.spawn(sets), layouts)
        self.known = Evidence.none(rules.rows * rules.columns, len(ships))
        self.turns = 0

    @property
    def over(self) -> bool:
        """Return whether all ships are sunk."""
        return self._state.request is None

    @property
    def untried(self) -> Sequence[int]:
        """Return the cells that may be shot."""
        cells: Sequence[int] = np.flatnonzero(self.known.untried[0]).tolist()
        return cells

    def posterior(self) -> Floats:
        """Return how likely each cell has a ship."""
        return self.belief.cells().astype(np.float32)

    def shoot(self, cell: int) -> None:
        """Shoot at a cell, and take in the answer."""
        self._state = apply(self._state, Shoot([cell]))
        assert self._state.salvo is not None
        report = self._state.salvo.report
        assert isinstance(report, CellsReport)
        assert isinstance(report.sunk, tuple)
        told = observation_of((cell,), report, self.lengths)
        self.belief.observe(told)
        self.take_in(told)
        self.known.note([cell], report.hits, [self._numbers[name] for name in report.sunk])
        self.turns += 1

    def take_in(self, answer: Observation) -> None:
        """Keep the layouts that agree with an answer."""
        self.chances.follow(answer)
