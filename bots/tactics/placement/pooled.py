"""A shooter that knows how layouts are distributed, as far as a pool of them shows.

It shoots the cell that most layouts of the pool cover which agree with every answer so far,
sinkings included; once fewer than ``ENOUGH`` agree it counts placements. With a pool drawn from the
distribution that it meets, it comes as close to a best response as any shooter here.
"""

import numpy as np
import numpy.typing as npt

from bots.tactics.placement.shooters import COVERS, Floats, Games, Indices

__all__ = ["Pooled"]

ENOUGH = 30


class Pooled(Games):
    """Games of a shooter with a pool, side by side.

    Args:
        layouts: The layouts that are shot at.
        weights: What placements count for once the pool is used up.
        pool: The pool, as layouts.
        random: Breaks ties.
    """

    def __init__(
        self, layouts: Indices, weights: Floats, pool: Indices, random: np.random.Generator
    ) -> None:
        super().__init__(layouts, weights, random)
        self.pool = pool
        self.covers = (COVERS[pool].sum(axis=1) > 0).astype(np.uint8)
        self.lengths = COVERS.sum(axis=1)
        everything = np.arange(len(pool))
        self.agreeing = [everything] * len(layouts)
        self.first = self.covers.sum(axis=0, dtype=float)

    def aim(self) -> Indices:
        """Return the best cell of each game."""
        best = super().aim()
        for game, agreeing in enumerate(self.agreeing):
            if len(agreeing) >= ENOUGH:
                whole = len(agreeing) == len(self.pool)
                counts = self.first if whole else self.covers[agreeing].sum(axis=0, dtype=float)
                ties = self.random.random(len(counts)) / 2
                best[game] = np.where(self.untried[game], counts + ties, -1).argmax()
        return best

    def shoot(self, cells: Indices) -> None:
        """Shoot, and keep what agrees with the answers."""
        super().shoot(cells)
        for game, cell in enumerate(cells.tolist()):
            agreeing = self.agreeing[game]
            if len(agreeing) < ENOUGH:
                continue
            ship = int(self.ships[game, cell])
            agreeing = agreeing[self.covers[agreeing, cell] == (ship >= 0)]
            if ship >= 0:
                hits = ~self.untried[game] & (self.ships[game] >= 0)
                sunk = (COVERS @ hits == self.lengths) & (COVERS[:, cell] > 0)
                sank = sunk[self.pool[agreeing]]
                if self.left[game, ship]:
                    agreeing = agreeing[~sank.any(axis=1)]
                else:
                    agreeing = agreeing[sank[:, ship]]
            self.agreeing[game] = agreeing

    def keep(self, games: npt.NDArray[np.bool_]) -> None:
        """Leave the games that are over."""
        super().keep(games)
        kept = zip(self.agreeing, games.tolist(), strict=True)
        self.agreeing = [agreeing for agreeing, stays in kept if stays]
