"""Simulates how often a sequential test errs: at both hypotheses, for pairs of all kinds."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit

from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.sprt import (
    FEWEST_BLOCKS,
    FEWEST_PAIRS,
    SCORES,
    Floats,
    Hypotheses,
    log_ratio,
    variance_factors,
)

COLUMNS = ("scenario", "truth_elo", "wrong", "undecided", "mean_pairs", "tests")

PAIRS_PER_BLOCK = 10


@dataclass(frozen=True, slots=True)
class Contest:
    """Two bots of which the truth is known.

    Attributes:
        hypotheses: What is tested; the truth is the one, and then the other.
        first_seat_elo: What the first seat is worth.
        alike: Share of the pairs whose second game repeats the luck of the first (positive) or
            reverses it (negative).
        learnt_elo: By how much the first bot gains or loses for all of a block, at random.
    """

    name: str
    hypotheses: Hypotheses
    first_seat_elo: float = 30.0
    alike: float = 0.0
    learnt_elo: float = 0.0


CONTESTS = (
    Contest("even, 0 against 20", Hypotheses(0, 20)),
    Contest("pairs alike", Hypotheses(0, 20), alike=0.6),
    Contest("pairs opposed", Hypotheses(0, 20), alike=-0.6),
    Contest("blocks alike", Hypotheses(0, 20), learnt_elo=100),
    Contest("scores of 90%", Hypotheses(380, 400)),
    Contest("scores of 90%, alike", Hypotheses(380, 400), alike=0.6),
    Contest("wide, 0 against 100", Hypotheses(0, 100)),
    Contest("wide, blocks alike", Hypotheses(0, 100), learnt_elo=150),
)


def errors_of_tests(
    tests: int, seed: int, contests: tuple[Contest, ...] = CONTESTS, most_blocks: int = 2000
) -> pd.DataFrame:
    """Return how often a sequential test accepts the wrong hypothesis.

    Args:
        tests: How many to simulate for each contest and truth.
        seed: Seed of the simulation; the same seed gives the same table.
        most_blocks: Where a test that does not end is given up.

    Returns:
        One row for each contest and truth: `scenario`, `truth_elo`, `wrong` (0 to 1), `undecided`,
        `mean_pairs` (of the tests that ended), `tests`.
    """
    rows = []
    streams = np.random.SeedSequence(seed).spawn(len(contests))
    for contest, stream in zip(contests, streams, strict=True):
        generator = np.random.default_rng(stream)
        for truth in (contest.hypotheses.elo0, contest.hypotheses.elo1):
            sign, pairs = _played(contest, truth, tests, most_blocks, generator)
            right = 1 if truth == contest.hypotheses.elo1 else -1
            rows.append(
                {
                    "scenario": contest.name,
                    "truth_elo": truth,
                    "wrong": float((sign == -right).mean()),
                    "undecided": float((sign == 0).mean()),
                    "mean_pairs": float(pairs[sign != 0].mean()),
                    "tests": tests,
                }
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _played(
    contest: Contest, truth: float, tests: int, most_blocks: int, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return which hypothesis each test accepted (-1, 1; 0 for neither), and after how many pairs.

    All tests go on side by side, block by block.
    """
    lead = _lead_of(contest, truth)
    counts = np.zeros((tests, len(SCORES)))
    moments, sign, pairs = np.zeros((tests, 3)), np.zeros(tests), np.zeros(tests)
    running = np.arange(tests)
    bound = contest.hypotheses.bound()
    for block in range(1, most_blocks + 1):
        score = _block(contest, lead, len(running), generator)
        counts[running] += (score[:, :, None] == np.arange(len(SCORES))).sum(axis=1)
        points = score.sum(axis=1) / 4
        size = np.full(len(points), float(PAIRS_PER_BLOCK))
        moments[running] += np.column_stack([points**2, points * size, size**2])
        number = block * PAIRS_PER_BLOCK
        if number < FEWEST_PAIRS or block < FEWEST_BLOCKS:
            continue
        factor = variance_factors(counts[running], moments[running], block)
        ratio = log_ratio(counts[running], contest.hypotheses) / factor
        ended = np.abs(ratio) >= bound
        sign[running[ended]], pairs[running[ended]] = np.sign(ratio[ended]), number
        running = running[~ended]
        if not len(running):
            break
    return sign, pairs


def _lead_of(contest: Contest, truth: float) -> float:
    """Return the lead in Elo before seats and blocks at which the mean score is that of a truth."""
    swing = np.array([contest.learnt_elo, -contest.learnt_elo])
    seats = np.array([contest.first_seat_elo, -contest.first_seat_elo])

    def off(lead: float) -> float:
        scores = expit((lead + swing[:, None] + seats[None, :]) / ELO_PER_NAT)
        return float(scores.mean() - expit(truth / ELO_PER_NAT))

    return float(brentq(off, truth - 1000, truth + 1000))


def _block(
    contest: Contest, lead: float, tests: int, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return the score (tests, pairs) of the pairs of a block, as 0 to 4 quarters."""
    swing = generator.choice([contest.learnt_elo, -contest.learnt_elo], (tests, 1))
    luck, fresh, repeats = generator.random((3, tests, PAIRS_PER_BLOCK))
    copied = luck if contest.alike > 0 else 1 - luck
    again = np.where(repeats < abs(contest.alike), copied, fresh)
    first = luck < expit((lead + swing + contest.first_seat_elo) / ELO_PER_NAT)
    second = again < expit((lead + swing - contest.first_seat_elo) / ELO_PER_NAT)
    return np.asarray(2 * (first.astype(np.int64) + second.astype(np.int64)))
