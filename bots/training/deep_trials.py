"""The network of deep_salvo, shown the posterior: it learns from trials what cells are worth.

What ``salvo train deep_posterior`` teaches is as wrong as the value network that looks ahead. Here
nothing looks ahead. The network begins as it is bundled and plays games. Where some cells are
nearly as good to it, it shoots half of the time at one of them by chance, as a trial gives patients
one of two drugs. The turns that such a game took from there on say what the cell was worth beside
the others, since nothing but chance chose it. (A network that learned from a look ahead finds cells
to differ five times as much as they do; with a ``scale`` of 0.2 more of them are tried.)

One game says little, as luck is most of what it costs. So the luck in the answers is taken away, as
``docs/luck.md`` says, and of the shots that follow each later one counts a little less. What is
left deviates by a third of a turn, where cells differ by a twentieth: a million trials tell a
network what a few cannot. The nearest shots vary least, but they have the errors of the value
network by which luck is known. That one learns as well, from the same games, after it has told
their luck (``bots.training.value_learner``).

With the chance ``p(c)`` of each cell ``c`` to be drawn, the cost ``q(c)`` that the network has for
it, and the turns ``y`` that the game took more than was expected, the network takes steps that make

    (y - (q(drawn) - sum over c of p(c) q(c))) ^ 2

smaller, at the mean. The turns are counted as if that shot alone had been drawn: what the later
ones cost for being drawn, by ``q``, is taken away.

Where later shots count less, ``q`` learns errors of the value network: a cell that it overrates
costs more in the last shots, not in the next ones. So in the end the last layer, which has few
weights, is fitted by least squares to ``fitted`` games that count to their last shot. And the
farther from where it began, the less the value network knows of what its games come to: a change of
``q`` is an error, too, that counts ``held`` times as much.

It needs PyTorch, the extra ``deep``; without it the command says how to install a build.

Source: comparing what was drawn with what is drawn at the mean is Robinson, Root-N-consistent
semiparametric regression (1988), and Nie and Wager, Quasi-oracle estimation of heterogeneous
treatment effects (2021).
"""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import Rules
from bots.tactics.learned.placement_network import (
    SHOWN,
    Evidence,
    Integers,
    PlacementNetwork,
    symmetries,
)
from bots.tactics.learned.weight_files import Arrays
from bots.tactics.posterior.board_placements import Bools, Floats
from bots.tactics.posterior.evidence import Observation
from bots.tactics.value.advice import TURNS
from bots.tactics.value.answer_luck import answers_of
from bots.tactics.value.network import network_for
from bots.training.agent import option
from bots.training.last_layer import LastLayer
from bots.training.shown_agent import ShownAgent
from bots.training.shown_game import ShownGame
from bots.training.trials import Told, Trials, came_of

if TYPE_CHECKING:
    from bots.tactics.value.chances import Outlook

SETS = 2  # sets of layouts that luck is taken away by
LAYOUTS = 4_000  # in each: of 2,000 the variance that is left is a third more, of 8,000 no less
MOST = 8  # cells of a trial at most


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    rules: ClassVar[str] = "classic"
    games: int = option(40_960, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    a_round: int = option(1024, "Games that are played with the same weights.")
    scale: float = option(1.0, "What the costs that the network begins with are multiplied by.")
    near: float = option(0.05, "Turns that a cell of a trial may cost more than the best.")
    held: float = option(
        0.25, "What a change of what a cell costs counts, beside what trials say of it."
    )
    drawn: float = option(0.5, "Shots that are drawn where several cells are near, as a share.")
    far: float = option(
        0.95, "What each later shot says of a cell, against the one before, in the first games."
    )
    farther: float = option(0.97, "The same in the last games.")
    fitted: int = option(
        0, "Games at the end, counted to their last shot; only the last layer learns.", least=0
    )
    looks: int = option(1, "Times that each trial is learned from.")
    batch: int = option(512, "Trials a step.")
    step: float = option(0.0003, "The first step of Adam.")
    workers: int = option(1, "Processes that play; any number makes the same weights.")
    threads: int = option(1, "Threads that learn; another number makes other weights.")
    device: Literal["cpu", "cuda"] = option("cpu", "What learns.")


class Game(NamedTuple):
    """A game that was played."""

    turns: int
    trials: Trials  # all its shots
    told: Told | None  # None where luck is not known


class Trainer(ShownAgent[Trials]):
    """The network at work.

    Raises:
        UserError: If PyTorch is not installed.
    """

    free = ("workers",)
    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules, SHOWN)
        from bots.training.value_learner import ValueLearner  # noqa: PLC0415 - it needs the extra

        self.learner.scale_worth(settings.scale)
        self.learner.keep_start()
        self._learning = settings.games - settings.fitted  # games that all of it learns from
        self._last = LastLayer(len(self.learner.last))
        self._value = ValueLearner(network_for(1))
        self._pool: ProcessPoolExecutor | None = None

    def learn(self) -> list[int]:
        """Play some games, and learn from them; return the turns of each."""
        if self.played < self._learning:
            return self.learn_from(min(self.settings.a_round, self._learning - self.played))
        return self._fit(min(self.settings.a_round, self.settings.games - self.played))

    @property
    def done(self) -> float:
        """Return which share was played of the games that all of the network learns from."""
        return self.played / self._learning if self.played < self._learning else 1.0

    def step(self, some: Trials, rate: float) -> None:
        """Take one step towards what the cells of some trials cost beside each other."""
        self.learner.compare(some, rate, self.settings.held)

    def play(self, number: int) -> tuple[list[int], Trials]:
        """Play games to their end; return the turns of each, and the trials in them."""
        games = self.games(number)
        turns = [game.turns for game in games]
        told = [game.told for game in games if game.told is not None]
        came = np.full(sum(turns), np.nan)
        if told:
            known = np.repeat([game.told is not None for game in games], turns)
            came[known] = came_of(Told.joined(told), self._value.network(), self._far)
            self._value.learn(told, self.random)  # after it told, so that no game tells of itself
        trials = Trials.joined(game.trials for game in games)._replace(came=came)
        return turns, trials.some(_tells(trials))

    def games(self, number: int) -> list[Game]:
        """Play games to their end; what came of their trials is not known yet."""
        seeds = self.random.integers(1 << 62, size=number).tolist()
        network = PlacementNetwork(self.learner.arrays(), self.places)
        play = partial(_play, self.settings, self.rules, network)
        if self.settings.workers == 1:
            return list(map(play, seeds))
        if self._pool is None:
            # Spawned, not forked: PyTorch has threads.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.settings.workers, context, _begin_work)
        try:
            return list(self._pool.map(play, seeds, chunksize=4))
        except BaseException:
            self._pool.shutdown(cancel_futures=True)
            raise

    @property
    def _far(self) -> float:
        """Return what each later shot says of a cell, against the one before."""
        first, last = self.settings.far, self.settings.farther
        return first + (last - first) * self.done if self.done < 1 else 1.0

    def _fit(self, number: int) -> list[int]:
        """Play some games, and fit the last layer if they are the last; return their turns."""
        turns, trials = self.play(number)
        for rows in self.batches(len(trials.came)):
            some = trials.some(rows)
            ways = self.random.permutation(len(self._turns))[: self.settings.looks]
            seen = [self.learner.last_seen(some.turned(self._turns[way])) for way in ways]
            self._last.take(np.mean(seen, axis=0), some.came)
        self.played += number
        if self.played == self.settings.games:
            self.learner.take_last(self._last.fitted(self.learner.last))
        return turns

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the network, what its last layer is fitted to, and the value network."""
        return super().state() | self._last.state() | self._value.state()

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        super().restore(state)
        self._last.restore(state)
        self._value.restore(state)


def _begin_work() -> None:
    """Leave Ctrl-C to the process that learns, and end with it, also if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play(settings: Settings, rules: Rules, network: PlacementNetwork, seed: int) -> Game:
    """Play a game by the network; what came of its trials is not known yet."""
    game = _ToldGame(rules, seed)
    turns = symmetries(rules.rows, rules.columns)
    shots: list[Trials] = []
    dearer = []
    while not game.over:
        known, posterior = Evidence.joined([game.known]), game.posterior()
        turned = game.random.choice(turns)
        worth = np.empty(len(posterior))
        (worth[turned],) = network.look(known.some_cells(turned), posterior[None, turned]).worth
        cells, chances = near_cells(np.where(known.untried[0], worth, -np.inf), settings)
        (drawn,) = game.random.choices(range(len(cells)), chances.tolist())
        one = np.array([drawn])
        shots.append(Trials(known, posterior[None], cells[None], chances[None], one, np.zeros(1)))
        dearer.append(TURNS * (worth[cells[0]] - worth[cells[drawn]]))
        game.shoot(int(cells[drawn]))
    return Game(game.turns, Trials.joined(shots), game.told(np.array(dearer)))


def near_cells(worth: Floats, settings: Settings) -> tuple[Integers, Floats]:
    """Return the best cells, best first, and how likely each is drawn: never if it is not near."""
    cells = np.argsort(-worth, kind="stable")[:MOST]
    near = TURNS * (worth[cells[0]] - worth[cells]) <= settings.near
    chances = near * (settings.drawn / near.sum())
    chances[0] += 1 - settings.drawn
    return cells, chances


def _tells(trials: Trials) -> Bools:
    several = (trials.chances > 0).sum(axis=1) > 1
    return np.asarray(several & np.isfinite(trials.came), bool)


class _ToldGame(ShownGame):
    """A game of which all answers are kept that its shots might have got."""

    def __init__(self, rules: Rules, seed: int) -> None:
        super().__init__(rules, seed, SETS, LAYOUTS)
        self._outlooks: list[Outlook] = []

    def take_in(self, answer: Observation) -> None:
        """Keep the layouts that agree with an answer, and note all that it might have been."""
        if (outlook := self.chances.observe(answer)) is not None:
            self._outlooks.append(outlook)

    def told(self, dearer: Floats) -> Told | None:
        """Return what is known of it at its end, if layouts were left all the time."""
        if len(self._outlooks) < self.turns:
            return None
        answers = answers_of(self.belief.board, self._outlooks, 1)
        return Told(answers, np.zeros(self.turns, int), dearer)
