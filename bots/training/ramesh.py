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

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from arena.errors import RulesError
from arena.rules import Rules, placements, refuse_unknown
from arena.rules.rule_features import CERTAIN, TOUCHING
from bots.tactics.learned.salvo_network import patches_of, salvos_of
from bots.tactics.learned.weight_files import Arrays
from bots.training.read_rules import read_rules

Floats = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]

UNKNOWN = -1
GAMES_AT_ONCE = 100
MOST_LAYOUTS = 100_000
MOST_SALVOS = 5_000


@dataclass(frozen=True)
class Settings:
    """The settings of a course; those of the source unless given."""

    games: int = field(default=10_000, metadata={"help": "Games to train for."})
    seed: int = field(default=1, metadata={"help": "What all randomness derives from.", "least": 0})
    rules: str = field(
        default="ramesh-5", metadata={"help": "A preset, or a TOML file; fixed shots a turn."}
    )
    step: float = field(default=0.06, metadata={"help": "The step along the gradient."})
    discount: float = field(default=0.5, metadata={"help": "What a hit counts a turn earlier."})
    expected: Literal["salvo", "shot"] = field(
        default="salvo", metadata={"help": "Hits expected of chance: of all shots, or of one."}
    )
    units: int = field(default=0, metadata={"help": "Hidden units; 0: one a cell.", "least": 0})
    sunk: bool = field(default=False, metadata={"help": "Show which ships are sunk."})
    convolution: int = field(
        default=0, metadata={"help": "Filters of 3x3 cells; 0: none.", "least": 0}
    )
    fleet: bool = field(default=False, metadata={"help": "Show the lengths of the ships."})


class Turn(NamedTuple):
    """What was seen in one turn, which salvo was fired, and how many of its shots hit."""

    board: Integers
    extra: Floats
    salvo: int
    hits: int


class Trainer:
    """Ramesh's agent at work; see ``bots.training.course.Trainer``.

    Args:
        settings: The settings.
        rules: The rules, where they have no name for the settings.

    Raises:
        RulesError: If the shots a turn are not fixed, or the game has too many layouts or salvos.
    """

    bot = "ramesh"

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        self.settings = settings
        rules = rules or read_rules(settings.rules)
        self.rules = replace(rules, sinkings="named") if settings.sunk else rules
        self.ships = every_layout(self.rules)
        self.shots = int(self.rules.shots)
        self.random = np.random.default_rng(settings.seed)
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
        units = settings.units or cells
        self.parts = {
            "hidden": _small(self.random, inputs, units),
            "hidden_bias": np.zeros(units),
            "output": _small(self.random, units, len(self.salvos)),
            "output_bias": np.zeros(len(self.salvos)),
        }
        if settings.convolution:
            # Not as small: a sum of nine signs in place of one for each cell of the board.
            self.parts["kernel"] = 10 * _small(self.random, 9, settings.convolution)
            self.parts["kernel_bias"] = np.zeros(settings.convolution)

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
            probabilities = np.where(legal, self._forward(board, extra)[-1], 0.0)
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
        """Return what is shown beside the board."""
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
        rewards: list[float] = []
        ahead = 0.0
        for value in reversed(excess):
            ahead = value + self.settings.discount * ahead
            rewards.append(ahead)
        return rewards[::-1]

    def _forward(self, board: Integers, extra: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return each cell's surroundings, the inputs, the units, the salvos' probabilities."""
        parts = self.parts
        seen = board.astype(float)
        around = np.zeros((0, 9))
        if "kernel" in parts:
            around = np.append(seen, 0.0)[self.patches]
            seen = np.tanh(around @ parts["kernel"] + parts["kernel_bias"]).ravel()
        inputs = np.concatenate([seen, extra])
        units = np.tanh(inputs @ parts["hidden"] + parts["hidden_bias"])
        scores = units @ parts["output"] + parts["output_bias"]
        odds = np.exp(scores - scores.max())
        return around, inputs, units, odds / odds.sum()

    def _step(self, turn: Turn, step: float) -> None:
        """Go a step up the gradient of the logarithm of a salvo's probability."""
        parts = self.parts
        around, inputs, units, probabilities = self._forward(turn.board, turn.extra)
        slope = -probabilities
        slope[turn.salvo] += 1
        inner = (parts["output"] @ slope) * (1 - units**2)
        if "kernel" in parts:
            filters = parts["kernel"].shape[1]
            cells = inputs[: len(around) * filters]
            below = (parts["hidden"] @ inner)[: len(cells)] * (1 - cells**2)
            below = below.reshape(len(around), filters)
            parts["kernel"] += step * (around.T @ below)
            parts["kernel_bias"] += step * below.sum(axis=0)
        parts["output"] += step * np.outer(units, slope)
        parts["output_bias"] += step * slope
        parts["hidden"] += step * np.outer(inputs, inner)
        parts["hidden_bias"] += step * inner

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights by their names."""
        return dict(self.parts)

    def restore(self, state: Arrays) -> None:
        """Go on from such weights."""
        self.parts = dict(state)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the weights, and the game they are for."""
        shown = {"sinkings": self.settings.sunk, "fleet": self.settings.fleet}
        return self.rules.name, self.parts, purpose_of(self.rules) | shown


def purpose_of(rules: Rules) -> dict[str, Any]:
    """Return the fields of ``Origin`` that tell the game of some rules."""
    lengths = tuple(sorted((ship.length for ship in rules.fleet), reverse=True))
    return {
        "rows": rules.rows,
        "columns": rules.columns,
        "lengths": lengths,
        "shots": rules.shots,
    }


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


def _small(random: np.random.Generator, inputs: int, outputs: int) -> Floats:
    """Return small normal weights, cut off at two standard deviations."""
    drawn = random.standard_normal((inputs, outputs))
    while (far := np.abs(drawn) > 2).any():  # noqa: PLR2004 - standard deviations
        drawn[far] = random.standard_normal(int(far.sum()))
    small: Floats = 0.1 / np.sqrt(inputs) * drawn
    return small
