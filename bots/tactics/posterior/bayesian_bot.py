"""What all bots that go by the posterior share."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from arena import Bot
from arena.rules import RulesView
from bots.tactics.placement import place
from bots.tactics.posterior.belief import can_follow
from bots.tactics.posterior.estimate import Effort
from bots.tactics.posterior.reader import BeliefReader


class BayesianBot(Bot):
    """A bot with a belief about where the opponent's ships lie; a subclass chooses the shots.

    Attributes:
        effort: How much work one posterior may take.
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
