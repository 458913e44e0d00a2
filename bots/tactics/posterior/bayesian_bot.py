"""Provides the base of all bots that go by the posterior."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from arena import Bot
from arena.rules import RulesView
from bots.tactics.placement.weighted_layouts import place
from bots.tactics.posterior.belief import Belief, can_follow
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.posterior import Effort


class BeliefReader:
    """Feeds a belief what a bot has seen; make one in every ``game_begins``."""

    def __init__(self, bot: Bot, effort: Effort | None = None) -> None:
        """Start a belief whose samples are drawn with a seed from the bot's generator."""
        self._bot = bot
        self._read = 0
        self._lengths = {ship.name: ship.length for ship in bot.rules.opponent_fleet or ()}
        random = np.random.default_rng(bot.random.getrandbits(64))
        self.belief = Belief(bot.rules, random, effort)

    def read(self) -> Belief:
        """Take in the reports since the last call, and return the belief.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with the reports, or none was found.
            TypeError: If a report does not say which cells hit.
        """
        new = self._bot.reports[self._read :]
        self._read += len(new)
        for cells, report in new:
            self.belief.observe(observation_of(cells, report, self._lengths))
        return self.belief


class BayesianBot(Bot):
    """A bot with a belief about where the opponent's ships lie; a subclass chooses the shots.

    Attributes:
        hides_fleet: Whether its fleet lies where shooters like itself look late, rather than
            anywhere.
        reader: Keeps the belief: ``self.reader.read()`` returns it in every ``choose_shots``.
    """

    effort: ClassVar[Effort] = Effort()
    hides_fleet: ClassVar[bool] = False
    reader: BeliefReader

    def plays(self, rules: RulesView) -> bool:
        """Return whether a belief can be kept: see ``can_follow``."""
        return can_follow(rules)

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the fleet."""
        self.reader = BeliefReader(self, self.effort)

    def place_fleet(self) -> Mapping[str, Sequence[int]]:
        """Return a layout; with ``hides_fleet`` a well hidden one where such are known."""
        return place(self.rules, self.random) if self.hides_fleet else super().place_fleet()
