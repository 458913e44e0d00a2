"""How often the claims of the Elo leaderboard are true, by tournaments with known ratings.

An interval that claims 95% should hold the truth in about 95 of 100 tournaments: for even fields
and lopsided ones, few pairs and many, pairs whose games are alike, independent or opposed, blocks
in which a bot learns, and bots that win or lose everything. A one-sided bound holds the truth where
the truth is on its inner side. Ranks hold if nobody counts as surely better than an equal or a
better bot; comparison intervals hold for two equal bots if they touch.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.estimate import Estimate, estimated
from leaderboards.elo.field import OUTCOMES, Field, Floats, Integers
from leaderboards.elo.fit import constraints_of, maximum_of
from leaderboards.elo.likelihood import ADVANTAGE, Evidence
from leaderboards.elo.quasi_variances import TOUCHING
from leaderboards.elo.ratings import PRIOR_PAIRS

COLUMNS = ("scenario", "claim", "claims", "coverage", "worst", "missed_low", "missed_high")

PAIRS_PER_BLOCK = 10
"""Pairs that two bots play without being restarted, and within which a bot may learn."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A tournament of which the truth is known.

    Attributes:
        name: What it tries.
        elo: Ratings of the bots.
        pairs: Pairs of games that every two bots play.
        first_seat_elo: What the first seat is worth.
        alike: Share of the greatest possible covariance that a bot's points in the two games of a
            pair have: 1 alike, 0 independent, -1 opposed.
        learnt_elo: By how much the first bot improves in a block, from a pair on that is drawn
            anew for each block and may never come; 0 for blocks in which nobody learns, None for
            games in pairs alone.
        block_pairs: Pairs of a block.
        share: Share of the simulations that this one gets: large fields take long, and each of
            them claims much.
    """

    name: str
    elo: tuple[float, ...]
    pairs: int
    first_seat_elo: float = 30.0
    alike: float = 0.0
    learnt_elo: float | None = None
    block_pairs: int = PAIRS_PER_BLOCK
    share: float = 1.0


def _spread(bots: int, width: float) -> tuple[float, ...]:
    return tuple(np.linspace(width / 2, -width / 2, bots).tolist())


SCENARIOS = (
    Scenario("2 equal bots, 5 pairs", (0, 0), 5),
    Scenario("2 equal bots, 5 pairs alike", (0, 0), 5, alike=0.6),
    Scenario("2 bots, 50 pairs", (120, -120), 50),
    Scenario("5 equal bots, 5 pairs", (0,) * 5, 5),
    Scenario("5 equal bots, 5 pairs alike", (0,) * 5, 5, alike=0.6),
    Scenario("5 bots, 5 pairs opposed", _spread(5, 300), 5, alike=-0.6),
    Scenario("5 equal bots, 40 pairs", (0,) * 5, 40),
    Scenario("5 bots, 40 pairs", _spread(5, 500), 40),
    Scenario("5 bots, 40 pairs alike", _spread(5, 500), 40, alike=0.6),
    Scenario("5 bots, 40 pairs opposed", _spread(5, 500), 40, alike=-0.6),
    Scenario("5 bots, one learns, 40 pairs", _spread(5, 300), 40, learnt_elo=400),
    Scenario("5 bots, one learns, 200 pairs", _spread(5, 300), 200, learnt_elo=400),
    Scenario("skewed, 40 pairs", (800, 50, 0, -50, -800), 40),
    Scenario("hopeless bot, 40 pairs", (150, 50, 0, -50, -1500), 40),
    Scenario("undefeated and winless, 10 pairs", (900, 0, -100, -800), 10),
    Scenario("20 bots, 5 pairs", _spread(20, 600), 5, share=0.3),
    Scenario("20 equal bots, 5 pairs", (0,) * 20, 5, share=0.3),
    Scenario("20 equal bots, 5 pairs alike", (0,) * 20, 5, alike=0.6, share=0.3),
    Scenario("50 bots, 5 pairs", _spread(50, 800), 5, share=0.1),
    Scenario("50 equal bots, 10 pairs", (0,) * 50, 10, share=0.1),
    Scenario("2 equal bots, 100 pairs in blocks", (0, 0), 100, learnt_elo=0),
    Scenario("2 bots, one learns, 100 pairs", (60, -60), 100, learnt_elo=400),
)

_FEWEST = 20


def coverage_of_claims(
    simulations: int, seed: int, scenarios: tuple[Scenario, ...] = SCENARIOS
) -> pd.DataFrame:
    """Return how often what is claimed with 95% confidence was true.

    Args:
        simulations: How many tournaments to simulate for a scenario of share 1.
        seed: Seed of the simulation; the same seed gives the same table.
        scenarios: What to try.

    Returns:
        One row for each scenario and claim: `scenario`, `claim` ("rating", "bound", "first seat",
        "lead over the next", "comparison", "ranks"), `claims` (how many were made), `coverage`
        (0 to 1), `worst` (coverage of the bot with the least), `missed_low` and `missed_high`
        (shares in which the truth lay below, above). What a scenario hardly ever claims
        has no row; ratings are claimed by an interval or by a bound, and bounds are counted apart
        for bots that have one in half of the tournaments.
    """
    streams = np.random.SeedSequence(seed).spawn(len(scenarios))
    rows = [
        {"scenario": scenario.name, **row}
        for scenario, stream in zip(scenarios, streams, strict=True)
        for row in _coverage(
            scenario,
            max(_FEWEST, round(simulations * scenario.share)),
            np.random.default_rng(stream),
        )
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def simulated_field(scenario: Scenario, generator: np.random.Generator) -> Field:
    """Return the games of one tournament of a scenario."""
    size, pairs = len(scenario.elo), scenario.pairs
    one, other = (np.repeat(index, pairs) for index in np.triu_indices(size, 1))
    gap = (np.array(scenario.elo)[one] - np.array(scenario.elo)[other]) / ELO_PER_NAT
    if scenario.learnt_elo is not None:
        gap += np.where(one == 0, _learnt(len(one), scenario, generator), 0) * (
            scenario.learnt_elo / ELO_PER_NAT
        )
    advantage = scenario.first_seat_elo / ELO_PER_NAT
    luck, fresh = generator.random((2, len(one)))
    copied = luck if scenario.alike > 0 else 1 - luck
    again = np.where(generator.random(len(one)) < abs(scenario.alike), copied, fresh)
    won = luck < _logistic(gap + advantage), again < _logistic(gap - advantage)
    outcomes = np.zeros((len(one), 2, OUTCOMES), dtype=np.int64)
    every = np.arange(len(one))
    outcomes[every, 0, np.where(won[0], 0, 2)] = 1
    outcomes[every, 1, np.where(won[1], 2, 0)] = 1
    unit = 1 if scenario.learnt_elo is None else scenario.block_pairs
    outcomes = outcomes.reshape(-1, unit, 2, OUTCOMES).sum(axis=1)
    full = np.ones(len(outcomes), dtype=np.int64)
    return Field(
        bots=tuple(f"bot {index + 1:02}" for index in range(size)),
        one=one[::unit],
        other=other[::unit],
        outcomes=outcomes,
        counts=full,
        pairs=full * unit,
        incomplete_pairs=full * 0,
    )


def _learnt(
    pairs: int, scenario: Scenario, generator: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Return for each of all pairs whether the learner knows its opponent by then."""
    size = scenario.block_pairs
    assert scenario.pairs % size == 0, "a scenario with blocks has whole ones"
    onset = generator.integers(0, 2 * size, pairs // size)
    return np.arange(pairs) % size >= np.repeat(onset, size)


def true_strengths(scenario: Scenario) -> tuple[Floats, float]:
    """Return what a fit of endless games finds: strengths (N,) and the first seat's worth, in nats.

    Of a bot that learns, that is the one strength that fits its games best.
    """
    strength = np.array(scenario.elo) / ELO_PER_NAT
    advantage = scenario.first_seat_elo / ELO_PER_NAT
    if scenario.learnt_elo is None:
        return strength, advantage
    size = len(strength)
    gap = strength[:, None] - strength[None, :] + advantage
    early, late = _logistic(gap), _logistic(gap + _turned(size) * scenario.learnt_elo / ELO_PER_NAT)
    onsets = np.arange(2 * scenario.block_pairs)
    knows = (np.arange(scenario.block_pairs)[:, None] >= onsets[None, :]).mean()
    won = np.zeros((size + 1, size + 1))
    won[:size, :size] = (1 - knows) * early + knows * late
    games = np.zeros_like(won)
    games[:size, :size] = 1 - np.eye(size)
    nothing = np.zeros_like(won)
    evidence = Evidence(won * games, nothing, (1 - won) * games, nothing)
    empty = np.zeros(0, dtype=np.int64)
    bots = Field(("",) * size, empty, empty, np.zeros((0, 2, OUTCOMES), np.int64), *[empty] * 3)
    found = maximum_of(evidence, constraints_of(bots, [range(size)])).parameters
    return found[:size], float(found[ADVANTAGE])


def _turned(size: int) -> Floats:
    """Return by seats (N, N) where the learner sits: 1 in the first seat, -1 in the second."""
    result = np.zeros((size, size))
    result[0, :], result[:, 0] = 1, -1
    return result


def _coverage(
    scenario: Scenario, simulations: int, generator: np.random.Generator
) -> Iterator[dict[str, object]]:
    strength, advantage = true_strengths(scenario)
    tallies: dict[str, _Tally] = {}
    for _ in range(simulations):
        estimate = estimated(simulated_field(scenario, generator), PRIOR_PAIRS)
        for claim, bots, low, truth, high in _claims(estimate, strength, advantage):
            tally = tallies.setdefault(claim, _Tally(len(strength)))
            tally.add(bots, truth < low, truth > high)
    for claim, tally in tallies.items():
        # A bot that hardly ever has a bound has one after a rare record: not shown.
        tally.keep(simulations / 2 if claim == "bound" else 0)
        if tally.made() >= _FEWEST:
            yield {"claim": claim, **tally.row()}


_Claim = tuple[str, Integers, Floats, Floats, Floats]
"""What is claimed, of which bots, and by lower limits, truths and upper limits."""


def _claims(estimate: Estimate, strength: Floats, advantage: float) -> Iterator[_Claim]:
    bounded = np.array([side != "" for side in estimate.bound])
    truth = strength - estimate.weights @ strength
    low = np.nan_to_num(estimate.low, nan=-np.inf)
    high = np.nan_to_num(estimate.high, nan=np.inf)
    for claim, bots in (("rating", np.arange(len(truth))), ("bound", np.flatnonzero(bounded))):
        yield claim, bots, low[bots], truth[bots], high[bots]
    assert estimate.advantage is not None, "with a prior there is always an estimate"
    _, low_seat, high_seat = (np.array([value]) for value in estimate.advantage)
    nobody = np.zeros(1, dtype=np.int64)
    yield "first seat", nobody, low_seat, np.array([advantage]), high_seat
    yield _leads(estimate, truth)
    equal = np.triu(truth[:, None] == truth[None, :], 1) & ~bounded[:, None] & ~bounded[None, :]
    if equal.any():
        yield _comparisons(estimate, *np.nonzero(equal))
    # Ranks are wrong as soon as a bot counts as surely better than an equal or a better one.
    sure = estimate.apart > estimate.critical[:, None]
    wrong = bool((sure & (truth[:, None] <= truth[None, :])).any())
    yield "ranks", nobody, np.zeros(1), np.array([float(wrong)]), np.zeros(1)


def _leads(estimate: Estimate, truth: Floats) -> _Claim:
    """Return what is claimed of each bot's lead over the next in the table."""
    assert estimate.joint is not None, "with a prior everybody is rated"
    order = np.argsort(-estimate.strength, kind="stable")
    low, high = estimate.joint.differences(list(itertools.pairwise(order.tolist())))
    claimed = ~(np.isnan(low) & np.isnan(high))
    lead = truth[order[:-1]] - truth[order[1:]]
    low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
    return (
        "lead over the next",
        np.zeros(int(claimed.sum()), dtype=np.int64),
        low[claimed],
        lead[claimed],
        high[claimed],
    )


def _comparisons(estimate: Estimate, one: Integers, other: Integers) -> _Claim:
    """Return whether the comparison intervals of equal bots touch: their difference is none."""
    gap = estimate.strength[one] - estimate.strength[other]
    reach = TOUCHING * (np.sqrt(estimate.quasi[one]) + np.sqrt(estimate.quasi[other]))
    return "comparison", one * 0, gap - reach, np.zeros(len(gap)), gap + reach


class _Tally:
    """How often a claim was made and missed, bot by bot."""

    def __init__(self, size: int) -> None:
        self._made, self._below, self._above = np.zeros((3, size))

    def add(
        self, bots: Integers, below: npt.NDArray[np.bool_], above: npt.NDArray[np.bool_]
    ) -> None:
        np.add.at(self._made, bots, 1)
        np.add.at(self._below, bots, below)
        np.add.at(self._above, bots, above)

    def keep(self, least: float) -> None:
        """Forget the bots of which the claim was made less often."""
        seldom = self._made < least
        for counted in (self._made, self._below, self._above):
            counted[seldom] = 0

    def made(self) -> int:
        return int(self._made.sum())

    def row(self) -> dict[str, object]:
        made = self.made()
        often = self._made >= _FEWEST
        missed = (self._below + self._above)[often] / self._made[often]
        low, high = float(self._below.sum() / made), float(self._above.sum() / made)
        return {
            "claims": made,
            "coverage": 1 - low - high,
            "worst": 1 - float(missed.max()) if often.any() else np.nan,
            "missed_low": low,
            "missed_high": high,
        }


def _logistic(nats: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-nats)), dtype=np.float64)
