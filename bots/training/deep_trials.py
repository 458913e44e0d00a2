"""The network of deep_salvo, shown the posterior: it learns from trials what cells are worth.

What ``salvo train deep_posterior`` teaches is as wrong as the value network that looks ahead. Here
nothing looks ahead. The network begins as that course left it, plays games side by side, and where
some cells are nearly as good to it, it mostly shoots at one of them by chance, as a trial gives
patients one of two drugs. The turns that such a game took from there on say what the cell was worth
beside the others, since nothing but chance chose it.

One game says little, as luck is most of what it costs. So the luck in the answers is taken away, as
``docs/luck.md`` says, and of the shots that follow each later one counts a tenth less. What is left
deviates by a quarter of a turn, where cells differ by a twentieth: a million trials tell a network
what a few cannot.

With the chance ``p(c)`` of each cell ``c`` to be drawn, the cost ``q(c)`` that the network has for
it, and the turns ``y`` that the game took more than was expected, the network takes steps that make

    (y - (q(drawn) - sum over c of p(c) q(c))) ^ 2

smaller, at the mean.

It needs PyTorch, the extra ``deep``; without it the command says how to install a build.

Source: comparing what was drawn with what is drawn at the mean is Robinson, Root-N-consistent
semiparametric regression (1988), and Nie and Wager, Quasi-oracle estimation of heterogeneous
treatment effects (2021).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from arena.rules import Rules
from bots.tactics.learned.placement_network import SHOWN, Evidence, symmetries
from bots.tactics.learned.weight_files import Arrays
from bots.tactics.posterior.board_placements import Bools, Floats
from bots.tactics.posterior.evidence import Observation
from bots.tactics.value.advice import TURNS
from bots.tactics.value.answer_luck import answers_of, lucks, values
from bots.tactics.value.network import network_for
from bots.training.agent import option
from bots.training.deep_salvo import Integers, NetworkAgent
from bots.training.shown_game import ShownGame
from bots.training.trials import Trials
from bots.training.value import surprises

if TYPE_CHECKING:
    from bots.tactics.value.chances import Outlook

SETS = 2  # sets of layouts that luck is taken away by
MOST = 8  # cells of a trial at most


@dataclass(frozen=True)
class Settings:
    """The settings of a course."""

    rules: ClassVar[str] = "classic"
    games: int = option(40_000, "Games to train for.")
    seed: int = option(1, "What all randomness derives from.", least=0)
    side_by_side: int = option(64, "Games that are played together.")
    near: float = option(0.12, "Turns that a cell of a trial may cost more than the best.")
    drawn: float = option(0.5, "Shots that are drawn where several cells are near, as a share.")
    far: float = option(0.9, "What each later shot says of a cell, against the one before.")
    looks: int = option(2, "Times that each trial is learned from.")
    batch: int = option(1024, "Trials a step.")
    step: float = option(0.0005, "The first step of Adam.")
    threads: int = option(1, "Threads; another number makes other weights.")
    device: Literal["cpu", "cuda"] = option("cpu", "What computes.")


class Trainer(NetworkAgent):
    """The network at work.

    Raises:
        UserError: If PyTorch is not installed.
    """

    settings: Settings

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        super().__init__(settings, rules)
        self.learner = self.bundled(SHOWN)
        self.turns = symmetries(self.origin.rows, self.origin.columns)

    def learn(self) -> list[int]:
        """Play games side by side, and learn from them; return the turns of each."""
        number = min(self.settings.side_by_side, self.settings.games - self.played)
        turns, trials = self.play(number)
        rate = self.settings.step * self.faded
        for _ in range(self.settings.looks):
            for rows in self.batches(len(trials.came)):
                turn = self.turns[self.random.integers(len(self.turns))]
                self.learner.compare(trials.some(rows).turned(turn), rate)
        self.played += number
        return turns

    def play(self, number: int) -> tuple[list[int], Trials]:
        """Play games to their end; return the turns of each, and the trials in them."""
        games = [
            _Game(self.rules, int(seed)) for seed in self.random.integers(1 << 62, size=number)
        ]
        rounds: list[Trials] = []
        shots: list[tuple[Integers, int]] = []
        while active := [index for index, game in enumerate(games) if not game.over]:
            known = Evidence.joined(games[index].known for index in active)
            posterior = np.stack([games[index].posterior() for index in active])
            _, worth = self.learner.look(known, posterior=posterior)
            cells, chances = self._near(np.where(known.untried, worth, -np.inf))
            at = np.cumsum(chances, axis=1) > self.random.random(len(active))[:, None]
            drawn = at.argmax(axis=1)
            chosen = cells[np.arange(len(active)), drawn]
            rounds.append(Trials(known, posterior, cells, chances, drawn, np.zeros(len(active))))
            shots.append((np.array(active), games[active[0]].turns))
            for index, cell in zip(active, chosen.tolist(), strict=True):
                games[index].shoot(cell)
        found = [game.surprises(self.settings.far) for game in games]
        came = [_came(found, *shot) for shot in shots]
        trials = Trials.joined(
            one._replace(came=turns) for one, turns in zip(rounds, came, strict=True)
        )
        return [game.turns for game in games], trials.some(_tells(trials))

    def _near(self, worth: Floats) -> tuple[Integers, Floats]:
        """Return the cells that are nearly as good as the best, and how likely each is drawn."""
        cells = np.argsort(-worth, axis=1, kind="stable")[:, :MOST]
        best = np.take_along_axis(worth, cells, axis=1)
        near = TURNS * (best[:, :1] - best) <= self.settings.near
        chances = near * (self.settings.drawn / near.sum(axis=1, keepdims=True))
        chances[:, 0] += 1 - self.settings.drawn
        return cells, chances

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the network's weights, and the game that they are for."""
        purpose = self.game | {"sinkings": self.origin.sinkings, "fleet": True}
        return "posterior", self.learner.arrays(), purpose


def _came(found: list[Floats], games: Integers, shot: int) -> Floats:
    """Return what came of a shot of some games, in turns; not a number where it is not known."""
    return np.array([found[game][shot] if shot < len(found[game]) else np.nan for game in games])


def _tells(trials: Trials) -> Bools:
    several = (trials.chances > 0).sum(axis=1) > 1
    return np.asarray(several & np.isfinite(trials.came), bool)


class _Game(ShownGame):
    """A game whose luck is known at its end."""

    def __init__(self, rules: Rules, seed: int) -> None:
        super().__init__(rules, seed, SETS)
        self._outlooks: list[Outlook] = []

    def take_in(self, answer: Observation) -> None:
        """Keep the layouts that agree with an answer, and note all that it might have been."""
        if (outlook := self.chances.observe(answer)) is not None:
            self._outlooks.append(outlook)

    def surprises(self, far: float) -> Floats:
        """Return by how much more each shot cost than was expected before it, less luck.

        That is not known of the first; of none where no layouts were left to tell luck by.
        """
        if len(self._outlooks) < self.turns:
            return np.empty(0)
        answers = answers_of(self.belief.board, self._outlooks)
        worth = values(answers, network_for(1).misses(answers.features), 1)
        after = worth[answers.came]
        expected = 1 + after - lucks(answers, worth)
        found = surprises(after, expected, np.zeros(len(after), int), far)
        found[0] = np.nan
        return found
