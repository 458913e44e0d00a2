"""One game that is small enough to be solved, played as well as can be."""

from collections.abc import Iterable
from random import Random

from arena.rules import RulesView, mask_of
from bots.tactics.solver.find import find_policy
from bots.tactics.solver.game import turns_of
from bots.tactics.solver.policy import Policy


class SolvedGame:
    """Follows one game; make one a game.

    The board is turned and mirrored at random, so that no opponent knows the first shot.

    Args:
        policy: A best way to shoot in this game.
        rules: Its rules.
        random: Draws how the board is turned.
    """

    def __init__(self, policy: Policy, rules: RulesView, random: Random) -> None:
        self._policy = policy
        self._turned = random.choice(turns_of(rules.rows, rules.columns))

    @classmethod
    def by_rules(cls, rules: RulesView, random: Random) -> "SolvedGame | None":
        """Return a game, None if games by these rules are too large to be solved."""
        policy = find_policy(rules)
        return None if policy is None else cls(policy, rules, random)

    def choose(self, hits: Iterable[int], shot: Iterable[int], count: int) -> list[int]:
        """Return the cells of a best salvo.

        Args:
            hits: The cells that hit.
            shot: The cells that were shot.
            count: How many shots to fire.
        """
        turned = self._turned
        hit, tried = (mask_of(turned[cell] for cell in cells) for cells in (hits, shot))
        return [turned.index(cell) for cell in self._policy.choose(hit, tried, count)]
