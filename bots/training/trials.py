"""Holds trials, cells that were drawn by chance, and tells what came of them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.tactics.learned.placement_network import Evidence, Floats, Integers
from bots.tactics.posterior.board_placements import Indices
from bots.tactics.value.answer_luck import Answers, values
from bots.tactics.value.network import Network
from bots.training.value import foreseen, surprises

Turns = NDArray[np.floating[Any]]


class Trials(NamedTuple):
    """Shots that chance chose, one a row."""

    known: Evidence  # what was known before each
    posterior: Floats  # how likely each cell had a ship
    cells: Integers  # the cells that might be drawn, and others, (trials, some)
    chances: NDArray[np.floating[Any]]  # how likely each of these was drawn
    drawn: Integers  # the number of the one that was, among these
    came: Turns  # by how many it went worse than was expected before

    def some(self, rows: Any) -> "Trials":  # noqa: ANN401 - whatever numpy takes as an index
        """Return some of the trials."""
        return Trials(self.known.some(rows), *(column[rows] for column in self[1:]))

    @classmethod
    def joined(cls, parts: Iterable["Trials"]) -> "Trials":
        """Return all trials of some parts."""
        known, *others = zip(*parts, strict=True)
        return cls(Evidence.joined(known), *map(np.concatenate, others))

    def turned(self, order: Integers) -> "Trials":
        """Return the same trials with the cells of their boards in another order."""
        places = np.argsort(order)
        return self._replace(
            known=self.known.some_cells(order),
            posterior=self.posterior[:, order],
            cells=places[self.cells],
        )


class Told(NamedTuple):
    """The shots of some solo games of one shot a turn, with all that luck is told by."""

    answers: Answers  # the answers that their shots might have got
    game: Indices  # the number of each shot's game; the shots of a game follow each other
    dearer: Turns  # that each shot is thought to cost more than the best one

    @classmethod
    def joined(cls, parts: Sequence["Told"]) -> "Told":
        """Return what is known of some games, each given by itself."""
        sizes = [len(part.game) for part in parts]
        return cls(
            Answers.joined([part.answers for part in parts]),
            np.repeat(np.arange(len(parts)), sizes),
            np.concatenate([part.dearer for part in parts]),
        )


def came_of(told: Told, network: Network, far: float) -> Turns:
    """Return by how many turns each shot went worse than was expected before it, less luck.

    What it came to is told as if all shots after it had been the best: what each of them is thought
    to have cost more, ``dearer``, does not count. That of the first shot of a game is not a number,
    as nothing was expected before.

    Args:
        network: What luck is told by.
        far: What each later shot counts, against the one before.
    """
    answers = told.answers
    worth = values(answers, network.misses(answers.features))
    after, expected = foreseen(answers, worth)
    found = surprises(after, expected - told.dearer, told.game, far) + told.dearer
    found[np.r_[True, told.game[1:] != told.game[:-1]]] = np.nan
    return found
