"""What the bots share that also play where layouts can only be sampled, or ships move."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from arena.rules import RulesView
from bots.tactics.own_fleet import OwnFleet
from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import Belief, can_follow
from bots.tactics.posterior.salvo import HIT_BITS
from bots.tactics.posterior.sampling import SampleReader, can_sample


class SamplingBot(BayesianBot):
    """A bot that chooses its shots by a belief, and by samples where no belief can be kept.

    Attributes:
        hit_bits: How many bits of information an expected hit of a salvo is worth in a game for
            two.
        samples: Keeps the samples where there is no belief; None where there is one.
    """

    hides_fleet: ClassVar[bool] = True
    hit_bits: float = HIT_BITS
    samples: SampleReader | None

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
            self.samples = SampleReader(self)

    def move_ship(self) -> tuple[str, Sequence[int]] | None:
        """Return the move that hides a ship best, if one hides it better."""
        return self.own_fleet.hiding_move()

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the best cells by the samples, or by the belief."""
        if self.samples is not None:
            return self.samples.choose(count, self.hit_bits)
        return self.choose_by_belief(self.reader.read(), count)

    @abstractmethod
    def choose_by_belief(self, belief: Belief, count: int) -> Sequence[int]:
        """Return ``count`` cells that were not shot yet."""
