"""A bot that shoots in an order drawn once a game: its own thinking costs nothing."""

from collections.abc import Sequence

from arena import Bot, run


class PrecomputedBot(Bot):
    """Shoots at the cells in an order that is drawn when the game begins."""

    def game_begins(self) -> None:
        """Draw the order."""
        self.order = list(range(self.rules.cells))
        self.random.shuffle(self.order)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the next cells of the order."""
        start = len(self.shot)
        return self.order[start : start + count]


if __name__ == "__main__":
    run(PrecomputedBot)
