"""A network that learns the posterior from hidden layouts, and then what pays beyond it.

It plays games side by side, and learns in two stages. First it is taught: for every position that
it came to by itself it is shown where the ships really lie, and learns how likely each placement
of each ship is. No posterior is computed for that: over many layouts, the cross-entropy is least
where the network gives the posterior. Then it improves: it draws its shots by what they are worth
to it, and those that saved more misses than expected become likelier. What is expected is told by
a critic that sees the hidden layout, so that the luck of the layout, most of what a game costs, is
not learned from.

Some games have as many shots a turn as there are ships. Cells of a salvo are chosen one after
another, as if those before had missed, and the network is taught on positions where they did. (The
bot, which has the time, searches for a better set over layouts that it draws from the network.)

It needs PyTorch, the extra ``deep``; without it the command says how to install a build.

Source: learning on the states that the learner itself visits is Ross, Gordon and Bagnell, DAgger
(2011); improving is Schulman and others, Proximal policy optimization (2017); the critic is that of
Baisero and Amato, Unbiased asymmetric reinforcement learning under partial observability (2021).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from arena.environments import CHOSEN, HIT, MISS, SANK, Cells, SoloBoards
from arena.errors import UserError, not_installed
from arena.rules import Rules, refuse_unknown
from arena.rules.rule_features import CERTAIN, DETAILS, SALVOS
from bots.tactics.learned.placement_network import Evidence, FleetPlacements, Floats
from bots.tactics.learned.weight_files import Arrays, Origin, read_weights
from bots.training.agent import LearningAgent, option

if TYPE_CHECKING:
    from bots.training.deep_learner import Learner, Moves

Flags = NDArray[np.bool_]
Integers = NDArray[np.integer[Any]]
Numbers = NDArray[np.int64]

BUNDLED = Path(str(files("bots"))) / "deep_salvo" / "classic.npz"

FAR = 0.95  # what each later move says of a move's merit, against the one before it
WARM = 3  # rounds of games in which the critic alone learns, before the network improves
LAST = 0.02  # the last step of each stage, as a share of its first


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    games: int = option(40_000, "Games to train for.")
    taught: int = option(24_000, "Of them, those that it is taught by; then it improves.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    rules: str = option("classic", "A preset, or a TOML file; one shot a turn.")
    channels: int = option(32, "Channels of each convolution.")
    rounds: int = option(3, "Looks at the board.")
    side_by_side: int = option(512, "Games that are played together.")
    salvos: float = option(0.15, "Games with a salvo a turn beside them, as a share.")
    positions: float = option(0.5, "Positions that it is taught by, as a share of all.")
    explore: float = option(0.02, "How often a likely cell is shot.")
    batch: int = option(512, "Positions a step.")
    step: float = option(0.002, "The first step of Adam while taught.")
    finer: float = option(0.0003, "The same while improving.")
    bfloat16: bool = option(
        default=False, text="Compute with 16 bits, which some processors do faster."
    )
    threads: int = option(1, "Threads; another number makes other weights.")
    device: Literal["cpu", "cuda"] = option("cpu", "What computes.")


class Step(NamedTuple):
    """One move of the games that were not over, a row a game."""

    games: Integers  # their numbers
    known: Evidence
    cells: Numbers
    chances: Floats  # the logarithm of how likely the cell was to be shot, where shots are drawn
    missed: Flags
    teaches: Flags  # whether what is known agrees with the hidden layout


class NetworkAgent(LearningAgent):
    """An agent that trains the network of ``deep_salvo``."""

    bot = "deep_salvo"
    places: FleetPlacements
    learner: "Learner"
    origin: Origin  # that of the bundled weights, of an agent that begins with them
    played = 0

    def bundled(self, path: Path = BUNDLED) -> "Learner":
        """Return a network with some bundled weights, for whose game the agent then is.

        Raises:
            UserError: If PyTorch is not installed.
        """
        arrays, self.origin = read_weights(path)
        self.places = FleetPlacements.of(self.origin)
        given = self.settings
        size = Settings(
            seed=given.seed,
            batch=given.batch,
            threads=given.threads,
            device=given.device,
            channels=arrays["first"].shape[1],
            rounds=sum(name.startswith("head_") for name in arrays),
        )
        learner = make_learner(self.places, size)
        learner.take(arrays)
        return learner

    @property
    def done(self) -> float:
        """Return which share was played of the games that the network learns from."""
        return self.played / int(self.settings.games)

    @property
    def faded(self) -> float:
        """Return what is left of a step that falls along a straight line, as a share."""
        return 1 - (1 - LAST) * self.done

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the games so far, the weights, and what Adam keeps."""
        return {"played": np.array(self.played), **self.learner.state()}

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        self.played = int(state["played"])
        self.learner.restore(state)

    def batches(self, number: int, share: float = 1.0) -> Iterator[Integers]:
        """Yield a share of some positions in random order, a batch at a time."""
        order = self.random.permutation(number)[: max(round(number * share), 1)]
        for first in range(0, len(order), self.settings.batch):
            yield order[first : first + self.settings.batch]


class Trainer(NetworkAgent):
    """The network at work.

    Raises:
        RulesError: If the rules have more than one shot a turn, or do not name what sinks.
        UserError: If PyTorch is not installed.
    """

    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        rules = learnable(self.rules)
        self.named = rules.sinkings == "named"
        lengths = self.game["lengths"]
        self.places = FleetPlacements(rules.rows, rules.columns, lengths, named=self.named)
        self.learner = make_learner(self.places, settings)

    def learn(self) -> list[int]:
        """Play games with one shot a turn, and others, and learn; return the turns of the first."""
        settings = self.settings
        number = min(settings.side_by_side, settings.games - self.played)
        teaching = self.played < settings.taught
        ships, steps = self.play(self.rules, number, by_chance=not teaching)
        turns = np.bincount(np.concatenate([step.games for step in steps]), minlength=number)
        if teaching:
            beside = round(number * settings.salvos)
            others = []
            if beside:
                salvos = replace(self.rules, shots=len(self.rules.fleet))
                others = [self.play(salvos, beside, by_chance=False)]
            self._teach([(ships, steps), *others])
        else:
            self._improve(ships, steps)
        self.played += number
        return [int(count) for count in turns]

    def play(
        self, rules: Rules, number: int, *, by_chance: bool, layouts: Cells | None = None
    ) -> tuple[Integers, list[Step]]:
        """Play games to their end; return which ship lies on each cell, the longest 0, and moves.

        Shots are drawn by what they are worth, or the best is taken, but for those that explore.
        Layouts say which ship lies on each cell, games x cells; they are drawn if None.
        """
        boards = SoloBoards(rules, number, self.random)
        if layouts is not None:
            boards.begin(np.arange(number), layouts)
        order = np.argsort([-ship.length for ship in rules.fleet], kind="stable")
        rank = np.append(np.argsort(order), -1).astype(np.int8)
        ships = rank[boards.ships]
        games = np.arange(number)
        sank = np.zeros(boards.seen.shape, dtype=np.int32)
        steps = []
        while games.size:
            known = evidence_of(boards, sank, order)
            cells, chances = self._choose(known, by_chance=by_chance)
            every = np.arange(len(games))
            chosen = boards.seen == CHOSEN
            teaches = ~(chosen & (ships[games] >= 0)).any(axis=1)
            chosen[every, cells] = True
            before = boards.sunk.copy()
            _, over = boards.choose(cells)
            if self.named:
                sunk = ((boards.sunk > before)[:, order] << np.arange(len(order))).sum(axis=1)
                hit = (boards.seen == HIT) | (boards.seen == SANK)
                sank |= np.where(chosen & hit, sunk[:, None], 0).astype(np.int32)
            missed = ships[games, cells] < 0
            steps.append(Step(games, known, cells, chances, missed, teaches))
            boards.keep(~over)
            games, sank = games[~over], sank[~over]
        return ships, steps

    def _choose(self, known: Evidence, *, by_chance: bool) -> tuple[Numbers, Floats]:
        """Return a cell for each board, and the logarithm of how likely it was to be drawn."""
        cells, worth = self.learner.look(known, to_teach=not by_chance)
        worth = np.where(known.untried, worth, -np.inf)
        if by_chance:
            # The greatest after Gumbel noise is a draw by the softmax.
            noise = self.random.gumbel(size=worth.shape)
            shot = (worth + noise).argmax(axis=1).astype(np.int64)
            most = worth.max(axis=1, keepdims=True)
            total = np.log(np.exp(worth - most).sum(axis=1)) + most[:, 0]
            chances = np.take_along_axis(worth, shot[:, None], axis=1)[:, 0] - total
            return shot, chances.astype(np.float32)
        shot = worth.argmax(axis=1).astype(np.int64)
        free = np.flatnonzero(self.random.random(len(shot)) < self.settings.explore)
        chance = (np.where(known.untried, cells, 0)[free] + 1e-9 * known.untried[free]).cumsum(1)
        drawn = self.random.random((len(free), 1)) * chance[:, -1:]
        shot[free] = (chance > drawn).argmax(axis=1)
        return shot, np.zeros(len(shot), dtype=np.float32)

    def _teach(self, played: list[tuple[Integers, list[Step]]]) -> None:
        """Show the network where the ships lay, position by position in random order."""
        parts, numbers = [], []
        for ships, steps in played:
            lie = self.places.numbers_of(ships)
            for step in steps:
                parts.append(step.known.some(step.teaches))
                numbers.append(lie[step.games[step.teaches]])
        known = Evidence.joined(parts)
        there = np.concatenate(numbers)
        # Those of one game resemble each other; others teach more than all of them.
        for rows in self.batches(len(there), self.settings.positions):
            self.learner.teach(known.some(rows), there[rows], self._rate())

    def _improve(self, ships: Integers, steps: list[Step]) -> None:
        moves = self._moves(ships, steps)
        warm = self.played < self.settings.taught + WARM * self.settings.side_by_side
        for rows in self.batches(len(moves.cells)):
            if warm:
                self.learner.learn_to_judge(moves.some(rows), self.settings.step)
            else:
                self.learner.improve(moves.some(rows), self._rate())

    def _moves(self, ships: Integers, steps: list[Step]) -> "Moves":
        """Return all moves with what each was worth: generalised advantages (Schulman, 2015)."""
        from bots.training.deep_learner import Moves  # noqa: PLC0415 - an extra

        known = Evidence.joined(step.known for step in steps)
        games = np.concatenate([step.games for step in steps])
        lie = ships >= 0
        judged = self.learner.judge(known, lie[games])
        ends = np.cumsum([len(step.games) for step in steps])
        cost = np.zeros(len(games), dtype=np.float32)
        after = np.zeros(len(ships), dtype=np.float32)
        error = np.zeros(len(ships), dtype=np.float32)
        for step, end in zip(reversed(steps), reversed(ends), strict=True):
            rows = slice(end - len(step.games), end)
            wrong = step.missed + after[step.games] - judged[rows] + FAR * error[step.games]
            cost[rows] = error[step.games] = wrong
            after[step.games] = judged[rows]
        return Moves(
            known,
            self.places.numbers_of(ships)[games],
            np.concatenate([step.cells for step in steps]),
            np.concatenate([step.chances for step in steps]),
            lie[games],
            -(cost - cost.mean()) / (cost.std() + np.float32(1e-6)),
            judged + cost,
        )

    def _rate(self) -> float:
        """Return the size of a step: it falls along a straight line in each stage."""
        settings = self.settings
        if self.played < settings.taught:
            return settings.step * (1 - (1 - LAST) * self.played / settings.taught)
        share = (self.played - settings.taught) / (settings.games - settings.taught)
        return settings.finer * (1 - (1 - LAST) * share)

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the network's weights, and the game that they are for."""
        purpose = self.game | {"shots": 0, "sinkings": self.named, "fleet": True}
        return self.stem, self.learner.arrays(), purpose


def learnable(rules: Rules) -> Rules:
    """Return the rules, if this agent learns by them.

    Raises:
        RulesError: If it does not.
    """
    reader = (
        "this agent is taught with one shot a turn, a known fleet, and sinkings that name the ship "
        "or are silent"
    )
    refuse_unknown(rules, CERTAIN - SALVOS - DETAILS - {"sinkings=unnamed"}, reader)
    return rules


def evidence_of(boards: SoloBoards, sank: Integers, order: Integers) -> Evidence:
    """Return what is known of some boards; cells of a salvo that is not complete count as misses.

    ``order`` gives the numbers of the ships, the longest first.
    """
    seen = boards.seen
    missed = (seen == MISS) | (seen == CHOSEN)
    afloat = np.ones((len(seen), len(order)), dtype=bool)
    if boards.sunk.shape[1]:
        afloat = boards.sunk[:, order] == 0
    return Evidence(missed, (seen == HIT) | (seen == SANK), sank.copy(), afloat)


def make_learner(places: FleetPlacements, settings: Settings) -> "Learner":
    """Return the network, untrained.

    Raises:
        UserError: If PyTorch is not installed.
    """
    needs_torch(settings.device)
    import torch  # noqa: PLC0415 - an extra

    from bots.training.deep_learner import Learner  # noqa: PLC0415 - it needs the extra

    torch.set_num_threads(settings.threads)
    return Learner(
        places,
        channels=settings.channels,
        rounds=settings.rounds,
        batch=settings.batch,
        seed=settings.seed,
        bfloat16=settings.bfloat16,
        device=settings.device,
    )


def needs_torch(device: str) -> None:
    """Make sure that PyTorch is installed, and finds the device that is to compute.

    Raises:
        UserError: If it is not, or does not.
    """
    if find_spec("torch") is None:
        raise UserError(
            f"salvo train: {not_installed('PyTorch', 'deep')}; without a GPU, first "
            "`pip install torch --index-url https://download.pytorch.org/whl/cpu`"
        )
    import torch  # noqa: PLC0415 - an extra

    if device == "cuda" and not torch.cuda.is_available():
        raise UserError("salvo train: --device cuda: PyTorch finds no GPU; leave --device out")
