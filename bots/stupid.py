"""Shoot at any cell, whatever was shot before.

Idea: none, on purpose. Where cells may be shot again, every cell is as likely; where they may not,
every untried one. Its ships stay where they are.

Source: the StupidAI of the "Battleships: AI" wiki of zrho/afp. Where cells may be shot again and
ships stay, the last of k ship cells among N takes N (1 + 1/2 + ... + 1/k) shots on average.

Cost of a move: one draw.
"""

from collections.abc import Sequence

from arena import Bot, run


class Stupid(Bot):
    """Shoots anywhere."""

    author = "Salvo"
    version = "1.0"

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return ``count`` cells drawn from all that may be shot."""
        cells = range(self.rules.cells) if self.rules.reshoot else self.untried
        return self.random.sample(cells, count)


if __name__ == "__main__":
    run(Stupid)
