"""Compare a few shots by how many more would be needed after each, whatever is answered.

Idea: the likeliest cell is the best for this shot, not for the whole game. The few most promising
cells (by the posterior, those off one class of diagonals counting less) are compared by a look
ahead along the path of misses: the cell, and those that would follow as long as all miss. A small
network, which learned how many shots a strong shooter still needs, values what is left after every
answer on the way; all paths are followed over the same layouts. Where few layouts are left, the
best shot is computed exactly. The first shots are from a book, computed once in the same way. A
salvo is improved by exchanging single cells, valued by the network too. Its own fleet lies where
shooters like itself look late.

Source: value functions as in Sutton and Barto's book, for the problem of Jiang, Moseley and Garnett
(cost effective active search, 2019); what each step brought is in ``docs/strength.md``.

Cost of a move: one posterior, and six paths over four sets of two thousand layouts: some ten
milliseconds at the mean.
"""

import argparse
import functools
from collections.abc import Sequence

import numpy as np

from arena import run
from arena.rules import RulesView
from bots.tactics.posterior import (
    BayesianBot,
    Belief,
    Floats,
    best_salvo,
    board_of,
    highest,
    observation_of,
)
from bots.tactics.solver import TooLargeError, best_cell
from bots.tactics.value import (
    Chances,
    Drawn,
    Sea,
    improved_salvo,
    network_for,
    paths_of_misses,
    prospects,
    worth_of_paths,
)
from bots.tactics.value.opening import turnings

OFF_CLASS, OFF_CLASS_OPEN = 0.8, 0.9
"""What a cell counts off the class of diagonals, while hunting and while a hit is open."""

CANDIDATES = 6
"""Cells that are compared."""

WORTH_COMPARING = 0.5
"""A cell less likely than this share of the likeliest one is not compared."""

DEPTH, DEPTH_OPEN = 6, 3
"""Shots on a path, while hunting and while a hit is open."""

SETS, LAYOUTS = 4, 2_000
"""Sets of layouts that paths are followed over, each as large as the network learned with; salvos
are compared over one."""

FEW = 30
"""So many layouts at most are solved exactly."""

WORK = 150
"""Shots at sets of layouts that may be examined for that."""

MOST_CELLS = 144
"""On larger boards it does not look ahead."""

STEPS = ("classes", "hunting", "open", "endgame", "book", "salvo")
"""What the bot does beyond the likeliest cell, in the order in which it was added."""


class ValueSearch(BayesianBot):
    """Looks ahead along the path of misses, and values what is left by a network."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    hides_fleet = True

    def __init__(self, steps: Sequence[str] = STEPS) -> None:
        self.steps = frozenset(steps)

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the fleet."""
        super().game_begins()
        rules = self.rules
        assert rules.opponent_fleet is not None
        self._by_name = {ship.name: ship.length for ship in rules.opponent_fleet}
        self._lengths = tuple(sorted(self._by_name.values(), reverse=True))
        board = board_of(rules.rows, rules.columns, self._lengths, rules.touching)
        self._fed = 0
        sets = SETS if rules.shots == 1 else 1
        randoms = [np.random.default_rng(self.random.getrandbits(64)) for _ in range(sets)]
        self._chances = Chances(board, self._lengths, randoms, LAYOUTS) if _valued(rules) else None
        books = turnings(rules)
        self._book = self.random.choice(books) if books and "book" in self.steps else ()

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cell after which the fewest shots are expected, or the best set of cells."""
        belief = self.reader.read()
        self._follow()
        if count > 1:
            return self._salvo(belief, count)
        if certain := belief.certain():
            return [self.random.choice(certain)]
        if not self.hits and tuple(self.shot) == self._book[: len(self.shot)] != self._book:
            return [self._book[len(self.shot)]]
        return [self._cell(belief)]

    def _cell(self, belief: Belief) -> int:
        """Return the cell that is best by looking ahead, as far as that is possible."""
        is_open = belief.hit_is_open()
        off_class = 1.0
        if "classes" in self.steps:
            off_class = OFF_CLASS_OPEN if is_open else OFF_CLASS
        scores = self._scores(belief, off_class)
        cells = highest(scores, self.untried, min(CANDIDATES, len(self.untried)), self.random)
        if len(cells) == 1 or not (seas := self._seas()):
            return cells[0]
        if "endgame" in self.steps and (best := _solved(seas[0])) is not None:
            return best
        cells = [cell for cell in cells if scores[cell] >= WORTH_COMPARING * scores[cells[0]]]
        if ("open" if is_open else "hunting") not in self.steps or len(cells) == 1:
            return cells[0]
        paths = paths_of_misses(seas[0], cells, DEPTH_OPEN if is_open else DEPTH, off_class)
        worth = np.mean([worth_of_paths(sea, network_for(1), paths) for sea in seas], axis=0)
        return cells[int(worth.argmin())]

    def _salvo(self, belief: Belief, count: int) -> list[int]:
        cells = best_salvo(self, belief, count)
        if not self.solo or "salvo" not in self.steps or not (seas := self._seas()):
            return cells
        return improved_salvo(seas[0], network_for(count), cells)

    def _follow(self) -> None:
        """Have the layouts agree with all answers."""
        for cells, report in self.reports[self._fed :]:
            if self._chances is not None:
                self._chances.follow(observation_of(tuple(cells), report, self._by_name))
        self._fed = len(self.reports)

    def _seas(self) -> list[Sea]:
        """Return sets of layouts to look ahead over; none where the network knows no such game."""
        chances = self._chances
        if chances is None or not chances.sets:
            return []
        sets = chances.sets[:1] if chances.sets[0].whole else chances.sets
        return [
            Sea.of(chances.board, self._lengths, self._some(drawn), chances.hit, chances.untried)
            for drawn in sets
        ]

    def _some(self, drawn: Drawn) -> Drawn:
        """Return as many of some layouts as a set has."""
        if len(drawn.weights) <= LAYOUTS:
            return drawn
        random = np.random.default_rng(self.random.getrandbits(64))
        rows = random.permutation(len(drawn.weights))[:LAYOUTS]
        return drawn._replace(places=drawn.places[:, rows], weights=drawn.weights[rows])

    def _scores(self, belief: Belief, off_class: float) -> Floats:
        """Return how promising each cell is."""
        cells = belief.cells().copy()
        cells[self.shot] = 0
        smallest = min((ship.length for ship in self.afloat), default=1)
        weights = prospects(cells[None], self.rules.columns, smallest, off_class)
        return np.asarray(cells * weights[0], float)


def _valued(rules: RulesView) -> bool:
    """Return whether layouts that agree with the answers can be drawn, and the network knows."""
    return (
        rules.sinkings == "named"
        and not rules.hits_named
        and not rules.sunk_cells
        and rules.cells <= MOST_CELLS
    )


def _solved(sea: Sea) -> int | None:
    """Return the best cell by all layouts that are left; None if they are too many."""
    drawn = sea.drawn
    if not drawn.whole or len(drawn.weights) > FEW:
        return None
    try:
        return best_cell(sea.afloat(), drawn.weights.tolist(), WORK)
    except TooLargeError:
        return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A look ahead by the value network.")
    parser.add_argument("--steps", default=",".join(STEPS))
    options = parser.parse_args()
    chosen = [step for step in options.steps.split(",") if step]
    if unknown := [step for step in chosen if step not in STEPS]:
        parser.error(f"--steps {unknown[0]}: give some of {','.join(STEPS)}")
    run(functools.partial(ValueSearch, chosen))
