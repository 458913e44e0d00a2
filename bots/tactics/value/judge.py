"""Says what a salvo costs beside the best one that is found, in turns.

That is the difference of what is expected to be left after each, by the value network over layouts
that agree with the answers so far, as ``value_search`` compares cells. Every layout counts as
equally likely beforehand. It is an estimate: a cost of a few hundredths of a turn says nothing.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from arena.rules import RulesView
from bots.tactics.posterior.belief import Belief, highest
from bots.tactics.posterior.board_placements import Floats, board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.salvo import HIT_BITS, HIT_BITS_ALONE
from bots.tactics.value.ahead import can_number, improved_salvo, worth_of_salvos
from bots.tactics.value.chances import Chances
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import (
    CANDIDATES,
    LAYOUTS,
    can_value,
    informed_salvo,
    layout_sets,
    off_class,
    scores_of,
    worth_of_cells,
)
from bots.tactics.value.network import network_for

_SETS = 4  # of layouts, where one shot is fired


class Judgement(NamedTuple):
    """What a salvo costs, in turns, and the best one that was found."""

    cost: float  # 0 where none is better
    best: tuple[int, ...]


class Judge:
    """Follows one shooter in one game of rules that it ``fits``.

    Attributes:
        belief: What the shooter can know.
    """

    def __init__(self, rules: RulesView, seed: int, *, solo: bool) -> None:
        assert rules.opponent_fleet is not None
        self._columns, self._solo = rules.columns, solo
        self._random = Random(seed)
        lengths = tuple(sorted((ship.length for ship in rules.opponent_fleet), reverse=True))
        board = board_of(rules.rows, rules.columns, lengths, rules.touching)
        sets = _SETS if rules.shots == 1 else 1
        generators = [self._generator() for _ in range(sets)]
        self.belief = Belief(rules, self._generator())
        self._chances = Chances(
            board, lengths, generators, LAYOUTS, named=rules.hits_named, belief=self.belief
        )

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(self._random.getrandbits(64))

    @staticmethod
    def fits(rules: RulesView) -> bool:
        """Return whether salvos can be judged by these rules."""
        return rules.opponent_fleet is not None and can_value(rules)

    def judge(self, cells: Sequence[int]) -> Judgement | None:
        """Return what a salvo costs that is about to be fired; None where that is not known.

        Cells that were shot before are worth nothing.
        """
        sets = layout_sets(self._chances, self._random)
        new = [cell for cell in dict.fromkeys(cells) if self._chances.untried[cell]]
        if not sets or not new or len(new) < len(cells):
            return None
        try:
            return self._one(sets, new[0]) if len(new) == 1 else self._several(sets[0], new)
        except ImpossibleEvidenceError:
            return None

    def observe(self, answer: Observation) -> None:
        """Take in the answer to a salvo.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with what was answered, or none was found.
        """
        self.belief.observe(answer)
        self._chances.follow(answer)

    def _untried(self) -> list[int]:
        return [int(cell) for cell in np.flatnonzero(self._chances.untried)]

    def _one(self, sets: Sequence[LayoutSet], cell: int) -> Judgement:
        certain = self.belief.certain()
        if cell in certain:
            return Judgement(0.0, (cell,))
        is_open = self.belief.hit_is_open()
        counts = off_class(is_open=is_open)
        posterior: Floats = self.belief.cells().copy()
        posterior[~self._chances.untried] = 0
        scores = scores_of(posterior, self._columns, sets[0].smallest, counts)
        untried = self._untried()
        found = certain[:1] or highest(scores, untried, min(CANDIDATES, len(untried)))
        cells = list(dict.fromkeys([*found, cell]))
        worth = worth_of_cells(sets, cells, counts, is_open=is_open)
        best = int(worth.round(9).argmin())
        return Judgement(float(worth[cells.index(cell)] - worth[best]), (cells[best],))

    def _several(self, layouts: LayoutSet, cells: list[int]) -> Judgement | None:
        count = len(cells)
        if not can_number(layouts, count):
            return None
        network = network_for(count)
        bits = HIT_BITS_ALONE if self._solo else HIT_BITS
        greedy = informed_salvo(self._chances, layouts, self._untried(), count, bits)
        tried = {tuple(sorted(cells)): None, tuple(sorted(greedy)): None}
        tried[tuple(improved_salvo(layouts, network, greedy))] = None
        salvos = list(tried)
        worth = worth_of_salvos(layouts, network, np.array(salvos))
        best = int(worth.round(9).argmin())
        return Judgement(float(worth[0] - worth[best]), salvos[best])
