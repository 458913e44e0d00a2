"""Play games that are small enough to be solved, in the lowest possible mean number of turns.

Idea: where few layouts are possible, the best shots follow from the sets of layouts that each
answer leaves, the best shots at those, and so on to the end, by dynamic programming with memory.
The games of the sources were solved in advance; any other is solved at the start if it is small
enough. The board is turned and mirrored at random, so that no opponent knows the first shot.

Source: the optimal search of Austin Rochford's article on Battleship and Bayesian search theory,
extended from one ship in a row to all fleets and salvos on small boards.

Cost of a move: a look at the remaining layouts.
"""

from collections.abc import Sequence

from arena import Bot, run
from arena.rules import RulesView
from bots.tactics.solver.solved_game import SolvedGame, find_policy


class Optimal(Bot):
    """Takes the lowest mean number of turns against layouts drawn uniformly."""

    author = "Salvo"
    version = "1.0"

    def plays(self, rules: RulesView) -> bool:
        """Return whether the game is solved, or small enough to be solved now."""
        return find_policy(rules) is not None

    def game_begins(self) -> None:
        """Look the game up, and turn the board."""
        game = SolvedGame.by_rules(self.rules, self.random)
        assert game is not None, "it said that it plays these rules"
        self.game = game

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return a best salvo."""
        return self.game.choose(self.hits, self.shot, count)


if __name__ == "__main__":
    run(Optimal)
