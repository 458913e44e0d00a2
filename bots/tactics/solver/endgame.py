"""Finds the fewest misses from here on, where few layouts are left and sinkings are named.

As in ``one_shot``, a shot that must hit costs no miss, so it is fired at once: what it sinks may
tell layouts apart. After that the set of the layouts that are left says everything, and the memory
is by set. The cost of a set is the sum over its layouts, by weight, of the misses to come.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from bots.tactics.solver.small_game import Work


class Afloat(NamedTuple):
    """A ship in a layout: the mask of its cells that were not hit, and its length."""

    cells: int
    length: int


class _Left(NamedTuple):
    """A set of layouts that may be left after a shot, and the cells hit since the start."""

    layouts: int
    hit: int


class _Shot(NamedTuple):
    """A shot that might be best: the least it can cost, its misses, where it goes, what is left."""

    least: float
    misses: float
    cell: int
    left: list[_Left]


def best_cell(
    layouts: Sequence[Sequence[Afloat]], weights: Sequence[float], allowed: int
) -> int | None:
    """Return the cell of a shot with the fewest misses to come; None if no ship is afloat.

    There is a layout at least; at most so many shots at sets of layouts may be examined.

    Raises:
        TooLargeError: If that takes more work than is allowed.
    """
    return _Endgame(layouts, weights, Work(allowed)).best()


class _Endgame:
    def __init__(
        self, layouts: Sequence[Sequence[Afloat]], weights: Sequence[float], work: Work
    ) -> None:
        self._layouts, self._weights, self._work = layouts, weights, work
        self._everything = (1 << len(layouts)) - 1
        self._holds: dict[int, int] = {}
        for number, ships in enumerate(layouts):
            covered = reduce(or_, (ship.cells for ship in ships), 0)
            while covered:
                cell = covered.bit_length() - 1
                covered ^= 1 << cell
                self._holds[cell] = self._holds.get(cell, 0) | 1 << number
        self._weight_of: dict[int, float] = {}
        self._unsure_of: dict[int, list[tuple[float, int, int]]] = {}
        self._costs: dict[int, float] = {}
        self._least: dict[int, float] = {}

    def best(self) -> int | None:
        """Return a best cell: a certain hit if there is one."""
        if not self._holds:
            return None
        certain = [cell for cell, holds in self._holds.items() if holds == self._everything]
        if certain:
            return min(certain)
        start = _Left(self._everything, 0)
        self._cost(start, float("inf"))
        cost = self._costs[start.layouts]
        return next(
            shot.cell for shot in self._shots(start) if self._try(shot, cost + 1e-6) < cost + 1e-6
        )

    def _cost(self, left: _Left, limit: float) -> float:
        """Return the cost of a set if that is below ``limit``, else a lower bound not below it."""
        known = self._bound(left.layouts)
        if not known or left.layouts in self._costs or known >= limit:
            return known  # it is 0 only where every cell is known
        best = limit
        for shot in self._shots(left):
            if shot.least >= best:
                break
            best = min(best, self._try(shot, best))
        (self._costs if best < limit else self._least)[left.layouts] = best
        return best

    def _try(self, shot: _Shot, limit: float) -> float:
        """Return the cost of a shot if that is below ``limit``, else at least ``limit``."""
        leasts = [self._bound(left.layouts) for left in shot.left]
        cost = shot.misses + sum(leasts)
        for left, least in zip(shot.left, leasts, strict=True):
            cost += self._cost(left, limit - cost + least) - least
        return cost

    def _shots(self, left: _Left) -> list[_Shot]:
        """Return the shots that no other dominates, the most promising first; see ``one_shot``."""
        total = self._weight(left.layouts)
        unsure = self._unsure(left.layouts)
        kept: list[tuple[int, int]] = []
        for _, here, cell in sorted(unsure, reverse=True):
            if all(here & ~other for other, _ in kept):
                kept.append((here, cell))
        shots = []
        for here, cell in kept:
            self._work.count_one()
            after = [*self._hit(left, here, cell), _Left(left.layouts & ~here, left.hit)]
            after = [part for whole in after for part in self._settled(whole)]
            misses = total - self._weight(here)
            least = misses + sum(self._bound(part.layouts) for part in after)
            shots.append(_Shot(least, misses, cell, after))
        return sorted(shots, key=lambda shot: shot[:3])

    def _unsure(self, layouts: int) -> list[tuple[float, int, int]]:
        """Return for each cell that may or may not hold a ship its weight, its layouts, itself."""
        found = self._unsure_of.get(layouts)
        if found is None:
            found = self._unsure_of[layouts] = [
                (self._weight(here), here, cell)
                for cell, holds in self._holds.items()
                if (here := layouts & holds) and here != layouts
            ]
        return found

    def _hit(self, left: _Left, here: int, cell: int) -> list[_Left]:
        """Return what may be left after a hit, one for each ship that it may have sunk, or none."""
        parts: dict[int, int] = {}
        bit, rest = 1 << cell, here
        while rest:
            number = rest.bit_length() - 1
            rest ^= 1 << number
            ship = next(ship for ship in self._layouts[number] if ship.cells & bit)
            sunk = ship.length if ship.cells & ~left.hit == bit else 0
            parts[sunk] = parts.get(sunk, 0) | 1 << number
        return [_Left(part, left.hit | bit) for part in parts.values()]

    def _settled(self, left: _Left) -> list[_Left]:
        """Return what may be left after every shot that must hit was fired."""
        layouts, hit = left
        if not layouts & layouts - 1:  # one layout, of which every cell is known
            return [left]
        for cell, holds in self._holds.items():
            if layouts & ~holds or hit >> cell & 1:
                continue
            parts = self._hit(_Left(layouts, hit), layouts, cell)
            if len(parts) > 1:
                return [settled for part in parts for settled in self._settled(part)]
            hit |= 1 << cell
        return [_Left(layouts, hit)]

    def _weight(self, layouts: int) -> float:
        weight = self._weight_of.get(layouts)
        if weight is None:
            weight, rest = 0.0, layouts
            while rest:
                number = rest.bit_length() - 1
                rest ^= 1 << number
                weight += self._weights[number]
            self._weight_of[layouts] = weight
        return weight

    def _bound(self, layouts: int) -> float:
        """Return the cost of a set where it is known, else a lower bound.

        The first i shots that miss are at i cells: of the layouts that have ships on none of them
        there are at least as many as all, less the i greatest numbers of layouts with a ship on a
        cell.
        """
        known = self._costs.get(layouts, self._least.get(layouts))
        if known is None:
            known, left = 0.0, self._weight(layouts)
            unsure = sorted((weight for weight, _, _ in self._unsure(layouts)), reverse=True)
            for weight in unsure:
                left -= weight
                if left <= 0:
                    break
                known += left
            self._least[layouts] = known
        return known
