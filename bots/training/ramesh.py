"""Ramesh's policy gradient over salvos: the source's agent as it was, and his own improvements.

Landy's network and reward, with one output for each set of n cells of an m x m board. Where fewer
than n cells are left there is no such set, and the last ones are shot without asking.

The reward takes off what a random shooter expects to hit. By his text that is the ship cells left
divided by the cells left, which is what *one* shot expects: in a salvo of two the reward of every
salvo comes out too high by the same again, whatever it hit, and the likeliest salvo is pushed up
for no merit. ``--expected shot`` is that; ``--expected salvo`` counts every shot.

His improvements, each by itself: ``--sunk`` shows which ships are sunk (and trains by rules that
tell), ``--convolution`` looks at each cell with the eight around it first, ``--fleet`` shows the
lengths of the ships, which within one game never change and so can only act as a bias.

Source: Amrit Ramesh, Deep reinforcement learning to train an AI to play Battleship Salvo: 10,000
games, his five cases; the network, the start and the step of Landy's program.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from arena.errors import RulesError
from arena.rules import Rules, placements, refuse_unknown
from arena.rules.rule_features import CERTAIN, TOUCHING
from bots.tactics.learned.salvo_network import patches_of, salvos_of
from bots.tactics.learned.weight_files import Arrays
from bots.training.agent import LearningAgent, option
from bots.training.policy_gradient import Floats, TanhNetwork, discounted, small_weights

Integers = NDArray[np.integer[Any]]

UNKNOWN = -1
GAMES_AT_ONCE = 100
MOST_LAYOUTS = 100_000
MOST_SALVOS = 5_000


@dataclass(frozen=True)
class Settings:
    """The settings of a course; those of the source unless given."""

    games: int = option(10_000, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    rules: str = option("ramesh-5", "A preset, or a TOML file; fixed shots a turn.")
    step: float = option(0.06, "The step along the gradient.")
    discount: float = option(0.5, "What a hit counts a turn earlier.")
    expected: Literal["salvo", "shot"] = option(
        "salvo", "Hits expected of chance: of all shots, or of one."
    )
    units: int = option(0, "Hidden units; 0: one a cell.", least=0)
    sunk: bool = option(default=False, text="Show which ships are sunk.")
    convolution: int = option(0, "Filters of 3x3 cells; 0: none.", least=0)
    fleet: bool = option(default=False, text="Show the lengths of the ships.")


class Turn(NamedTuple):
    """The view of one turn, the salvo fired, and how many of its shots hit."""

    board: Integers
    extra: Floats
    salvo: int
    hits: int


class Trainer(LearningAgent):
    """Ramesh's agent at work.

    Raises:
        RulesError: If the shots a turn are not fixed, or the game has too many layouts or salvos.
    """

    bot = "ramesh"
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        if settings.sunk:
            self.rules = replace(self.rules, sinkings="named")
        self.ships = every_layout(self.rules)
        self.shots = int(self.rules.shots)
        cells = self.rules.cells
        self.salvos = salvos_of(cells, self.shots)
        self.holds = np.zeros((len(self.salvos), cells), dtype=bool)
        self.holds[np.arange(len(self.salvos))[:, None], self.salvos] = True
        self.patches = patches_of(self.rules.rows, self.rules.columns)
        lengths = np.array([ship.length for ship in self.rules.fleet], dtype=float)
        self.order = np.argsort(-lengths, kind="stable")
        self.lengths = lengths[self.order] / max(self.rules.rows, self.rules.columns)
        extra = len(lengths) * (settings.sunk + settings.fleet)
        inputs = cells * (settings.convolution or 1) + extra
        self.network = TanhNetwork(self.random, inputs, settings.units or cells, len(self.salvos))
        if settings.convolution:
            # Not as small: a sum of nine signs in place of one for each cell of the board.
            self.parts["kernel"] = 10 * small_weights(self.random, 9, settings.convolution)
            self.parts["kernel_bias"] = np.zeros(settings.convolution)

    @property
    def parts(self) -> dict[str, Floats]:
        """Return the weights by their names."""
        return self.network.parts

    def learn(self) -> list[int]:
        """Play some games, and learn from each; return the turns of each."""
        return [self._learn_from_game() for _ in range(GAMES_AT_ONCE)]

    def _learn_from_game(self) -> int:
        turns, count = self._play()
        for turn, reward in zip(turns, self._rewards(turns), strict=True):
            self._step(turn, self.settings.step * reward)
        return count

    def _play(self) -> tuple[list[Turn], int]:
        """Play one game by chance; return the turns of which the network chose, and how many."""
        ships = self.ships[self.random.integers(len(self.ships))]
        board = np.full(self.rules.cells, UNKNOWN, dtype=np.int8)
        legal = np.ones(len(self.salvos), dtype=bool)
        left = int((ships >= 0).sum())
        turns: list[Turn] = []
        while left:
            if not legal.any():
                return turns, len(turns) + 1
            extra = self._extra(board, ships)
            probabilities = np.where(legal, self._forward(board, extra), 0.0)
            chance = np.cumsum(probabilities)
            salvo = int(np.searchsorted(chance, self.random.random() * chance[-1], side="right"))
            cells = self.salvos[salvo]
            hits = int((ships[cells] >= 0).sum())
            turns.append(Turn(board.copy(), extra, salvo, hits))
            board[cells] = ships[cells] >= 0
            left -= hits
            legal &= ~self.holds[:, cells].any(axis=1)
        return turns, len(turns)

    def _extra(self, board: Integers, ships: Integers) -> Floats:
        shown = []
        if self.settings.sunk:
            sunk = [(board[ships == ship] == 1).all() for ship in self.order]
            shown.append(np.array(sunk, dtype=float))
        if self.settings.fleet:
            shown.append(self.lengths)
        return np.concatenate(shown) if shown else np.zeros(0)

    def _rewards(self, turns: list[Turn]) -> list[float]:
        """Return the reward of each turn; see ``bots.training.landy``."""
        left = int((self.ships[0] >= 0).sum())
        counted = self.shots if self.settings.expected == "salvo" else 1
        excess = []
        for number, turn in enumerate(turns):
            excess.append(turn.hits - counted * left / (self.rules.cells - self.shots * number))
            left -= turn.hits
        return discounted(excess, self.settings.discount)

    def _forward(self, board: Integers, extra: Floats) -> Floats:
        return self.network.forward(self._inputs(board, extra)[1])[1]

    def _inputs(self, board: Integers, extra: Floats) -> tuple[Floats, Floats]:
        """Return each cell's surroundings, and the inputs of the hidden layer."""
        parts = self.parts
        seen = board.astype(float)
        around = np.zeros((0, 9))
        if "kernel" in parts:
            around = np.append(seen, 0.0)[self.patches]
            seen = np.tanh(around @ parts["kernel"] + parts["kernel_bias"]).ravel()
        return around, np.concatenate([seen, extra])

    def _step(self, turn: Turn, step: float) -> None:
        """Go a step up the gradient of the logarithm of a salvo's probability."""
        parts = self.parts
        around, inputs = self._inputs(turn.board, turn.extra)
        below = self.network.step(inputs, turn.salvo, step)
        if "kernel" in parts:
            filters = parts["kernel"].shape[1]
            cells = inputs[: len(around) * filters]
            below = (below[: len(cells)] * (1 - cells**2)).reshape(len(around), filters)
            parts["kernel"] += step * (around.T @ below)
            parts["kernel_bias"] += step * below.sum(axis=0)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights by their names."""
        return self.parts

    def restore(self, state: Arrays) -> None:
        """Go on from such weights."""
        self.network.parts = dict(state)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the weights, and the game they are for."""
        shown = {"sinkings": self.settings.sunk, "fleet": self.settings.fleet}
        return self.stem, self.parts, self.game | shown


def every_layout(rules: Rules) -> Integers:
    """Return which ship lies on each cell, or -1, of every layout: layouts x cells.

    Raises:
        RulesError: If the shots a turn are not fixed, the rules do not tell each cell, ships may
            not touch, or there are too many layouts or salvos.
    """
    reader = "this agent fires salvos of one size, each cell is reported, and ships may touch"
    understood = CERTAIN - TOUCHING - {"shots=afloat", "shots=by-ship"}
    others = {"fleet_known", "moves", "reshoot", "lies"}
    refuse_unknown(rules, understood | others, reader)
    assert isinstance(rules.shots, int)
    if rules.cells**rules.shots > MOST_SALVOS:
        raise RulesError(
            f"rules '{rules.name}': a network names each salvo, and there are more than "
            f"{MOST_SALVOS}; take a smaller game, as ramesh-5"
        )
    layouts = np.full((1, rules.cells), -1, dtype=np.int8)
    for number, ship in enumerate(rules.fleet):
        grown = []
        for mask in placements(rules.rows, rules.columns, ship.length):
            cells = [cell for cell in range(rules.cells) if mask >> cell & 1]
            free = layouts[(layouts[:, cells] < 0).all(axis=1)].copy()
            free[:, cells] = number
            grown.append(free)
        layouts = np.concatenate(grown)
        if len(layouts) > MOST_LAYOUTS:
            raise RulesError(
                f"rules '{rules.name}', fleet: more than {MOST_LAYOUTS} layouts; "
                "take a smaller game, as ramesh-5"
            )
    return layouts
