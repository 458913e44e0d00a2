"""Computes a way to shoot that takes the lowest mean number of turns, as a table."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from arena.rules import cells_of
from bots.tactics.solver.one_shot import OneShot
from bots.tactics.solver.salvos import Outcome, Salvos
from bots.tactics.solver.small_game import Game, Work


class Policy(NamedTuple):
    """A best way to shoot in one game."""

    game: Game
    turns: int  # the sum of the turns that it takes over all layouts
    # For each set of layouts that may remain, the uncertain cells to shoot
    salvos: Mapping[int, Sequence[int]]

    @property
    def mean_turns(self) -> float:
        """Return the mean turns over every layout."""
        return self.turns / len(self.game.layouts)

    def choose(self, hits: int, shot: int, count: int) -> list[int]:
        """Return the cells of the next salvo: uncertain ones, then certain hits, then any."""
        layouts = self.game.everything
        for cell in cells_of(shot):
            holds = self.game.holds[cell]
            layouts &= holds if hits >> cell & 1 else ~holds
        left = self.game.examine(layouts)
        sure = cells_of(left.certain & ~shot)
        unsure = [cell for _, _, cell in sorted(left.unsure, reverse=True)]
        rest = cells_of(left.empty & ~shot)
        wanted = chain(self.salvos.get(layouts, ()), sure, unsure, rest)
        return list(dict.fromkeys(wanted))[:count]


def solve(game: Game, work: Work) -> Policy:
    """Return a best way to shoot in a game.

    Raises:
        TooLargeError: If that takes more work than is allowed.
    """
    if game.shots == 1:
        one_shot = OneShot(game, work)
        turns = len(game.layouts) * game.ship_cells + one_shot.cost(game.everything)
        return Policy(game, turns, _salvos(game, lambda start: one_shot.best(start.left.layouts)))
    salvos = Salvos(game, work)
    return Policy(game, salvos.cost(salvos.start()), _salvos(game, salvos.best))


def policy_from_salvos(game: Game, turns: int, salvos: Sequence[Sequence[int]]) -> Policy:
    """Return the policy with some salvos, given in the order in which ``solve`` finds them."""
    given = iter(salvos)
    return Policy(game, turns, _salvos(game, lambda _: tuple(next(given))))


def _salvos(game: Game, best: Callable[[Outcome], tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return each set of layouts that a policy meets, with its salvo: a set before its parts."""
    walker = Salvos(game, Work())
    found = {}
    stack = [walker.start()]
    while stack:
        start = stack.pop()
        if start.left.unsure:
            found[start.left.layouts] = cells = best(start)
            # With one shot a turn the certain cells wait until the end: the debt does not matter.
            stack += walker.outcomes(start, cells)
    return found
