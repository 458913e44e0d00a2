"""Chooses the belief by samples for some rules, and the shots of a bot by it."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from arena.rules import RulesView, refuse_unknown, unusual
from arena.rules.rule_features import COUNTED
from bots.tactics.own_fleet import OwnFleet
from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import FOLLOWED, Belief, can_follow, highest
from bots.tactics.posterior.board_placements import MAX_CELLS
from bots.tactics.posterior.counted import CountedBelief
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.moving_ships import MovingBelief
from bots.tactics.posterior.reported import ReportedBelief
from bots.tactics.posterior.salvo import HIT_BITS, HIT_BITS_ALONE, best_counted_set, best_set
from bots.tactics.posterior.sampled import SampledBelief
from bots.tactics.posterior.ship_layouts import ShipLayouts

COUNTED_HIT_BITS_ALONE = 2.0  # as ``HIT_BITS_ALONE``, where hits are counted
LAYOUTS = 2_000  # how many layouts a salvo is chosen by


_REPORTED = FOLLOWED | {"lies", "fleet_known"}
_COUNTED = FOLLOWED | COUNTED
_MOVING = FOLLOWED | {"moves"}


def can_sample(rules: RulesView) -> bool:
    """Return whether a belief by samples can be kept in a game.

    Of three things there may be one: hits that are only counted; ships that move; lies, a fleet
    that is unknown, or both. The board must not be huge.
    """
    features = unusual(rules)
    sampled = any(features <= family for family in (_REPORTED, _COUNTED, _MOVING))
    return sampled and rules.cells <= MAX_CELLS


def sampled_belief(rules: RulesView, random: np.random.Generator, *, solo: bool) -> SampledBelief:
    """Return a belief at the start of a game whose rules ``can_sample`` accepts.

    Alone, the arena answers, which lies and moves ships at known rates.
    """
    features = unusual(rules)
    if features <= _REPORTED:
        return ReportedBelief(rules, random, solo=solo)
    if features <= _COUNTED:
        return CountedBelief(rules, random)
    refuse_unknown(rules, _MOVING, "the posterior of ships that move does not know this rule")
    return MovingBelief(rules, random, solo=solo)


class SamplingBot(BayesianBot):
    """A bot that chooses its shots by a belief, and by samples where no belief can be kept.

    Attributes:
        hit_bits: How many bits of information an expected hit of a salvo is worth in a game for
            two.
        samples: Follows the game where there is no belief; None where there is one.
    """

    hides_fleet: ClassVar[bool] = True
    hit_bits: float = HIT_BITS
    samples: SampledBelief | None

    def plays(self, rules: RulesView) -> bool:
        """Return whether the layouts left can be counted or sampled."""
        return can_follow(rules) or can_sample(rules)

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the rules."""
        self.samples = None
        self.own_fleet = OwnFleet(self)
        if can_follow(self.rules):
            super().game_begins()
        else:
            random = np.random.default_rng(self.random.getrandbits(64))
            self.samples = sampled_belief(self.rules, random, solo=self.solo)
            self._seen = 0

    def move_ship(self) -> tuple[str, Sequence[int]] | None:
        """Return the move that hides a ship best, if one hides it better."""
        return self.own_fleet.hiding_move()

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the best cells by the samples, or by the belief."""
        if self.samples is None:
            return self.choose_by_belief(self.reader.read(), count)
        for cells, report in self.reports[self._seen :]:
            self.samples.read(cells, report)
        self._seen = len(self.reports)
        return self._choose_by_samples(self.samples, count)

    @abstractmethod
    def choose_by_belief(self, belief: Belief, count: int) -> Sequence[int]:
        """Return ``count`` cells that were not shot yet."""

    def _choose_by_samples(self, belief: SampledBelief, count: int) -> Sequence[int]:
        """Return the best cell, ties at random, or the best set of cells."""
        cells = belief.open_cells(self.untried, count)
        if count == 1 or not belief.joint:
            return highest(belief.worth(), cells, count, self.random)
        try:
            layouts = belief.sample(LAYOUTS)
        except ImpossibleEvidenceError:
            return highest(belief.density(), cells, count, self.random)
        if self.rules.told == "cells":
            bits = HIT_BITS_ALONE if self.solo else self.hit_bits
            return best_set(ShipLayouts.of_cells(layouts), cells, count, bits)
        bits = COUNTED_HIT_BITS_ALONE if self.solo else self.hit_bits
        return best_counted_set(layouts, cells, count, bits)
