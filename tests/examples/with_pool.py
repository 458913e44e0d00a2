"""A bot whose processes weigh the cells between them, by a pool and by an executor."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from arena import Bot, run


def weight(cell: int) -> int:
    """Return a number that looks drawn, the same for the same cell."""
    return cell * 2_654_435_761 % 2**32


class WithPool(Bot):
    """Shoots the cells of the most weight."""

    def game_begins(self) -> None:
        """Start the executor with the first game."""
        if not hasattr(self, "executor"):
            context = multiprocessing.get_context("fork")
            self.pool = context.Pool(2)
            self.executor = ProcessPoolExecutor(2, mp_context=context)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that weigh most, of those that were not shot yet."""
        half = len(self.untried) // 2
        weights = [
            *self.pool.map(weight, self.untried[:half]),
            *self.executor.map(weight, self.untried[half:]),
        ]
        heaviest = sorted(zip(weights, self.untried, strict=True), reverse=True)
        return [cell for _, cell in heaviest[:count]]


if __name__ == "__main__":
    run(WithPool)
