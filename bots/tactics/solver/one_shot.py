"""Finds the fewest misses with one shot a turn, by memory, bounds, and dominated shots.

A shot that must hit can wait without harm, as its answer is known: so the set of remaining layouts
says everything, and only misses can be saved. The cost of a set is the sum over its layouts of the
misses until every cell of the layout is known: a whole number.

If every remaining layout with a ship on one cell also has one on a second, the second is the better
shot: one can shoot the second instead of the first, and the first after it hit, and misses no more
often. So only cells are tried whose sets of layouts lie in no other cell's set.
"""

from functools import lru_cache
from itertools import count
from math import comb
from typing import NamedTuple

from bots.tactics.solver.small_game import Game, Remaining, Work

NO_LIMIT = 1 << 62


class _Shot(NamedTuple):
    """A shot that might be best."""

    least: int  # the least it can cost: the sum of the next three
    misses: int  # the layouts that it misses
    if_hit: int  # the least cost of the layouts that it hits
    if_missed: int  # the least cost of those that it misses
    hit: int  # the set of the layouts that it hits
    cell: int


class OneShot:
    """Solves sets of layouts of one game, and remembers what it found."""

    def __init__(self, game: Game, work: Work) -> None:
        self.game = game
        self._work = work
        self._costs: dict[int, int] = {}
        self._least: dict[int, int] = {}

    def cost(self, layouts: int, limit: int = NO_LIMIT) -> int:
        """Return the cost of a set if that is below ``limit``, else a lower bound not below it."""
        left = self.game.examine(layouts)
        if not left.unsure:
            return 0
        key = self.game.key(left)
        known = self._bound(key, left)
        if key in self._costs or known >= limit:
            return known
        best = limit
        for shot in self._shots(left):
            if shot.least >= best:
                break
            best = min(best, self._try(shot, layouts, best))
        (self._costs if best < limit else self._least)[key] = best
        return best

    def best(self, layouts: int) -> tuple[int, ...]:
        """Return the cell of a best shot at a set; none if every cell is known."""
        left = self.game.examine(layouts)
        cost = self.cost(layouts)
        for shot in self._shots(left):
            if self._try(shot, layouts, cost + 1) == cost:
                return (shot.cell,)
        return ()

    def least(self, left: Remaining) -> int:
        """Return the cost of a set where it is known, else a lower bound."""
        return self._bound(self.game.key(left), left) if left.unsure else 0

    def _try(self, shot: _Shot, layouts: int, limit: int) -> int:
        """Return the cost of taking a shot if that is below ``limit``, else at least ``limit``."""
        hit = self.cost(shot.hit, limit - shot.misses - shot.if_missed)
        return shot.misses + hit + self.cost(layouts & ~shot.hit, limit - shot.misses - hit)

    def _shots(self, left: Remaining) -> list[_Shot]:
        """Return the shots that no other dominates, the most promising first."""
        kept: list[tuple[int, int, int]] = []
        for count_here, here, cell in sorted(left.unsure, key=lambda entry: -entry[0]):
            if all(here & ~other for _, other, _ in kept):
                kept.append((count_here, here, cell))
        shots = []
        for count_here, here, cell in kept:
            self._work.count_one()
            misses = left.number - count_here
            if_hit = self.least(self.game.examine(here))
            if_missed = self.least(self.game.examine(left.layouts & ~here))
            shots.append(_Shot(misses + if_hit + if_missed, misses, if_hit, if_missed, here, cell))
        return sorted(shots)

    def _bound(self, key: int, left: Remaining) -> int:
        known = self._costs.get(key, self._least.get(key))
        if known is None:
            open_cells = self.game.ship_cells - left.certain.bit_count()
            known = self._least[key] = _at_least(left, open_cells, self.game.alike)
        return known


def _at_least(left: Remaining, open_cells: int, alike: int) -> int:
    """Return a lower bound, from how many layouts can have cost ``misses``, for each number.

    After i misses and a first hit, at most as many layouts remain as have a ship on the cell of
    that hit, and no more than on the (i + 1)-th best of all cells. From then on, with m more misses
    and h cells left to hit, at most as many can be distinguished as there are orders of m misses
    and h hits.
    """
    most = sorted((count_here for count_here, _, _ in left.unsure), reverse=True)
    remaining, cost = left.number, 0
    for misses in count():
        within = 0
        for later, room in enumerate(reversed(most[: misses + 1]), max(misses + 1 - len(most), 0)):
            before = _orders(later - 1, open_cells - 1) * alike if later else 0
            within += min(_orders(later, open_cells - 1) * alike, room) - min(before, room)
        within = min(within, remaining)
        cost += misses * within
        remaining -= within
        if not remaining:
            return cost
    raise AssertionError


@lru_cache(maxsize=4096)
def _orders(misses: int, hits: int) -> int:
    return comb(misses + hits, hits)
