"""Games small enough to be solved: the lowest mean number of turns, and how to reach it."""

from bots.tactics.solver.endgame import Afloat, best_cell
from bots.tactics.solver.find import find_policy
from bots.tactics.solver.game import Game, game_of, turns_of
from bots.tactics.solver.policy import Policy, solve
from bots.tactics.solver.solved_game import SolvedGame
from bots.tactics.solver.work import TooLargeError, Work

__all__ = [
    "Afloat",
    "Game",
    "Policy",
    "SolvedGame",
    "TooLargeError",
    "Work",
    "best_cell",
    "find_policy",
    "game_of",
    "solve",
    "turns_of",
]
