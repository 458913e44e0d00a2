"""Landy's policy gradient on a row: the source's agent as it was.

A network with one hidden layer of tanh names the next cell of a row of 10 with one ship of 3. It
plays a game by chance, as its probabilities have it; then each shot is made likelier or less
likely by its reward, the hits from then on less what a random shooter expects::

    r(t0) = sum over t >= t0 of (h(t) - mean h(t)) 0.5 ** (t - t0)

Source: Jonathan Landy, Deep reinforcement learning, battleship: 10 hidden units, step 0.06, 10,000
games. As there, the gradient is that of the softmax over all cells, although cells that were shot
are left out when one is drawn.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.rules import Rules, cells_of, draw, refuse_unknown
from arena.rules.rule_features import CERTAIN, SALVOS
from bots.tactics.learned.weight_files import Arrays
from bots.training.agent import LearningAgent, option
from bots.training.policy_gradient import Floats, TanhNetwork, discounted

UNKNOWN = -1.0
SEEDS = 2**53
GAMES_AT_ONCE = 100  # games between two looks at the progress


@dataclass(frozen=True)
class Settings:
    """The settings of a course; those of the source unless given."""

    games: int = option(10_000, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    rules: str = option("row-10-3", "A preset, or a TOML file; one shot a turn.")
    units: int = option(10, "Hidden units.")
    step: float = option(0.06, "The step along the gradient.")
    discount: float = option(0.5, "What a hit counts a shot earlier.")


class Trainer(LearningAgent):
    """Landy's agent at work.

    Raises:
        RulesError: If the rules have more than one shot a turn, or do not report each cell.
    """

    bot = "landy"
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        reader = "this agent shoots one cell a turn and is told whether it hit"
        understood = CERTAIN - SALVOS | {"fleet_known", "moves", "reshoot", "lies"}
        refuse_unknown(self.rules, understood, reader)
        cells = self.rules.cells
        self.network = TanhNetwork(self.random, cells, settings.units, cells)

    def learn(self) -> list[int]:
        """Play some games, and learn from each; return the turns of each."""
        return [self._learn_from_game() for _ in range(GAMES_AT_ONCE)]

    def _learn_from_game(self) -> int:
        boards, shots, hits = self.play()
        rewards = rewards_of(hits, self.rules.cells, self.settings.discount)
        for board, shot, reward in zip(boards, shots, rewards, strict=True):
            self.network.step(board, shot, self.settings.step * reward)
        return len(shots)

    def play(self) -> tuple[list[Floats], list[int], list[int]]:
        """Play one game by chance; return each board seen, each shot, and whether it hit."""
        layout = draw(self.rules, Random(int(self.random.integers(SEEDS))))
        ships = set(cells_of(sum(layout)))
        board = np.full(self.rules.cells, UNKNOWN)
        boards: list[Floats] = []
        shots: list[int] = []
        hits: list[int] = []
        while sum(hits) < len(ships):
            _, probabilities = self.network.forward(board)
            probabilities = np.where(board == UNKNOWN, probabilities, 0.0)
            shot = int(self.random.choice(len(board), p=probabilities / probabilities.sum()))
            boards.append(board.copy())
            shots.append(shot)
            hits.append(int(shot in ships))
            board[shot] = hits[-1]
        return boards, shots, hits

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights by their names."""
        return self.network.parts

    def restore(self, state: Arrays) -> None:
        """Go on from such weights."""
        self.network.parts = dict(state)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the weights, and the game they are for."""
        return self.stem, self.network.parts, self.game


def rewards_of(hits: list[int], cells: int, discount: float) -> list[float]:
    """Return the reward of each shot of a game, given whether each hit."""
    left = sum(hits)
    excess = []
    for shot, hit in enumerate(hits):
        excess.append(hit - left / (cells - shot))
        left -= hit
    return discounted(excess, discount)
