"""Simulates tournaments of known strengths, and counts how often the 95% intervals hold them.

An interval that claims 95% should hold the truth in about 95 of 100 tournaments: for even fields
and lopsided ones, few pairs and many, pairs whose games are alike, independent or opposed, blocks
in which a bot learns, and bots that win or lose everything. A one-sided bound holds the truth where
the truth is on its inner side. Ranks hold if nobody counts as surely better than an equal or a
better bot, and *fit* if no circle of wins is named and no score that one number a bot does not
describe. Sequential tests, and tournaments that are looked at several times, are simulated too.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.lines import outcome_line
from benchmarks.options import option
from benchmarks.simulations.fields import SCENARIOS, Scenario, simulated_field, true_strengths
from benchmarks.simulations.look_errors import errors_of_looks
from benchmarks.simulations.sprt_errors import errors_of_tests
from leaderboards.elo.estimate import Estimate, estimated
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.misfits import compared_pairings, sure_cycles, surprising
from leaderboards.elo.ratings import PRIOR_PAIRS
from salvo.reports.tables.table_text import Table, table_lines

COLUMNS = ("scenario", "claim", "claims", "coverage", "worst", "missed_low", "missed_high")
NOMINAL = 0.95


@dataclass(frozen=True)
class Settings:
    """The options."""

    simulations: int = option(200, "Tournaments simulated in each setting.", least=10)
    seed: int = option(1, "The seed of the simulation.", least=0)


def run(settings: Settings) -> Iterator[str]:
    """Yield coverage by scenario and claim, the errors of sequential tests, and the outcome."""
    table = coverage_of_claims(settings.simulations, settings.seed, SCENARIOS)
    yield from table_lines(_as_text(by_scenario(table)))
    errors = errors_of_tests(settings.simulations, settings.seed)
    yield from table_lines(_as_text(errors))
    looks = errors_of_looks(settings.simulations, settings.seed)
    yield from table_lines(_as_text(looks))
    least = float(table["coverage"].min())
    yield outcome_line(
        "coverage",
        ratio=round(least / NOMINAL, 3),
        least=round(least, 3),
        nominal=NOMINAL,
        largest_error_of_sequential_tests=round(float(errors["wrong"].max()), 3),
        largest_error_of_planned_looks=round(float(looks["wrong"].max()), 3),
        simulations=settings.simulations,
    )


def by_scenario(table: pd.DataFrame) -> pd.DataFrame:
    """Return coverage with a row for each scenario and a column for each claim."""
    wide = table.pivot_table(index="scenario", columns="claim", values="coverage", sort=False)
    wide.insert(1, "worst bot", table[table["claim"] == "rating"].set_index("scenario")["worst"])
    return wide.reset_index()


def _as_text(table: pd.DataFrame) -> Table:
    rounded = table.map(lambda cell: f"{cell:.3f}" if isinstance(cell, float) else cell)
    rounded = rounded.where(table.notna(), "")
    return Table(list(table.columns), rounded.to_numpy().tolist())


_FEWEST = 20


def coverage_of_claims(
    simulations: int, seed: int, scenarios: tuple[Scenario, ...]
) -> pd.DataFrame:
    """Return how often what is claimed with 95% confidence was true.

    Args:
        simulations: How many tournaments to simulate for a scenario of share 1.
        seed: Seed of the simulation; the same seed gives the same table.

    Returns:
        One row for each scenario and claim: `scenario`, `claim` ("rating", "bound", "first seat",
        "lead over the next", "ranks", "fit"), `claims` (how many were made), `coverage`
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


def _coverage(
    scenario: Scenario, simulations: int, generator: np.random.Generator
) -> Iterator[dict[str, object]]:
    strength, advantage = true_strengths(scenario)
    tallies: dict[str, Floats] = {}
    for _ in range(simulations):
        field = simulated_field(scenario, generator)
        estimate = estimated(field, PRIOR_PAIRS)
        claims = [*_claims(estimate, strength, advantage)]
        if not scenario.learnt_elo:  # no one number describes a bot that learns some opponents
            claims.append(_fit(field, estimate))
        for claim, bots, low, truth, high in claims:
            tally = tallies.setdefault(claim, np.zeros((3, len(strength))))
            events = np.ones(len(bots)), truth < low, truth > high
            for counted, event in zip(tally, events, strict=True):
                np.add.at(counted, bots, event)
    for claim, tally in tallies.items():
        if claim == "bound":
            # A bot that hardly ever has a bound has one after a rare record: not shown.
            tally[:, tally[0] < simulations / 2] = 0
        if tally[0].sum() >= _FEWEST:
            yield _row(claim, tally)


_Claim = tuple[str, Integers, Floats, Floats, Floats]
"""A claim, the bots it is about, and the lower limits, truths and upper limits."""


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
    # Ranks are wrong as soon as a bot counts as surely better than an equal or a better one.
    wrong = bool((estimate.sure & (truth[:, None] <= truth[None, :])).any())
    yield "ranks", nobody, np.zeros(1), np.array([float(wrong)]), np.zeros(1)


def _fit(field: Field, estimate: Estimate) -> _Claim:
    """Return the claim that one number a bot describes the field, unless a warning denies it."""
    assert estimate.joint is not None, "with a prior everybody is rated"
    compared = compared_pairings(field, estimate.joint.fit, estimate.score)
    denied = bool(sure_cycles(field, compared)) or bool(surprising(compared).any())
    one = np.zeros(1)
    return "fit", one.astype(np.int64), one, np.array([float(denied)]), one


def _leads(estimate: Estimate, truth: Floats) -> _Claim:
    """Return the claims on each bot's lead over the next in the table."""
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


def _row(claim: str, tally: Floats) -> dict[str, object]:
    """Return the row of a claim: of each bot, how often it was made, and missed either way."""
    made, below, above = tally
    often = made >= _FEWEST
    missed = (below + above)[often] / made[often]
    low, high = float(below.sum() / made.sum()), float(above.sum() / made.sum())
    return {
        "claim": claim,
        "claims": int(made.sum()),
        "coverage": 1 - low - high,
        "worst": 1 - float(missed.max()) if often.any() else np.nan,
        "missed_low": low,
        "missed_high": high,
    }
