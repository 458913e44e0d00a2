"""Shoot at random, every untried cell with the same probability.

Idea: none, on purpose. It is the shortest bot there is, and the baseline of every comparison.

Source: folklore. Its mean is known exactly, as the last of k ship cells among N comes up after
k (N + 1) / (k + 1) shots on average: 17 x 101 / 18 = 95.39 in the classic game.

Cost of a move: one draw among the untried cells.
"""

from collections import Counter
from collections.abc import Sequence

from arena import Bot, run


class UniformRandom(Bot):
    """Shoots at random."""

    author = "Salvo"
    version = "1.0"
    default_field = True

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return ``count`` cells drawn from the untried ones.

        Where cells may be shot again and too few are untried, those shot least often come first.
        """
        untried = self.untried
        if len(untried) >= count:
            return self.random.sample(untried, count)
        times = Counter(self.shot)
        cells = self.random.sample(range(self.rules.cells), self.rules.cells)
        return sorted(cells, key=times.__getitem__)[:count]


if __name__ == "__main__":
    run(UniformRandom)
