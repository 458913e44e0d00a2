"""Landy's policy gradient on a row: the source's agent as it was.

A network with one hidden layer of tanh names the next cell of a row of 10 with one ship of 3. It
plays a game by chance, as its probabilities have it; then each shot is made likelier or less
likely by its reward, the hits from then on less what a random shooter expects::

    r(t0) = sum over t >= t0 of (h(t) - mean h(t)) 0.5 ** (t - t0)

Source: Jonathan Landy, Deep reinforcement learning, battleship: 10 hidden units, step 0.06, 10,000
games. As there, the gradient is that of the softmax over all cells, although cells that were shot
are left out when one is drawn.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.rules import cells_of, draw, refuse_unknown
from arena.rules.rule_features import CERTAIN, SALVOS
from bots.tactics.learned.weight_files import Arrays
from bots.training.read_rules import read_rules

Floats = NDArray[np.float64]

UNKNOWN = -1.0
SEEDS = 2**53
GAMES_AT_ONCE = 100
"""Games between two looks at the progress."""


@dataclass(frozen=True)
class Settings:
    """The settings of a course; those of the source unless given."""

    games: int = field(default=10_000, metadata={"help": "Games to train for."})
    seed: int = field(default=1, metadata={"help": "What all randomness derives from.", "least": 0})
    rules: str = field(
        default="row-10-3", metadata={"help": "A preset, or a TOML file; one shot a turn."}
    )
    units: int = field(default=10, metadata={"help": "Hidden units."})
    step: float = field(default=0.06, metadata={"help": "The step along the gradient."})
    discount: float = field(default=0.5, metadata={"help": "What a hit counts a shot earlier."})


class Trainer:
    """Landy's agent at work; see ``bots.training.course.Trainer``.

    Raises:
        RulesError: If the rules have more than one shot a turn, or do not tell each cell.
    """

    bot = "landy"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rules = read_rules(settings.rules)
        reader = "this agent shoots one cell a turn and is told whether it hit"
        understood = CERTAIN - SALVOS | {"fleet_known", "moves", "reshoot", "lies"}
        refuse_unknown(self.rules, understood, reader)
        self.random = np.random.default_rng(settings.seed)
        cells, units = self.rules.cells, settings.units
        self.hidden = _small(self.random, cells, units)
        self.hidden_bias = np.zeros(units)
        self.output = _small(self.random, units, cells)
        self.output_bias = np.zeros(cells)

    def learn(self) -> list[int]:
        """Play some games, and learn from each; return the turns of each."""
        return [self._learn_from_game() for _ in range(GAMES_AT_ONCE)]

    def _learn_from_game(self) -> int:
        boards, shots, hits = self.play()
        rewards = rewards_of(hits, self.rules.cells, self.settings.discount)
        for board, shot, reward in zip(boards, shots, rewards, strict=True):
            self._step(board, shot, self.settings.step * reward)
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
            _, probabilities = self._forward(board)
            probabilities = np.where(board == UNKNOWN, probabilities, 0.0)
            shot = int(self.random.choice(len(board), p=probabilities / probabilities.sum()))
            boards.append(board.copy())
            shots.append(shot)
            hits.append(int(shot in ships))
            board[shot] = hits[-1]
        return boards, shots, hits

    def _forward(self, board: Floats) -> tuple[Floats, Floats]:
        """Return the hidden units and the probability of each cell."""
        units = np.tanh(board @ self.hidden + self.hidden_bias)
        scores = units @ self.output + self.output_bias
        odds = np.exp(scores - scores.max())
        return units, odds / odds.sum()

    def _step(self, board: Floats, shot: int, step: float) -> None:
        """Go a step up the gradient of the logarithm of a shot's probability."""
        units, probabilities = self._forward(board)
        slope = -probabilities
        slope[shot] += 1
        inner = (self.output @ slope) * (1 - units**2)
        self.output += step * np.outer(units, slope)
        self.output_bias += step * slope
        self.hidden += step * np.outer(board, inner)
        self.hidden_bias += step * inner

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights by their names."""
        names = ("hidden", "hidden_bias", "output", "output_bias")
        return {name: getattr(self, name) for name in names}

    def restore(self, state: Arrays) -> None:
        """Go on from such weights."""
        for name, values in state.items():
            setattr(self, name, values)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the weights, and the game they are for."""
        lengths = tuple(sorted((ship.length for ship in self.rules.fleet), reverse=True))
        board = {"rows": self.rules.rows, "columns": self.rules.columns, "lengths": lengths}
        return self.rules.name, self.state(), board


def rewards_of(hits: list[int], cells: int, discount: float) -> list[float]:
    """Return the reward of each shot of a game.

    Args:
        hits: Whether each shot hit.
        cells: The cells of the board.
        discount: What a hit counts a shot earlier.
    """
    left = sum(hits)
    excess = []
    for shot, hit in enumerate(hits):
        excess.append(hit - left / (cells - shot))
        left -= hit
    rewards: list[float] = []
    ahead = 0.0
    for value in reversed(excess):
        ahead = value + discount * ahead
        rewards.append(ahead)
    return rewards[::-1]


def _small(random: np.random.Generator, inputs: int, outputs: int) -> Floats:
    """Return small normal weights, cut off at two standard deviations."""
    drawn = random.standard_normal((inputs, outputs))
    while (far := np.abs(drawn) > 2).any():  # noqa: PLR2004 - standard deviations
        drawn[far] = random.standard_normal(int(far.sum()))
    small: Floats = 0.1 / np.sqrt(inputs) * drawn
    return small
