"""Finds the best way to shoot in a small game, from a table or solved now, and plays it.

The table ``known.csv`` holds the small games of the sources; ``bots.tactics.solver.tabulate`` makes
it. A row holds the game, its total turns over all layouts, and the salvos in the order of
``policy_from_salvos``, the cells of one joined by "+".
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from arena.rules import RulesView, mask_of
from bots.tactics.solver.policy import Policy, policy_from_salvos, solve
from bots.tactics.solver.small_game import Game, TooLargeError, Work, game_of, turns_of
from bots.tactics.tables import beside, rows_of

TABLE = beside(__file__, "known.csv")

WORK = 3_000  # sets of layouts to examine before a game is given up: less than half a second


def find_policy(rules: RulesView) -> Policy | None:
    """Return a best way to shoot by some rules, None if it is too large or of another kind."""
    game = game_of(rules)
    return None if game is None else known_policy(game) or _solved(game)


@lru_cache(maxsize=64)
def _solved(game: Game) -> Policy | None:
    try:
        return solve(game, Work(WORK))
    except TooLargeError:
        return None


@lru_cache(maxsize=8)
def known_policy(game: Game) -> Policy | None:
    """Return the best way to shoot in a game, None if it is not in the table."""
    for *name, turns, salvos in rows_of(TABLE):
        if name == name_of(game):
            salvo_cells = [[int(cell) for cell in salvo.split("+")] for salvo in salvos.split()]
            return policy_from_salvos(game, int(turns), salvo_cells)
    return None


def name_of(game: Game) -> list[str]:
    """Return the columns of the table that identify a game."""
    lengths = " ".join(map(str, game.lengths))
    return [str(game.rows), str(game.columns), lengths, game.touching, str(game.shots)]


class SolvedGame:
    """Follows one game; make one a game.

    The board is turned and mirrored at random, so that no opponent knows the first shot.
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
        """Return the cells of a best salvo."""
        turned = self._turned
        hit, tried = (mask_of(turned[cell] for cell in cells) for cells in (hits, shot))
        return [turned.index(cell) for cell in self._policy.choose(hit, tried, count)]
