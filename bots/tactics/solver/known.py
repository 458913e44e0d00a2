"""The best ways to shoot that were found beforehand: the small games of the sources.

``bots.tactics.solver.tabulate`` makes the table. A row holds the game, the turns over all its
layouts, and the salvos in the order of ``policy_from_salvos``, the cells of one joined by "+".
"""

import csv
from functools import lru_cache
from pathlib import Path

from bots.tactics.solver.game import Game
from bots.tactics.solver.policy import Policy, policy_from_salvos

__all__ = ["TABLE", "known_policy", "name_of"]

TABLE = Path(__file__).with_name("known.csv")


@lru_cache(maxsize=8)
def known_policy(game: Game) -> Policy | None:
    """Return the best way to shoot in a game, None if the table does not know it."""
    with TABLE.open(newline="", encoding="ascii") as lines:
        for *name, turns, salvos in csv.reader(lines):
            if name == name_of(game):
                told = [[int(cell) for cell in salvo.split("+")] for salvo in salvos.split()]
                return policy_from_salvos(game, int(turns), told)
    return None


def name_of(game: Game) -> list[str]:
    """Return the columns of the table that tell a game from others."""
    lengths = " ".join(map(str, game.lengths))
    return [str(game.rows), str(game.columns), lengths, game.touching, str(game.shots)]
