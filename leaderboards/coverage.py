"""How often the intervals hold the truth: tournaments are simulated from known ratings, and rated.

An interval that claims 95% should hold the truth in about 95 of 100 tournaments: for even fields
and lopsided ones, few pairs and many, pairs whose games are alike, independent or opposed, and bots
that win or lose everything. A one-sided bound holds the truth where the truth is on its inner side.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from leaderboards.estimate import estimated
from leaderboards.field import OUTCOMES, Field, Floats
from leaderboards.ratings import ELO_PER_NAT, PRIOR_PAIRS

COLUMNS = ("scenario", "of", "truth_elo", "coverage", "missed_low", "missed_high", "one_sided")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A tournament of which the truth is known.

    Attributes:
        name: What it tries.
        elo: Ratings of the bots.
        first_seat_elo: What the first seat is worth.
        pairs: Pairs of games that every two bots play.
        alike: Share of the greatest possible covariance that a bot's points in the two games of a
            pair have: 1 alike, 0 independent, -1 opposed.
    """

    name: str
    elo: tuple[float, ...]
    first_seat_elo: float
    pairs: int
    alike: float = 0.0


SCENARIOS = (
    Scenario("even field", (0, 0, 0, 0, 0, 0), 30, 20),
    Scenario("spread field", (250, 120, 40, -30, -130, -250), 30, 40),
    Scenario("pairs alike", (250, 120, 40, -30, -130, -250), 30, 40, alike=0.6),
    Scenario("pairs opposed", (250, 120, 40, -30, -130, -250), 30, 40, alike=-0.6),
    Scenario("few pairs", (150, 50, -50, -150), 30, 5),
    Scenario("two bots", (120, -120), 30, 50),
    Scenario("skewed", (800, 50, 0, -50, -800), 30, 40),
    Scenario("undefeated and winless", (900, 0, -100, -800), 30, 10),
)


def coverage_of_intervals(
    simulations: int, seed: int, scenarios: tuple[Scenario, ...] = SCENARIOS
) -> pd.DataFrame:
    """Return how often the intervals held the truth.

    Args:
        simulations: How many tournaments to simulate for each scenario.
        seed: Seed of the simulation; the same seed gives the same table.
        scenarios: What to try.

    Returns:
        One row for each scenario and bot, and one for the first seat: `scenario`, `of` (the bot or
        "first seat"), `truth_elo` (above the mean), `coverage` (0 to 1), `missed_low` and
        `missed_high` (shares in which the truth lay below, above), `one_sided` (share in which
        there was a one-sided bound).
    """
    streams = np.random.SeedSequence(seed).spawn(len(scenarios))
    tables = [
        _coverage(scenario, simulations, np.random.default_rng(stream))
        for scenario, stream in zip(scenarios, streams, strict=True)
    ]
    return pd.concat(tables, ignore_index=True)[list(COLUMNS)]


def simulated_field(scenario: Scenario, generator: np.random.Generator) -> Field:
    """Return the games of one tournament of a scenario."""
    strength = np.array(scenario.elo) / ELO_PER_NAT
    size = len(strength)
    one, other = (np.repeat(index, scenario.pairs) for index in np.triu_indices(size, 1))
    gap, advantage = strength[one] - strength[other], scenario.first_seat_elo / ELO_PER_NAT
    luck, fresh = generator.random((2, len(one)))
    copied = luck if scenario.alike > 0 else 1 - luck
    again = np.where(generator.random(len(one)) < abs(scenario.alike), copied, fresh)
    won = luck < _logistic(gap + advantage), again < _logistic(gap - advantage)
    outcomes = np.zeros((len(one), 2, OUTCOMES), dtype=np.int64)
    pairs = np.arange(len(one))
    outcomes[pairs, 0, np.where(won[0], 0, 2)] = 1
    outcomes[pairs, 1, np.where(won[1], 2, 0)] = 1
    names = tuple(f"bot {index + 1}" for index in range(size))
    return Field(names, one, other, outcomes, np.ones(len(one), dtype=np.int64))


def _coverage(scenario: Scenario, simulations: int, generator: np.random.Generator) -> pd.DataFrame:
    strength = np.array(scenario.elo)
    truth = np.append(strength - strength.mean(), scenario.first_seat_elo) / ELO_PER_NAT
    below, above, one_sided = (np.zeros(len(truth)) for _ in range(3))
    for _ in range(simulations):
        estimate = estimated(simulated_field(scenario, generator), PRIOR_PAIRS)
        assert estimate.advantage is not None, "with a prior there is always an estimate"
        # Comparisons with the NaN of a limit that is not there are false: nothing is missed.
        below += truth < np.append(estimate.low, estimate.advantage[1])
        above += truth > np.append(estimate.high, estimate.advantage[2])
        one_sided[:-1] += [bound != "" for bound in estimate.bound]
    return pd.DataFrame(
        {
            "scenario": scenario.name,
            "of": [*(f"bot {index + 1}" for index in range(len(strength))), "first seat"],
            "truth_elo": truth * ELO_PER_NAT,
            "coverage": 1 - (below + above) / simulations,
            "missed_low": below / simulations,
            "missed_high": above / simulations,
            "one_sided": one_sided / simulations,
        }
    )


def _logistic(nats: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-nats)), dtype=np.float64)
