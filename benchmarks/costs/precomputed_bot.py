"""Shoots in an order drawn beforehand: a bot whose own thinking costs nothing."""

from collections.abc import Sequence

from arena import Bot, run


class PrecomputedBot(Bot):
    """Shoots at the cells in an order drawn once, which begins elsewhere in every game."""

    drawn: Sequence[int] = ()

    def game_begins(self) -> None:
        """Draw where to begin, and in the first game the order."""
        cells = self.rules.cells
        if not self.drawn:
            self.drawn = self.random.sample(range(cells), cells)
        start = int(self.random.random() * cells)
        self.order = [*self.drawn[start:], *self.drawn[:start]]

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the next cells of the order."""
        start = len(self.shot)
        return self.order[start : start + count]


if __name__ == "__main__":
    run(PrecomputedBot)
