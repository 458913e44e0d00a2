"""Shoot where the whole game is expected to take the fewest shots, not where a ship is likeliest.

Idea: the likeliest cell is the best for this shot alone. In the standard game a network says what
each cell is worth beyond that: it is shown the posterior, and has learned from games of its own
how many shots they took after cells that chance had chosen. With other fleets and boards a look
ahead compares a few cells along the path of misses: the cell, and those that would follow as long
as all miss. A second, small network, which learned how many shots a strong shooter still needs,
values what is left after every answer on the way; all paths are followed over the same layouts.
Where few layouts are left, the best shot is computed exactly, and a game that is small enough to be
solved is played so from the start. Alone, a salvo is improved cell by cell, valued by the second
network. For two, its own fleet lies where shooters like itself look late, and an opponent's may:
layouts are weighted by how well that agrees with its earlier ones.

Source: comparing what was drawn by chance with the mean of what might have been is Robinson,
Root-N-consistent semiparametric regression (1988); value functions are as in Sutton and Barto's
book, for the problem of Jiang, Moseley and Garnett (cost effective active search, 2019). What each
step brought is in ``docs/strength.md``.

Cost of a move: one posterior, and eight looks of a network or at most six paths over four sets of
two thousand layouts: some five milliseconds in the standard game, fifteen for a salvo alone. A
small game that was not solved in advance is tried at the start, for less than half a second.
"""

import argparse
import functools
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from arena import End, run
from arena.rules import CellsReport
from bots.tactics.placement.opponent import Opponent
from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import Belief
from bots.tactics.posterior.board_placements import Floats, board_of
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.posterior import Effort
from bots.tactics.posterior.salvo import HIT_BITS_ALONE, best_salvo, best_set
from bots.tactics.solver.solved_game import SolvedGame
from bots.tactics.value.advice import Advice
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.ahead import improved_salvo
from bots.tactics.value.chances import Chances
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import (
    LAYOUTS,
    can_value,
    drawn_by_weight,
    informed_salvo,
    layout_sets,
    off_class,
    scores_of,
    shifted,
    solved,
    weighed_sets,
    worth_comparing,
    worth_of_cells,
)
from bots.tactics.value.network import network_for

HIT_BITS = 3.0  # bits that a hit is worth in a salvo for two; other bots give it six
UNLIKELY = 0.3  # turns that a cell costs that is e times less promising, beside the look ahead
TINY = 1e-12  # a chance for which no cell is chosen

STEPS = ("classes", "hunting", "open", "advice", "endgame", "salvo", "opponent")
"""What the bot does beyond the likeliest cell, in the order in which it was added."""


class ValueSearch(BayesianBot):
    """Shoots where the fewest shots are expected for the whole game.

    Args:
        steps: Which of the ``STEPS`` it takes.
        opponent: What it knows already of its opponent in games for two; by default nothing.
    """

    # With the usual effort, cells look so far from what they are that it costs 0.014 shots a game.
    effort = Effort(limit=4_000, draws=1_600)
    sets: ClassVar[int] = 4
    author = "Salvo"
    version = "1.0"
    default_field = True
    hides_fleet = True

    def __init__(self, steps: Sequence[str] = STEPS, opponent: Opponent | None = None) -> None:
        self.steps = frozenset(steps)
        self._opponent = opponent

    def game_begins(self) -> None:
        """Start from a board of which nothing is known."""
        super().game_begins()
        rules = self.rules
        assert rules.opponent_fleet is not None
        self._by_name = {ship.name: ship.length for ship in rules.opponent_fleet}
        self._lengths = tuple(sorted(self._by_name.values(), reverse=True))
        board = board_of(rules.rows, rules.columns, self._lengths, rules.touching)
        self._fed = 0
        expects = not self.solo and "opponent" in self.steps and can_value(rules)
        self._opponent = (self._opponent or Opponent.by_rules(rules)) if expects else None
        if self._opponent is not None:
            self._opponent.game_begins(self.random)
        self._advice = Advice(rules) if "advice" in self.steps and Advice.fits(rules) else None
        # More sets say more precisely what comes of a path, and what an opponent's habits change.
        several = rules.shots == 1 and (self._advice is None or self._opponent is not None)
        sets = self.sets if several else 1
        randoms = [np.random.default_rng(self.random.getrandbits(64)) for _ in range(sets)]
        self._chances = (
            Chances(
                *(board, self._lengths, randoms, LAYOUTS),
                named=rules.hits_named,
                belief=self.reader.belief,
                repeated=None if self._opponent is None else _repeated(self._opponent),
            )
            if can_value(rules)
            else None
        )
        exact = "endgame" in self.steps
        self._solved = SolvedGame.by_rules(rules, self.random) if exact else None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cell after which the fewest shots are expected, or the best set of cells."""
        if self._solved is not None:
            return self._solved.choose(self.hits, self.shot, count)
        belief = self.reader.read()
        self._follow()
        if count > 1:
            return self._salvo(belief, count)
        if certain := belief.certain():
            return [self.random.choice(certain)]
        return [self._cell(belief)]

    def game_ends(self, end: End) -> None:
        """Learn from where the opponent's ships lay."""
        if self._opponent is not None and end.opponent_layout:
            self._opponent.saw(end.opponent_layout.values())

    def _cell(self, belief: Belief) -> int:
        plain = self._layout_sets()
        sets = self._weighed(plain)
        if "endgame" in self.steps and sets and (best := solved(sets[0])) is not None:
            return best
        posterior = belief.cells()
        if sets and self._opponent is not None:
            posterior = shifted(posterior, plain, sets)
        if self._advice is not None:
            return self._advice.best(posterior, self.untried, self.random)
        is_open = belief.hit_is_open()
        counts = off_class(is_open=is_open) if "classes" in self.steps else 1.0
        cells, costs = self._promising(posterior, counts)
        looks = ("open" if is_open else "hunting") in self.steps
        if not looks or not sets or len(cells) == 1:
            return cells[0]
        worth = worth_of_cells(sets, cells, counts, is_open=is_open) + costs
        return cells[int(worth.round(9).argmin())]  # less than that is rounding

    def _promising(self, posterior: Floats, counts: float) -> tuple[list[int], Floats]:
        """Return the likeliest cells, the best first, and how many turns each costs for that.

        Those off the class count less.
        """
        chances = posterior.copy()
        chances[self.shot] = 0
        smallest = min(ship.length for ship in self.afloat)
        scores = scores_of(chances, self.rules.columns, smallest, counts)
        cells = worth_comparing(scores, self.untried, self.random)
        likely = np.maximum(scores[cells], TINY)
        return cells, UNLIKELY * np.log(likely[0] / likely)

    def _salvo(self, belief: Belief, count: int) -> list[int]:
        if self._opponent is not None:
            assert self._chances is not None
            if self._chances.sets:
                weigh = self._opponent.chances_of
                layouts = drawn_by_weight(self._chances, LAYOUTS, self.random, weigh)
                return best_set(layouts, self.untried, count, HIT_BITS)
        if not self.solo or "salvo" not in self.steps or not (sets := self._layout_sets()):
            return best_salvo(self, belief, count, HIT_BITS)
        assert self._chances is not None
        first = informed_salvo(self._chances, sets[0], self.untried, count, HIT_BITS_ALONE)
        return improved_salvo(sets[0], network_for(count), first)

    def _follow(self) -> None:
        for cells, report in self.reports[self._fed :]:
            if self._chances is not None:
                self._chances.follow(observation_of(tuple(cells), report, self._by_name))
            if self._advice is not None:
                assert isinstance(report, CellsReport)
                self._advice.follow(cells, report)
        self._fed = len(self.reports)

    def _layout_sets(self) -> list[LayoutSet]:
        return [] if self._chances is None else layout_sets(self._chances, self.random)

    def _weighed(self, sets: list[LayoutSet]) -> list[LayoutSet]:
        if self._opponent is None:
            return sets
        assert self._chances is not None
        return weighed_sets(self._chances, sets, self._opponent.chances_of)


def _repeated(opponent: Opponent) -> Drawn | None:
    """Return the layouts that an opponent may have again, each weighing its chance."""
    places, chance = opponent.repeated()
    number = places.shape[1]
    if not number:
        return None
    return Drawn(places, np.full(number, chance / number), 0.0, whole=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Shoots where few shots are expected for the game."
    )
    parser.add_argument("--steps", default=",".join(STEPS))
    options = parser.parse_args()
    chosen = [step for step in options.steps.split(",") if step]
    if unknown := [step for step in chosen if step not in STEPS]:
        parser.error(f"--steps {unknown[0]}: give some of {','.join(STEPS)}")
    run(functools.partial(ValueSearch, chosen))
