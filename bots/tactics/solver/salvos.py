"""Finds the fewest turns with several shots a turn, by memory and bounds over sets of cells.

Here shots that must hit cannot wait for ever: they fill up the salvos. The set of remaining layouts
and the number of its certain cells still to be shot (its debt) say everything. A salvo has as many
uncertain cells as it has shots, or fewer where the debt fills it up; of cells with the same answers
it does not matter which.

Shots fired one by one could be those of salvos, so the fewest misses of the game with one shot a
turn give a lower bound of the turns.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

from bots.tactics.solver.one_shot import NO_LIMIT, OneShot
from bots.tactics.solver.small_game import Game, Remaining, Work


class Outcome(NamedTuple):
    """The set of layouts left after one answer to a salvo, and its debt."""

    left: Remaining
    debt: int


class _Salvo(NamedTuple):
    """A salvo that might be best: the least it can cost, its uncertain cells, its outcomes."""

    least: int
    cells: tuple[int, ...]
    outcomes: list[Outcome]


class Salvos:
    """Solves sets of layouts of one game, and remembers what it found."""

    def __init__(self, game: Game, work: Work) -> None:
        self.game = game
        self._work = work
        self._one_shot = OneShot(game, work)
        self._costs: dict[tuple[int, int], int] = {}
        self._least: dict[tuple[int, int], int] = {}

    def start(self) -> Outcome:
        """Return the start of a game: every layout, and the cells certain in all of them."""
        left = self.game.examine(self.game.everything)
        return Outcome(left, left.certain.bit_count())

    def cost(self, start: Outcome) -> int:
        """Return the sum of the turns over the remaining layouts."""
        return self._cost(start, NO_LIMIT)

    def best(self, start: Outcome) -> tuple[int, ...]:
        """Return the uncertain cells of a best salvo; none if every cell is known."""
        cost = self._cost(start, NO_LIMIT)
        for salvo in self._salvos(start):
            if self._try(start, salvo, cost + 1) == cost:
                return salvo.cells
        return ()

    def outcomes(self, start: Outcome, cells: tuple[int, ...]) -> list[Outcome]:
        """Return what may remain after a salvo at uncertain ``cells``, filled up by the debt."""
        parts = [(start.left.layouts, 0)]
        for cell in cells:
            holds = self.game.holds[cell]
            parts = [
                (part, hits)
                for layouts, before in parts
                for part, hits in ((layouts & holds, before + 1), (layouts & ~holds, before))
                if part
            ]
        paid = min(start.debt, self.game.shots - len(cells))
        sure = start.left.certain.bit_count()
        found = []
        for layouts, hits in parts:
            left = self.game.examine(layouts)
            found.append(Outcome(left, start.debt - paid + left.certain.bit_count() - sure - hits))
        return found

    def _cost(self, start: Outcome, limit: int) -> int:
        known = self._bound(start)
        if not start.left.unsure or known >= limit:
            return known
        key = (self.game.key(start.left), start.debt)
        if key in self._costs:
            return known
        best = limit
        for salvo in self._salvos(start):
            if salvo.least >= best:
                break
            best = min(best, self._try(start, salvo, best))
        (self._costs if best < limit else self._least)[key] = best
        return best

    def _try(self, start: Outcome, salvo: _Salvo, limit: int) -> int:
        """Return the cost of a salvo if that is below ``limit``, else at least ``limit``."""
        outcomes = sorted(salvo.outcomes, key=lambda outcome: outcome.left.number)
        leasts = list(map(self._bound, outcomes))
        cost = start.left.number + sum(leasts)
        for outcome, least in zip(outcomes, leasts, strict=True):
            cost += self._cost(outcome, limit - cost + least) - least
        return cost

    def _salvos(self, start: Outcome) -> list[_Salvo]:
        found = []
        for cells in self._choices(start):
            self._work.count_one()
            outcomes = self.outcomes(start, cells)
            least = start.left.number + sum(map(self._bound, outcomes))
            found.append(_Salvo(least, cells, outcomes))
        return sorted(found, key=lambda salvo: salvo[:2])

    def _choices(self, start: Outcome) -> Iterator[tuple[int, ...]]:
        shots, unsure = self.game.shots, start.left.unsure
        fewest = min(max(shots - start.debt, 1), len(unsure))
        for size in range(fewest, min(shots, len(unsure)) + 1):
            seen = set()
            for chosen in combinations(unsure, size):
                answers = tuple(sorted(here for _, here, _ in chosen))
                if answers not in seen:
                    seen.add(answers)
                    yield tuple(cell for _, _, cell in chosen)

    def _bound(self, start: Outcome) -> int:
        left, debt, shots = start.left, start.debt, self.game.shots
        open_cells = self.game.ship_cells - left.certain.bit_count() + debt
        at_once = -(-open_cells // shots)
        if not left.unsure:
            return left.number * at_once
        key = (self.game.key(left), debt)
        known = self._costs.get(key, self._least.get(key))
        if known is None:
            misses = self._one_shot.cost(left.layouts)
            known = self._least[key] = max(
                -(-(left.number * open_cells + misses) // shots),
                _fewest_turns(left.number, open_cells, debt, shots, self.game.alike),
            )
        return known


@lru_cache(maxsize=4096)
def _fewest_turns(number: int, open_cells: int, debt: int, shots: int, alike: int) -> int:
    """Return a lower bound: only so many layouts can be distinguished in few turns.

    In t turns of s shots, d of them certain, no more layouts with h open cells can be sunk than
    there are ways to choose h - d of t s - d shots as hits.
    """
    cost = turns = 0
    while True:
        sunk = 0
        if turns * shots >= open_cells:
            sunk = alike * comb(turns * shots - debt, open_cells - debt)
        if sunk >= number:
            return cost
        cost += number - sunk
        turns += 1
