"""A sequential test of two bots: play until one of two hypotheses is accepted.

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

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ERROR = 0.05
FEWEST_PAIRS = 30
SCORES = np.linspace(0, 1, 5)
"""Points per game of a pair: none, a draw, one of two, ..."""

_EMPTY_CELL = 1e-3
"""Pairs that a score never seen counts as: no score is impossible."""

DOUBTED_BLOCKS = 3
"""Blocks of independent pairs that are added to those seen: few blocks show little but noise."""

_HALVINGS = 60


class Answer(StrEnum):
    """What a sequential test has found so far."""

    GO_ON = "go on"
    ACCEPT_0 = "elo0"
    ACCEPT_1 = "elo1"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested.

    Attributes:
        elo0: The first bot's lead by the first hypothesis.
        elo1: By the second, larger.
        error: How often each hypothesis may be rejected where it is true.
    """

    elo0: float
    elo1: float
    error: float = ERROR

    def __post_init__(self) -> None:
        """Refuse hypotheses that cannot be distinguished.

        Raises:
            ValueError: If the second is not larger, or the error is not between 0 and 1/2.
        """
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 {self.elo0:g}, elo1 {self.elo1:g}; elo1 must be the larger")
        if not 0 < self.error < 0.5:  # noqa: PLR2004 - beyond a half a coin would do better
            raise ValueError(f"error is {self.error:g}; give a share between 0 and 0.5")

    def bound(self) -> float:
        """Return the log-likelihood ratio at which a hypothesis is accepted, on either side."""
        return float(np.log((1 - self.error) / self.error))


@dataclass(frozen=True, slots=True)
class State:
    """A sequential test after some blocks.

    Attributes:
        pairs: How many pairs were played.
        ratio: Log-likelihood ratio in nats, positive for `elo1`.
        bound: Where it decides, on either side.
        answer: What it says.
        score: Points per game of the first bot.
    """

    pairs: int
    ratio: float
    bound: float
    answer: Answer
    score: float

    def sentence(self, first: str, second: str, hypotheses: Hypotheses) -> str:
        """Return the state in words."""
        ratio = f"log-likelihood ratio {self.ratio:.2f} of ±{self.bound:.2f}"
        at = f"after {self.pairs:,} pairs ({ratio})"
        if self.answer is Answer.GO_ON:
            return f"Not decided {at}: play on."
        elo = hypotheses.elo1 if self.answer is Answer.ACCEPT_1 else hypotheses.elo0
        return (
            f"Accepted {at}: {first} is {elo:g} Elo better than {second} rather than "
            f"{hypotheses.elo0 + hypotheses.elo1 - elo:g}. The score by then, {self.score:.1%} of "
            "the points, overstates the difference: the test stopped where luck had helped."
        )


def decided(blocks: Iterable[npt.ArrayLike], hypotheses: Hypotheses) -> State:
    """Run the test over blocks in the order of the schedule, and stop where it decides.

    Args:
        blocks: One row a block, (5,) each: how many of its pairs scored 0, 1/2, 1, 3/2 and 2
            points for the first bot.
        hypotheses: What is tested.

    Returns:
        The state at the block that decided, or after the last one.
    """
    seen: list[Floats] = []
    state = state_of(np.zeros((0, len(SCORES))), hypotheses)
    for block in blocks:
        seen.append(np.asarray(block, dtype=np.float64))
        state = state_of(np.stack(seen), hypotheses)
        if state.answer is not Answer.GO_ON:
            break
    return state


def state_of(blocks: Floats, hypotheses: Hypotheses) -> State:
    """Return the state of the test after blocks (B, 5) of pairs by score."""
    counts = blocks.sum(axis=0)
    pairs = int(counts.sum())
    bound = hypotheses.bound()
    if not pairs:
        return State(0, 0.0, bound, Answer.GO_ON, float("nan"))
    ratio = float(log_ratio(counts[None], hypotheses)[0] / variance_factor(blocks))
    answer = Answer.GO_ON
    if pairs >= FEWEST_PAIRS and abs(ratio) >= bound:
        answer = Answer.ACCEPT_1 if ratio > 0 else Answer.ACCEPT_0
    return State(pairs, ratio, bound, answer, float(counts @ SCORES / pairs))


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


def variance_factor(blocks: Floats) -> float:
    """Return by how much the scores of blocks (B, 5) vary more than those of independent pairs.

    Never less than 1: pairs that cancel out within a block do not shorten a test.
    """
    counts = blocks.sum(axis=0)
    pairs = counts.sum()
    mean = counts @ SCORES / pairs
    variance = float(counts @ (SCORES - mean) ** 2 / pairs)
    size = blocks.sum(axis=1)
    expected = float(variance * pairs)
    if not expected:
        return 1.0
    seen = float(((blocks @ SCORES - size * mean) ** 2).sum())
    doubted = DOUBTED_BLOCKS * expected / len(blocks)
    return max(1.0, (seen + doubted) / (expected + doubted))
