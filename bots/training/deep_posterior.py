"""The network of deep_salvo, shown the posterior: it learns what a look ahead would choose.

It begins as the bundled ``deep_salvo``, but is told how likely each cell has a ship, and so shoots
like a greedy player of the exact posterior. It plays games side by side by what it has learned so
far. At each position that it comes to, a few cells are compared by a look ahead with a value
network, as ``value_search`` does on other boards; the network learns how good each of them was
found to be. Whoever plays by it then needs no look ahead. From there ``salvo train deep_trials``
goes on.

It needs PyTorch, the extra ``deep``; without it the command says how to install a build.

Source: learning from a look ahead at the positions that the learner visits is Anthony, Tian and
Barber, Thinking fast and slow with deep learning and tree search (2017), and Ross, Gordon and
Bagnell, DAgger (2011).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from arena.rules import Rules
from bots.tactics.learned.placement_network import Evidence, Floats, Integers
from bots.tactics.value.look_ahead import (
    layout_sets,
    off_class,
    scores_of,
    solved,
    worth_comparing,
    worth_of_cells,
)
from bots.training.agent import option
from bots.training.shown_agent import ShownAgent
from bots.training.shown_game import ShownGame


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    rules: ClassVar[str] = "classic"
    games: int = option(2_500, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    side_by_side: int = option(64, "Games that are played together.")
    sets: int = option(2, "Sets of layouts that are looked ahead over.")
    turns: float = option(
        0.04, "A cell after which so many more turns are expected is chosen e times less."
    )
    looks: int = option(4, "Times that each position is learned from.")
    batch: int = option(256, "Positions a step.")
    step: float = option(0.001, "The first step of Adam.")
    threads: int = option(1, "Threads; another number makes other weights.")
    device: Literal["cpu", "cuda"] = option("cpu", "What computes.")


class Lessons(NamedTuple):
    """Positions, one a row, with how likely each cell had a ship, and is to be chosen."""

    known: Evidence
    posterior: Floats
    wanted: Floats

    def some(self, rows: Any) -> "Lessons":  # noqa: ANN401 - whatever numpy takes as an index
        """Return some of the positions."""
        return Lessons(self.known.some(rows), self.posterior[rows], self.wanted[rows])

    def turned(self, cells: Integers) -> "Lessons":
        """Return the same positions with their cells in another order."""
        return Lessons(
            self.known.some_cells(cells), self.posterior[:, cells], self.wanted[:, cells]
        )


class Trainer(ShownAgent[Lessons]):
    """The network at work.

    Raises:
        UserError: If PyTorch is not installed.
    """

    settings: Settings

    def learn(self) -> list[int]:
        """Play games side by side, and learn from them; return the turns of each."""
        return self.learn_from(self.settings.side_by_side)

    def step(self, some: Lessons, rate: float) -> None:
        """Take one step towards the choices that are wanted."""
        self.learner.imitate(*some, rate)

    def play(self, number: int) -> tuple[list[int], Lessons]:
        """Play games to their end; return the turns of each, and what is to be learned."""
        games = [
            _Game(self.rules, self.settings, int(seed))
            for seed in self.random.integers(1 << 62, size=number)
        ]
        lessons = []
        while active := [game for game in games if not game.over]:
            known = Evidence.joined(game.known for game in active)
            posterior = np.stack([game.posterior() for game in active])
            wanted = np.stack(
                [game.wanted(cells) for game, cells in zip(active, posterior, strict=True)]
            )
            lessons.append(Lessons(known, posterior, wanted))
            _, worth = self.learner.look(known, posterior=posterior)
            chosen = np.where(known.untried, worth, -np.inf).argmax(axis=1)
            for game, cell in zip(active, chosen.tolist(), strict=True):
                game.shoot(cell)
        known = Evidence.joined(lesson.known for lesson in lessons)
        every = Lessons(
            known,
            np.concatenate([lesson.posterior for lesson in lessons]),
            np.concatenate([lesson.wanted for lesson in lessons]),
        )
        return [game.turns for game in games], every.some(every.wanted.any(axis=1))


class _Game(ShownGame):
    """A game in which a look ahead says what is to be learned."""

    def __init__(self, rules: Rules, settings: Settings, seed: int) -> None:
        super().__init__(rules, seed, settings.sets)
        self._settings = settings

    def wanted(self, posterior: Floats) -> Floats:
        """Return how often each cell is to be chosen; 0 for all where nothing is to be learned."""
        found = np.zeros(len(posterior), dtype=np.float32)
        untried = self.untried
        if certain := self.belief.certain():
            found[certain] = 1 / len(certain)
            return found
        is_open = self.belief.hit_is_open()
        counts = off_class(is_open=is_open)
        smallest = min(
            length
            for length, afloat in zip(self.lengths.values(), self.known.afloat[0], strict=True)
            if afloat
        )
        chances = np.where(self.known.untried[0], posterior, 0).astype(float)
        scores = scores_of(chances, self.columns, smallest, counts)
        cells = worth_comparing(scores, untried, self.random)
        sets = layout_sets(self.chances, self.random)
        if not sets:
            return found
        if (best := solved(sets[0])) is not None:
            found[best] = 1
        elif len(cells) == 1:
            found[cells] = 1
        else:
            worth = worth_of_cells(sets, cells, counts, is_open=is_open)
            merits = np.exp((worth.min() - worth) / self._settings.turns)
            found[cells] = merits / merits.sum()
        return found
