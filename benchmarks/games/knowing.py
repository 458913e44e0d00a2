"""Shoots as a bot does that knows how its opponent's layouts are distributed."""

from collections.abc import Sequence

import numpy as np

from arena import Bot
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.tracking import Tracker
from bots.tactics.value.chances import Chances
from bots.tactics.value.look_ahead import off_class
from bots.training.placing.numbered_layouts import FIRST, Tilt, features
from bots.training.placing.pool import Group, Pool, likeliest

LAYOUTS = 2_000
"""Layouts that agree with all answers, each weighted by its odds."""


class Knowing(Bot):
    """Shoots the likeliest cells of weighted layouts, those off the class of diagonals less.

    Args:
        tilt: The distribution that it knows; None to take all layouts for equally likely.
    """

    def __init__(self, tilt: Tilt | None) -> None:
        self.tilt = tilt

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the fleet, and the distribution."""
        fleet = self.rules.opponent_fleet
        assert fleet is not None
        self._by_name = {ship.name: ship.length for ship in fleet}
        lengths = tuple(sorted(self._by_name.values(), reverse=True))
        board = board_of(self.rules.rows, self.rules.columns, lengths, self.rules.touching)
        self._draws = np.random.default_rng(self.random.getrandbits(64))
        self._chances = Chances(board, lengths, [self._draws], LAYOUTS)
        self._first = np.array([FIRST[length] for length in self._chances.lengths])
        self._tracker = Tracker(self.rules)
        self._fed = 0

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the likeliest cells, each as if those before it had missed."""
        self._tracker.update(self, count)
        for cells, report in self.reports[self._fed :]:
            self._chances.follow(observation_of(cells, report, self._by_name))
        self._fed = len(self.reports)
        if not self._chances.sets:  # no layout is left of the sample: some game in a thousand
            return self.random.sample(self.untried, count)
        (drawn,) = self._chances.sets
        layouts = drawn.places.T + self._first
        odds = drawn.weights
        if self.tilt is not None:
            odds = odds * self.tilt.odds(features().of(layouts))
        untried = np.zeros(self.rules.cells, bool)
        untried[self.untried] = True
        off = off_class(is_open=bool(self._tracker.open_hits))
        smallest = min(ship.length for ship in self.afloat)
        counts_off = smallest, off if count == 1 else 1.0
        group = Group(np.zeros(1, np.int64), Pool(layouts, odds))
        return likeliest(group, untried, count, self._draws, counts_off)
