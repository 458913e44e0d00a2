"""The network of deep_salvo, improved on a GPU by a million games whose luck is taken away.

Boards lie where the network is computed (``bots.training.deep_boards``), so a GPU plays thousands
of games a second; a processor takes days for as many. The network is taught where the hidden ships
lay, as ``salvo train deep_salvo`` does. Then it improves by the policy gradient, and is taught at
the same time.

Most of what a game costs is luck: of some eight shots that games differ by, choices are worth few
tenths. So a judge learns beside the network how many misses are left at a position, ``v``, and if
the shot at a cell hits or misses, ``h`` and ``m``. With the chance ``p`` of a hit that the network
gives,

    q = p h + (1 - p) (1 + m)

is what a shot is expected to cost, and what its answer cost more is luck. That is taken away from
what the game cost from the shot on. Its mean is 0 whatever ``h`` and ``m`` are, as far as ``p`` is
right, so what is left has the same mean and is several times less noisy. How much less it is than
``v`` is what the shot was worth.

It needs PyTorch, the extra ``deep``; without it the command says how to install a build.

Source: improving is Schulman and others, Proximal policy optimization (2017), with the generalised
advantages of theirs (2015). Luck is taken away as ``docs/luck.md`` says.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from arena.errors import RulesError, UserError
from arena.rules import Rules
from bots.tactics.learned.placement_network import FleetPlacements
from bots.tactics.learned.weight_files import Arrays
from bots.training.agent import LearningAgent, option
from bots.training.deep_salvo import learnable, needs_torch

if TYPE_CHECKING:
    from bots.training.judged_network import JudgedLearner


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    games: int = option(1_000_000, "Games to train for.")
    taught: int = option(250_000, "Of them, those that it is taught by; then it improves.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    rules: str = option("classic", "A preset, or a TOML file; one shot a turn, sinkings named.")
    channels: int = option(64, "Channels of each convolution.")
    rounds: int = option(4, "Looks at the board.")
    boards: int = option(8192, "Boards that are played together.")
    salvos: float = option(0.1, "Boards with a salvo a turn, as a share; they teach alone.")
    moves: int = option(32, "Shots at each board between two lessons.")
    batch: int = option(8192, "Positions a step.")
    step: float = option(0.002, "The first step of Adam while taught.")
    finer: float = option(0.0006, "The same while improving.")
    far: float = option(
        0.95, "What each later shot says of a shot's worth, against the one before."
    )
    bfloat16: bool = option(
        default=False, text="Compute with 16 bits, which some processors do faster."
    )
    threads: int = option(1, "Threads; another number makes other weights.")
    device: Literal["cpu", "cuda"] = option("cpu", "What plays and computes.")


class Trainer(LearningAgent):
    """The network at work.

    Raises:
        RulesError: If the rules have more than one shot a turn, or do not name what sinks.
        UserError: If PyTorch is not installed, or has not the device, or all boards take salvos.
    """

    bot = "deep_salvo"
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        rules = learnable(self.rules)
        if rules.sinkings != "named":
            raise RulesError(f"{rules.name}: this agent learns where sinkings are named")
        self.places = FleetPlacements(rules.rows, rules.columns, self.game["lengths"], named=True)
        salvos = round(settings.boards * settings.salvos)
        if not 0 <= salvos < settings.boards:
            raise UserError(
                f"salvo train: --salvos {settings.salvos}: give a share from 0 to 1 that leaves "
                f"some of the {settings.boards} boards for games of one shot a turn"
            )
        needs_torch(settings.device)
        self.learner = self._learner(salvos)
        self.played = 0

    def _learner(self, salvos: int) -> "JudgedLearner":
        from bots.training.judged_network import JudgedLearner  # noqa: PLC0415 - it needs the extra

        given = self.settings
        return JudgedLearner(
            self.places,
            channels=given.channels,
            rounds=given.rounds,
            batch=given.batch,
            seed=given.seed,
            bfloat16=given.bfloat16,
            device=given.device,
            threads=given.threads,
            boards=given.boards,
            salvos=salvos,
        )

    def learn(self) -> list[int]:
        """Play a while on all boards, and learn; return the turns of the games that ended.

        Games with a salvo a turn are not counted.
        """
        given = self.settings
        teaching = self.played < given.taught
        seeds = self.random.integers(1 << 62, size=2)
        turns = self.learner.play(given.moves, given.far, int(seeds[0]))
        rate = self._rate()
        self.learner.learn(rate, int(seeds[1]), improving=not teaching)
        turns = turns[: given.games - self.played]
        self.played += len(turns)
        return turns

    def _rate(self) -> float:
        """Return the size of a step: it falls along a straight line in each stage."""
        given = self.settings
        if self.played < given.taught:
            return given.step * (1.05 - self.played / given.taught)
        share = (self.played - given.taught) / (given.games - given.taught)
        return given.finer * (1.02 - share)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the games so far, the weights, what Adam keeps, and the boards in play."""
        return {"played": np.array(self.played), **self.learner.state()}

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        self.played = int(state["played"])
        self.learner.restore(state)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the network's weights, and the game that they are for."""
        purpose = self.game | {"shots": 0, "sinkings": True, "fleet": True}
        return self.stem, self.learner.arrays(), purpose
