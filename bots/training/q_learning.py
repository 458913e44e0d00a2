"""Ebel and Wan's Q-learning: the source's agent as it was, and with features that generalise.

Q(s, a) is learned by epsilon-greedy play, one shot a turn, against a fleet that is unknown::

    Q(s, a) <- (1 - eta) Q(s, a) + eta (r + gamma max Q(s', a'))    eta = 1 / sqrt(moves so far)

The reward is what a shot adds to their score: a ship of n cells counts 20 n when all are hit, so
that a hit adds 20, and each move costs 1. ``--features identity`` is theirs: each state with each
action has a number of its own, 0 until it was tried, and of equal numbers the last action is taken,
as their program takes it. On fresh layouts a state is hardly ever met again, and what it plays is a
sweep of the board from its last cell: since the cells of a ship lie side by side, that ends sooner
than random shots do. ``--features cell`` describes a cell by the hits and the room around it, and
learns one weight a feature.

Source: Jordan Ebel and Kai Wan, AI learning agent for the game of Battleship (CS 221, 2016):
epsilon 0.1, the step, the score. They do not tell their discount.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from arena.rules import Rules, cells_of, draw, refuse_unknown
from arena.rules.rule_features import CERTAIN, SALVOS
from bots.tactics.learned.cell_features import FEATURES, CellFeatures
from bots.tactics.learned.q_table import QTable
from bots.tactics.learned.weight_files import Arrays
from bots.training.agent import LearningAgent, option

HIT_REWARD = 20.0
MOVE_COST = 1.0
SEEDS = 2**53
GAMES_AT_ONCE = 10


@dataclass(frozen=True)
class Settings:
    """The settings of a course; those of the source unless given."""

    games: int = option(1_000, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    rules: str = option("unknown", "A preset, or a TOML file; one shot a turn.")
    features: Literal["cell", "identity"] = option("cell", "What Q is a function of.")
    epsilon: float = option(0.1, "How often a random cell is shot.")
    discount: float = option(0.8, "What Q counts a move earlier.")


class Trainer(LearningAgent):
    """Ebel and Wan's agent at work.

    Raises:
        RulesError: If the rules have more than one shot a turn, or do not tell each cell.
    """

    bot = "q_learning"
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        reader = "this agent shoots one cell a turn, never one twice, and is told whether it hit"
        refuse_unknown(self.rules, CERTAIN - SALVOS | {"fleet_known", "lies"}, reader)
        self.moves = 0
        self.looks = CellFeatures(self.rules.rows, self.rules.columns)
        self.slopes = np.zeros(len(FEATURES))
        self.memory = QTable(self.rules.cells)

    def learn(self) -> list[int]:
        """Play some games, learning from each move; return the turns of each."""
        play = self._play_by_heart if self.settings.features == "identity" else self._play
        return [play() for _ in range(GAMES_AT_ONCE)]

    def _ships(self) -> NDArray[np.bool_]:
        layout = draw(self.rules, Random(int(self.random.integers(SEEDS))))
        ships = np.zeros(self.rules.cells, dtype=bool)
        ships[cells_of(sum(layout))] = True
        return ships

    def _step_size(self) -> float:
        self.moves += 1
        return float(1 / np.sqrt(self.moves))

    def _play(self) -> int:
        ships = self._ships()
        shot = np.zeros_like(ships)
        left, turns = int(ships.sum()), 0
        looks = self.looks.of(shot & ships, shot & ~ships)
        while left:
            untried = np.flatnonzero(~shot)
            eta = self._step_size()
            if self.random.random() < self.settings.epsilon:
                cell = int(self.random.choice(untried))
            else:
                # Of equal cells any, since none is told apart from the others.
                values = looks[untried] @ self.slopes + 1e-9 * self.random.random(len(untried))
                cell = int(untried[values.argmax()])
            tried = looks[cell]
            shot[cell] = True
            hit = bool(ships[cell])
            left -= hit
            turns += 1
            target = HIT_REWARD * hit - MOVE_COST
            if left:
                looks = self.looks.of(shot & ships, shot & ~ships)
                target += self.settings.discount * float((looks[~shot] @ self.slopes).max())
            self.slopes += eta * (target - tried @ self.slopes) * tried
        return turns

    def _play_by_heart(self) -> int:
        ships = self._ships()
        untried = list(range(self.rules.cells))
        state, left, turns = self.memory.start, int(ships.sum()), 0
        while left:
            eta = self._step_size()
            if self.random.random() < self.settings.epsilon:
                cell = untried[int(self.random.integers(len(untried)))]
            else:
                cell = self.memory.best(state, untried)[1]
            untried.remove(cell)
            hit = bool(ships[cell])
            after = self.memory.after(state, cell, hit=hit)
            left -= hit
            turns += 1
            target = HIT_REWARD * hit - MOVE_COST
            if left:
                target += self.settings.discount * self.memory.best(after, untried)[0]
            self.memory.learn(state, cell, target, eta)
            state = after
        return turns

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the moves so far, the weights of the features, and the memory."""
        return {"moves": np.array(self.moves), "slopes": self.slopes, **self.memory.arrays()}

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        self.moves = int(state["moves"])
        self.slopes = np.array(state["slopes"])
        self.memory = QTable(self.rules.cells, state)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the weights, and the board they were learned on."""
        board = {"rows": self.rules.rows, "columns": self.rules.columns}
        if self.settings.features == "identity":
            return "memory", self.memory.arrays(), board
        return "features", {"slopes": self.slopes}, board
