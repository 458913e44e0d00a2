"""The best ways to shoot that were found in advance: for the small games of the sources.

``bots.tactics.solver.tabulate`` makes the table. A row holds the game, its total turns over all
layouts, and the salvos in the order of ``policy_from_salvos``, the cells of one joined by "+".
"""

import csv
from functools import lru_cache
from pathlib import Path

from bots.tactics.solver.game import Game
from bots.tactics.solver.policy import Policy, policy_from_salvos

TABLE = Path(__file__).with_name("known.csv")


@lru_cache(maxsize=8)
def known_policy(game: Game) -> Policy | None:
    """Return the best way to shoot in a game, None if it is not in the table."""
    with TABLE.open(newline="", encoding="ascii") as lines:
        for *name, turns, salvos in csv.reader(lines):
            if name == name_of(game):
                salvo_cells = [[int(cell) for cell in salvo.split("+")] for salvo in salvos.split()]
                return policy_from_salvos(game, int(turns), salvo_cells)
    return None


def name_of(game: Game) -> list[str]:
    """Return the columns of the table that identify a game."""
    lengths = " ".join(map(str, game.lengths))
    return [str(game.rows), str(game.columns), lengths, game.touching, str(game.shots)]
