"""Computes a way to shoot that takes the lowest mean number of turns, as a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from arena.rules import cells_of
from bots.tactics.solver.one_shot import OneShot
from bots.tactics.solver.salvos import Salvos
from bots.tactics.solver.small_game import Game
from bots.tactics.solver.work import Work


@dataclass(frozen=True)
class Policy:
    """A best way to shoot in one game.

    Attributes:
        turns: The sum of the turns that it takes over all layouts.
        salvos: For each set of layouts that may remain, the uncertain cells to shoot.
    """

    game: Game
    turns: int
    salvos: Mapping[int, Sequence[int]]

    @property
    def mean_turns(self) -> float:
        """Return the mean turns over every layout."""
        return self.turns / len(self.game.layouts)

    def choose(self, hits: int, shot: int, count: int) -> list[int]:
        """Return the cells of the next salvo: uncertain ones, then certain hits, then any.

        ``hits`` and ``shot`` are masks.
        """
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
        misses = one_shot.cost(game.everything)
        hits = len(game.layouts) * game.ship_cells
        return Policy(game, hits + misses, dict(_steps(game, one_shot)))
    salvos = Salvos(game, work)
    return Policy(game, salvos.cost(salvos.start()), dict(_steps(game, salvos)))


def policy_from_salvos(game: Game, turns: int, salvos: Sequence[Sequence[int]]) -> Policy:
    """Return the policy with some salvos, given in the order in which ``solve`` finds them."""
    return Policy(game, turns, dict(_steps(game, iter(salvos))))


def _steps(
    game: Game, source: OneShot | Salvos | Iterator[Sequence[int]]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each set of layouts that a policy meets, with its salvo: a set before its parts."""
    walker = Salvos(game, Work())
    stack = [walker.start()]
    while stack:
        start = stack.pop()
        if not start.left.unsure:
            continue
        layouts = start.left.layouts
        cells: tuple[int, ...]
        match source:
            case OneShot():
                cell = source.best(layouts)
                cells = () if cell is None else (cell,)
            case Salvos():
                cells = source.best(start)
            case _:
                cells = tuple(next(source))
        yield layouts, cells
        # With one shot a turn the certain cells wait until the end, and the debt does not matter.
        stack += walker.outcomes(start, cells)
