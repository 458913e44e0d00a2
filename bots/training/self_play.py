"""Learns the whole game for two by playing it: where to hide, and where others hide.

It plays the full salvo against bundled bots, and beside them against a pool of its earlier selves,
each seat equally often. It hides by a policy that places ship by ship: layouts that did better than
the mean against the same opponent become likelier. It shoots by the network of ``deep_salvo``,
which goes on learning where the ships of those that it met really lay. So where it hides too often,
its later selves look, and it has to hide elsewhere; bundled bots, most of which hide uniformly,
keep it from forgetting those who do not hide like itself.

Cells of a salvo are chosen one after another, as if those before had missed. (The bot, which has
the time, searches for a better set over layouts that it draws from the network.)

It needs PyTorch, the extra ``deep``; without it the command says how to install a build.

Source: playing against a pool of earlier selves is fictitious play by Brown (1951), in the form of
Heinrich and Silver, Deep reinforcement learning from self-play in imperfect-information games
(2016); the policy gradient is that of ``placing_learner``.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from arena.environments import BotSeat
from arena.rules import Rules, cells_of, other
from bots.tactics.learned.placement_network import Evidence, Floats
from bots.tactics.learned.placing_policy import Drawn, PlacingPolicy
from bots.tactics.learned.weight_files import Arrays
from bots.training import deep_salvo
from bots.training.agent import option
from bots.training.duels import SEATS, Duel, NetworkSeat, play
from bots.training.placing_learner import PlacingLearner

if TYPE_CHECKING:
    from bots.training.deep_learner import Learner

OPPONENTS = ("hunt_target", "probability_density", "deep_salvo")
"""The bundled bots that it plays against."""

EVERY = 4  # rounds after which there is an earlier self more
SEEDS = 1 << 62
TINY = 1e-6


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    rules: ClassVar[str] = "salvo"
    games: int = option(6_144, "Games against bundled bots to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    side_by_side: int = option(128, "Games against bundled bots that are played together.")
    selves: int = option(2, "Games against an earlier self beside each of them.", least=1)
    hiding: float = option(0.1, "The first step of Adam while it learns to hide; it fades.")
    entropy: float = option(0.02, "The bonus for hiding in many ways.")
    step: float = option(0.0005, "The first step of Adam while it learns to find; it fades.")
    batch: int = option(512, "Positions a step.")
    threads: int = option(1, "Threads; another number makes other weights.")
    device: Literal["cpu", "cuda"] = option("cpu", "What computes.")


class Trainer(deep_salvo.NetworkAgent):
    """The learner at work.

    Raises:
        UserError: If PyTorch is not installed.
    """

    bot = "self_play"
    counts = "points"
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        self.learner, self._past = self.bundled(), self.bundled()
        self.hiding = PlacingLearner(settings.entropy)
        self.earlier = [self._weights()]
        # They remember nothing from game to game.
        self._bots = [
            BotSeat(OPPONENTS[game % len(OPPONENTS)], self.rules)
            for game in range(min(settings.side_by_side, settings.games))
        ]

    def learn(self) -> list[int]:
        """Play games side by side, and learn from them; return the points of those against bots."""
        number = min(self.settings.side_by_side, self.settings.games - self.played)
        drawn, duels = self._begin(number)
        past = partial(_likely, self._past)
        play(duels, partial(_likely, self.learner), past)
        self._learn_to_find(duels)
        self._learn_to_hide(drawn, duels, number)
        self.played += number
        if self.played // self.settings.side_by_side % EVERY == 0:
            self.earlier.append(self._weights())
        return [int(duel.won) for duel in duels[:number]]

    def _begin(self, number: int) -> tuple[Drawn, list[Duel]]:
        """Return how it hides, and games against bots and then an earlier self, which begin."""
        selves = number * self.settings.selves
        drawn = self.hiding.policy.draw(number + selves, self.random)
        past = self.earlier[self.random.integers(len(self.earlier))]
        self._past.take(past)
        theirs = PlacingPolicy.of(past).draw(selves, self.random)
        duels = []
        for game in range(number + selves):
            seat = SEATS[self.random.integers(2)]
            opponent: NetworkSeat | BotSeat
            if game < number:
                opponent = self._bots[game]
                opponent.begin(other(seat), int(self.random.integers(SEEDS)))
            else:
                opponent = self._seat(theirs, game - number)
            duels.append(Duel(self.rules, seat, self._seat(drawn, game), opponent))
        return drawn, duels

    def _seat(self, drawn: Drawn, layout: int) -> NetworkSeat:
        return NetworkSeat(self.rules, drawn.masks(layout, self.rules.fleet))

    def _learn_to_find(self, duels: list[Duel]) -> None:
        """Show the network where the ships lay, position by position in random order."""
        known = Evidence.joined(lesson for duel in duels for lesson in duel.lessons)
        there = np.repeat(self._lie(duels), [len(duel.lessons) for duel in duels], axis=0)
        for rows in self.batches(len(there)):
            self.learner.teach(known.some(rows), there[rows], self.settings.step * self.faded)

    def _lie(self, duels: list[Duel]) -> NDArray[np.integer[Any]]:
        """Return the place of each ship that was shot at, games x ships."""
        ships = np.full((len(duels), self.places.cells), -1)
        for game, duel in enumerate(duels):
            for ship, mask in enumerate(duel.opponents_ships()):
                ships[game, cells_of(mask)] = ship
        return self.places.numbers_of(ships)

    def _learn_to_hide(self, drawn: Drawn, duels: list[Duel], number: int) -> None:
        """Make layouts likelier that did better than the mean against the same opponent."""
        worth = np.array([(1 if duel.won else -1) + duel.margin for duel in duels])
        opponents = np.arange(len(duels)) % len(OPPONENTS)
        opponents[number:] = len(OPPONENTS)
        merits = worth.copy()
        for opponent in np.unique(opponents):
            merits[opponents == opponent] -= worth[opponents == opponent].mean()
        merits /= merits.std() + TINY
        self.hiding.step(drawn, merits, self.settings.hiding * self.faded)

    def _weights(self) -> dict[str, Floats]:
        """Return all weights; copies, which learning does not change."""
        return {**self.learner.arrays(), **self.hiding.policy.arrays()}

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what it has learned, and its earlier selves."""
        kept = super().state()
        kept |= {f"hiding:{name}": part for name, part in self.hiding.state().items()}
        for number, weights in enumerate(self.earlier):
            kept |= {f"earlier:{number}:{name}": part for name, part in weights.items()}
        return kept

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        parts: dict[str, dict[str, NDArray[Any]]] = {"": {}, "hiding": {}, "earlier": {}}
        for name, part in state.items():
            kind, _, rest = name.partition(":")
            whose = kind if kind in parts else ""
            parts[whose][rest if whose else name] = part
        super().restore(parts[""])
        self.hiding.restore(parts["hiding"])
        selves: defaultdict[int, dict[str, Floats]] = defaultdict(dict)
        for name, part in parts["earlier"].items():
            number, _, rest = name.partition(":")
            selves[int(number)][rest] = part
        self.earlier = [selves[number] for number in sorted(selves)]

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the weights to find and to hide by, and the game that they are for."""
        purpose = self.game | {"shots": 0, "sinkings": self.origin.sinkings, "fleet": True}
        return self.stem, self._weights(), purpose


def _likely(learner: "Learner", known: Evidence) -> Floats:
    """Return how likely a network thinks a ship on each cell."""
    return learner.look(known, to_teach=True)[0]
