"""Policy gradient over salvos, with what brings it close to the optimum: an actor and a critic.

The actor is Ramesh's network, one probability for each set of n cells, with five changes:

- the reward is what is wanted, -1 a turn, not discounted;
- a salvo that is not legal has no probability in the gradient either;
- misses and hits are seen as two planes, since a unit cannot tell three values of one input apart;
- some games are played side by side for each step, by Adam, with a bonus for entropy that fades;
- what a turn was worth is judged by a critic that sees the hidden layout: most of what a game
  costs is the luck of the layout, and a critic without it leaves all that in the gradient.

The last matters most: without it the same steps stay 5 to 8% from the optimum of small games. It
leaves the gradient without bias as long as the critic sees what the actor sees as well.

Source: the asymmetric critic of Baisero and Amato, Unbiased asymmetric reinforcement learning under
partial observability (2021), without their recurrence.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import Rules
from bots.tactics.learned.salvo_network import board_inputs, salvos_of
from bots.tactics.learned.weight_files import Arrays
from bots.training.agent import LearningAgent, option
from bots.training.ramesh import every_layout

Floats = NDArray[np.float32]
Integers = NDArray[np.integer[Any]]

UNKNOWN = -1
NEVER = np.float32(-1e9)
BETA_1, BETA_2 = 0.9, 0.999  # of Adam, as its paper has them


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    games: int = option(96_000, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    rules: str = option("ramesh-5", "A preset, or a TOML file; fixed shots a turn.")
    batch: int = option(64, "Games played side by side for each step.")
    units: int = option(128, "Hidden units of the actor.")
    critic_units: int = option(64, "Hidden units of the critic.")
    step: float = option(0.005, "The first step of Adam; it fades.")
    entropy: float = option(0.02, "The bonus for entropy; it fades.")


class Step(NamedTuple):
    """One turn of the games that are not over: what was seen and done, a row a game."""

    games: Integers
    inputs: Floats
    units: Floats
    probabilities: Floats
    salvos: Integers


class Trainer(LearningAgent):
    """Actor and critic at work.

    Raises:
        RulesError: If the shots a turn are not fixed, or the game has too many layouts or salvos.
    """

    bot = "actor_critic"
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        self.ships = (every_layout(self.rules) >= 0).astype(np.int8)
        cells = self.rules.cells
        self.salvos = salvos_of(cells, int(self.rules.shots))
        self.holds = np.zeros((cells, len(self.salvos)), dtype=np.float32)
        self.holds[self.salvos, np.arange(len(self.salvos))[:, None]] = 1
        shapes = {
            "hidden": (2 * cells, settings.units),
            "output": (settings.units, len(self.salvos)),
            "critic_hidden": (3 * cells, settings.critic_units),
            "critic_output": (settings.critic_units, 1),
        }
        self.parts: dict[str, Floats] = {}
        for name, (inputs, outputs) in shapes.items():
            drawn = self.random.standard_normal((inputs, outputs), dtype=np.float32)
            scale = 1 / np.sqrt(inputs) if "hidden" in name else 0.01
            self.parts[name] = (scale * drawn).astype(np.float32)
            self.parts[f"{name}_bias"] = np.zeros(outputs, dtype=np.float32)
        self.means = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.squares = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.steps = 0

    def learn(self) -> list[int]:
        """Play a batch of games, and go one step; return the turns of each."""
        left = self.settings.games - self.steps * self.settings.batch
        batch = min(self.settings.batch, left)
        ships = self.ships[self.random.integers(len(self.ships), size=batch)]
        turns, steps = self._play(ships)
        self._adam(self._gradient(ships, turns, steps))
        return [int(count) for count in turns]

    def _play(self, ships: Integers) -> tuple[Integers, list[Step]]:
        """Play one game for each layout by chance; return the turns of each, and all steps."""
        boards = np.full(ships.shape, UNKNOWN, dtype=np.int8)
        left = ships.sum(axis=1)
        turns = np.zeros(len(ships), dtype=np.int64)
        going = np.arange(len(ships))
        steps = []
        while going.size:
            seen = boards[going]
            legal = (seen != UNKNOWN).astype(np.float32) @ self.holds == 0
            # With fewer cells left than shots all of them are shot, whatever the network says.
            forced = ~legal.any(axis=1)
            if forced.any():
                turns[going[forced]] += 1
                going, seen, legal = going[~forced], seen[~forced], legal[~forced]
            inputs = board_inputs(seen, planes=2).astype(np.float32)
            units = np.tanh(inputs @ self.parts["hidden"] + self.parts["hidden_bias"])
            scores = units @ self.parts["output"] + self.parts["output_bias"]
            probabilities = _softmax(np.where(legal, scores, NEVER))
            chance = probabilities.cumsum(axis=1)
            drawn = self.random.random((len(going), 1)) * chance[:, -1:]
            salvos = np.minimum((chance <= drawn).sum(axis=1), len(self.salvos) - 1)
            steps.append(Step(going, inputs, units, probabilities, salvos))
            cells = self.salvos[salvos]
            struck = ships[going[:, None], cells]
            boards[going[:, None], cells] = struck
            left[going] -= struck.sum(axis=1)
            turns[going] += 1
            going = going[left[going] > 0]
        return turns, steps

    def _gradient(self, ships: Integers, turns: Integers, steps: list[Step]) -> dict[str, Floats]:
        settings, parts = self.settings, self.parts
        games, inputs, units, probabilities, salvos = (
            np.concatenate(x) for x in zip(*steps, strict=True)
        )
        begun = np.concatenate([np.full(len(s.games), number) for number, s in enumerate(steps)])
        worth = -(turns[games] - begun).astype(np.float32)
        critic_inputs = np.concatenate([inputs, ships[games].astype(np.float32)], axis=1)
        critic_units = np.tanh(critic_inputs @ parts["critic_hidden"] + parts["critic_hidden_bias"])
        judged = (critic_units @ parts["critic_output"] + parts["critic_output_bias"])[:, 0]
        merit = worth - judged
        merit /= merit.std() + np.float32(1e-6)

        slope = probabilities.copy()
        slope[np.arange(len(salvos)), salvos] -= 1
        slope *= merit[:, None]
        logarithms = np.log(probabilities + np.float32(1e-12))
        entropy = -(probabilities * logarithms).sum(axis=1, keepdims=True)
        slope += settings.entropy * self._faded * probabilities * (logarithms + entropy)
        slope /= len(salvos)
        inner = (slope @ parts["output"].T) * (1 - units**2)
        error = ((judged - worth) / np.float32(len(salvos)))[:, None]
        critic_inner = (error @ parts["critic_output"].T) * (1 - critic_units**2)
        return {
            "hidden": inputs.T @ inner,
            "hidden_bias": inner.sum(axis=0),
            "output": units.T @ slope,
            "output_bias": slope.sum(axis=0),
            "critic_hidden": critic_inputs.T @ critic_inner,
            "critic_hidden_bias": critic_inner.sum(axis=0),
            "critic_output": critic_units.T @ error,
            "critic_output_bias": error.sum(axis=0),
        }

    def _adam(self, gradient: dict[str, Floats]) -> None:
        size = self.settings.step * self._faded
        self.steps += 1
        for name, slope in gradient.items():
            self.means[name] += (1 - BETA_1) * (slope - self.means[name])
            self.squares[name] += (1 - BETA_2) * (slope**2 - self.squares[name])
            mean = self.means[name] / (1 - BETA_1**self.steps)
            square = self.squares[name] / (1 - BETA_2**self.steps)
            self.parts[name] -= (size * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    @property
    def _faded(self) -> float:
        return 1 - self.steps * self.settings.batch / self.settings.games

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the weights, Adam's means and squares, and its steps."""
        kept = {"steps": np.array(self.steps)}
        for kind, arrays in (("", self.parts), ("mean:", self.means), ("square:", self.squares)):
            kept |= {f"{kind}{name}": values for name, values in arrays.items()}
        return kept

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        self.steps = int(state["steps"])
        for name in self.parts:
            self.parts[name] = state[name]
            self.means[name] = state[f"mean:{name}"]
            self.squares[name] = state[f"square:{name}"]

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the actor's weights, and the game they are for."""
        actor = {name: part for name, part in self.parts.items() if not name.startswith("critic")}
        return self.stem, actor, self.game | {"planes": 2}


def _softmax(scores: Floats) -> Floats:
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), scores.dtype)
