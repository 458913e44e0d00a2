"""Tests two bots sequentially: games are played until one of two hypotheses is accepted.

The hypotheses say by how much Elo the first bot is better: `elo0` or `elo1`. After each block the
log-likelihood ratio of the two is compared with Wald's bounds ("Sequential tests of statistical
hypotheses", 1945), which hold both errors near 5%, however long it takes.

The ratio is that of a generalised likelihood ratio test over pairs of games (the pentanomial model:
a pair scores 0, 1/2, 1, 3/2 or 2 points). The chances of the five scores are unknown: under each
hypothesis they are those that make the pairs seen most probable among all with the mean score that
the hypothesis says (Owen, "Empirical likelihood ratio confidence intervals for a single
functional", 1988). This allows for correlation within pairs, the first seat's advantage and draws
without a model of each. The Elo of a hypothesis is logistic: a score of 1 / (1 + 10^(-elo / 400))
points a game.

Where bots learn within a block, its pairs are alike, and the ratio is divided by how much the
variance of the blocks' scores exceeds that of independent pairs. A test stops where luck carried it
to a bound: the score by then overstates the difference.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ERROR = 0.05
FEWEST_PAIRS, FEWEST_BLOCKS = 30, 6
SCORES = np.linspace(0, 1, 5)  # points per game of a pair: none, a draw, one of two,
_EMPTY_CELL = 1e-3  # pairs that a score never seen counts as: no score is impossible

DOUBTED_BLOCKS = 2
"""Blocks of independent pairs that are added to those seen: few blocks show little but noise."""

WIDENED_BLOCKS = 24
"""Raises the excess of the variance, over the blocks seen: a test that stops early does
so where blocks happened to vary little. With it errors stay near 5% where blocks are alike."""

_HALVINGS = 60


class Answer(StrEnum):
    """The answer of a sequential test so far."""

    GO_ON = "go on"
    ACCEPT_0 = "elo0"
    ACCEPT_1 = "elo1"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The two hypotheses of a test."""

    elo0: float  # the first bot's lead by the first hypothesis
    elo1: float
    error: float = ERROR  # how often each hypothesis may be rejected where it is true

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 {self.elo0:g}, elo1 {self.elo1:g}; elo1 must be the larger")
        if not 0 < self.error < 0.5:  # noqa: PLR2004 - beyond a half a coin would do better
            raise ValueError(f"error is {self.error:g}; give a share between 0 and 0.5")

    def bound(self) -> float:
        """Return the log-likelihood ratio at which a hypothesis is accepted, on either side."""
        return float(np.log((1 - self.error) / self.error))


@dataclass(frozen=True, slots=True)
class State:
    """A sequential test after some blocks."""

    pairs: int
    ratio: float  # log-likelihood ratio in nats, positive for `elo1`
    bound: float  # where it decides, on either side
    answer: Answer
    score: float  # points per game of the first bot

    @property
    def decided(self) -> bool:
        """Return whether a hypothesis was accepted."""
        return self.answer is not Answer.GO_ON

    def sentence(self, first: str, second: str, hypotheses: Hypotheses) -> str:
        """Return the state in words."""
        at = f"after {self.pairs:,} pairs of games"
        ratio = f"(log-likelihood ratio {self.ratio:.2f}, bounds ±{self.bound:.2f})"
        zero, one = (_in_words(first, second, elo) for elo in (hypotheses.elo0, hypotheses.elo1))
        if self.answer is Answer.GO_ON:
            told = f"The sequential test has not decided {at} whether {zero}, or {one} {ratio}."
            if abs(self.ratio) < self.bound:
                return told
            fewest = f"{FEWEST_PAIRS} pairs in {FEWEST_BLOCKS} blocks"
            return f"{told} It decides after {fewest} at the earliest."
        accepted, rejected = (one, zero) if self.answer is Answer.ACCEPT_1 else (zero, one)
        return (
            f"The sequential test accepted {at} that {accepted}, rather than that {rejected} "
            f"{ratio}. Such a test is wrong in {hypotheses.error:.0%} of cases. It tells these two "
            f"leads apart, and the true one may lie beyond either: the score by then, "
            f"{self.score:.1%} of the points for {first}, and the Elo that follows from it are "
            "biased, since the test stopped where luck had helped."
        )


def _in_words(first: str, second: str, elo: float) -> str:
    if not elo:
        return f"{first} is as good as {second}"
    return f"{first} is {abs(elo):g} Elo {'better' if elo > 0 else 'worse'} than {second}"


class SequentialTest:
    """Runs a sequential test, block by block; after it has decided its state stays."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self._hypotheses = hypotheses
        self._counts = np.zeros(len(SCORES))
        self._moments = np.zeros(3)
        self._blocks = 0
        self.state = State(0, 0.0, hypotheses.bound(), Answer.GO_ON, float("nan"))

    def add(self, block: npt.ArrayLike) -> State:
        """Take in the next block, (5,) pairs by score for the first bot, and return the state."""
        if self.state.decided:
            return self.state
        counts = np.asarray(block, dtype=np.float64)
        points, size = float(counts @ SCORES), float(counts.sum())
        self._counts += counts
        self._moments += points**2, points * size, size**2
        self._blocks += 1
        pairs = int(self._counts.sum())
        if not pairs:
            return self.state
        one = self._counts[None]
        factors = variance_factors(one, self._moments[None], float(self._blocks))
        ratio = float((log_ratio(one, self._hypotheses) / factors)[0])
        bound = self._hypotheses.bound()
        answer = Answer.GO_ON
        enough = pairs >= FEWEST_PAIRS and self._blocks >= FEWEST_BLOCKS
        if enough and abs(ratio) >= bound:
            answer = Answer.ACCEPT_1 if ratio > 0 else Answer.ACCEPT_0
        self.state = State(pairs, ratio, bound, answer, float(self._counts @ SCORES / pairs))
        return self.state


def log_ratio(counts: Floats, hypotheses: Hypotheses) -> Floats:
    """Return the log-likelihood ratio (T,) of the hypotheses for pairs (T, 5) by score."""
    regular = np.maximum(counts, _EMPTY_CELL)
    shares = regular / regular.sum(axis=1, keepdims=True)
    first, second = (
        _most_probable(shares, 1 / (1 + 10 ** (-elo / 400)))
        for elo in (hypotheses.elo0, hypotheses.elo1)
    )
    return np.asarray((regular * np.log(second / first)).sum(axis=1))


def _most_probable(shares: Floats, mean: float) -> Floats:
    """Return the chances (T, 5) with a mean score under which shares (T, 5) are most probable.

    They are shares / (1 + t * (score - mean)), with t such that their mean is right; it is found
    by halving the interval in which all of them are positive.
    """
    away = SCORES - mean
    low = np.full(len(shares), -1 / away.max())
    high = np.full(len(shares), -1 / away.min())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        surplus = (shares * away / (1 + middle[:, None] * away)).sum(axis=1)
        low, high = np.where(surplus > 0, middle, low), np.where(surplus > 0, high, middle)
    return np.asarray(shares / (1 + ((low + high) / 2)[:, None] * away))


def variance_factors(counts: Floats, moments: Floats, blocks: float) -> Floats:
    """Return by how much the scores of blocks vary more than those of independent pairs, (T,).

    Never less than 1: pairs that cancel out within a block do not shorten a test.

    Args:
        counts: (T, 5) pairs by score, for T tests.
        moments: (T, 3) sums over their blocks: points squared, points times pairs, pairs squared,
            where a pair makes 0 to 1 point.
    """
    pairs = counts.sum(axis=1)
    mean = counts @ SCORES / pairs
    expected = (counts * (SCORES[None, :] - mean[:, None]) ** 2).sum(axis=1)
    seen = moments[:, 0] - 2 * mean * moments[:, 1] + mean**2 * moments[:, 2]
    seen *= blocks / max(1.0, blocks - 1)
    doubted = DOUBTED_BLOCKS * expected / blocks
    # Where all pairs scored the same, blocks cannot vary.
    varied = np.maximum(expected + doubted, np.finfo(float).tiny)
    excess = (seen + doubted) / varied - 1
    return np.asarray(1 + np.maximum(0.0, excess) * (1 + WIDENED_BLOCKS / blocks))
