"""Find the best way to shoot: from the table, or solved now if that takes little work."""

from functools import lru_cache

from arena.rules import RulesView
from bots.tactics.solver.game import Game, game_of
from bots.tactics.solver.known import known_policy
from bots.tactics.solver.policy import Policy, solve
from bots.tactics.solver.work import TooLargeError, Work

WORK = 3_000
"""Sets of layouts to examine before a game is given up: less than half a second."""


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
