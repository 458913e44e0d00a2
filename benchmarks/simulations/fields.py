"""Simulates fields of bots of known strengths: tournaments of many kinds, and round robins."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit

from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.estimate import estimated
from leaderboards.elo.fit import constraints_of, maximum_of
from leaderboards.elo.game_counts import OUTCOMES, Field, Floats
from leaderboards.elo.likelihood import ADVANTAGE, Evidence
from leaderboards.elo.ratings import PRIOR_PAIRS

PAIRS_PER_BLOCK = 10
"""Pairs that two bots play without being restarted, and within which a bot may learn."""

_NODES = 15  # of the integral over the swings of blocks

SPREAD_ELO = 200.0
"""The standard deviation of strengths that are drawn."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A tournament of which the truth is known.

    Attributes:
        pairs: Pairs of games that every two bots play.
        first_seat_elo: What the first seat is worth.
        alike: Share of the greatest possible covariance that a bot's points in the two games of a
            pair have: 1 alike, 0 independent, -1 opposed.
        learnt_elo: By how much the first bot improves in a block, from a pair on that is drawn
            anew for each block and may never come; 0 for blocks in which nobody learns, None for
            games in pairs alone.
        swing_elo: The standard deviation by which one of two bots is better or worse for all of a
            block; 0 for blocks that are all alike.
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
    swing_elo: float = 0.0
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
    Scenario("2 equal bots, 4 blocks that differ", (0, 0), 40, learnt_elo=0, swing_elo=100),
    Scenario(
        "2 equal bots, one block of 3 pairs",
        (0, 0),
        3,
        learnt_elo=0,
        block_pairs=3,
        swing_elo=150,
    ),
    Scenario("5 equal bots, one block", (0,) * 5, 10, learnt_elo=0),
    Scenario("5 equal bots, one block that differs", (0,) * 5, 10, learnt_elo=0, swing_elo=150),
    Scenario("5 bots, 2 blocks that differ", _spread(5, 300), 20, learnt_elo=0, swing_elo=150),
    Scenario("5 equal bots, 4 blocks that differ", (0,) * 5, 40, learnt_elo=0, swing_elo=100),
    Scenario("8 equal bots, one block", (0,) * 8, 10, learnt_elo=0),
    Scenario("8 equal bots, one block that differs", (0,) * 8, 10, learnt_elo=0, swing_elo=150),
    Scenario("8 bots, 4 blocks that differ", _spread(8, 300), 40, learnt_elo=0, swing_elo=200),
    Scenario(
        "20 bots, one block that differs",
        _spread(20, 600),
        10,
        learnt_elo=0,
        swing_elo=150,
        share=0.3,
    ),
    Scenario(
        "20 equal bots, 4 blocks that differ",
        (0,) * 20,
        40,
        learnt_elo=0,
        swing_elo=100,
        share=0.3,
    ),
)


def simulated_field(scenario: Scenario, generator: np.random.Generator) -> Field:
    """Return the games of one tournament of a scenario."""
    size, pairs = len(scenario.elo), scenario.pairs
    one, other = (np.repeat(index, pairs) for index in np.triu_indices(size, 1))
    gap = (np.array(scenario.elo)[one] - np.array(scenario.elo)[other]) / ELO_PER_NAT
    if scenario.learnt_elo is not None:
        blocks = generator.normal(0, scenario.swing_elo, len(one) // scenario.block_pairs)
        gap += np.repeat(blocks, scenario.block_pairs) / ELO_PER_NAT
        gap += np.where(one == 0, _learnt(len(one), scenario, generator), 0) * (
            scenario.learnt_elo / ELO_PER_NAT
        )
    advantage = scenario.first_seat_elo / ELO_PER_NAT
    luck, fresh = generator.random((2, len(one)))
    copied = luck if scenario.alike > 0 else 1 - luck
    again = np.where(generator.random(len(one)) < abs(scenario.alike), copied, fresh)
    won = luck < expit(gap + advantage), again < expit(gap - advantage)
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
    learner = np.zeros((size, size))  # by seats: 1 in the first, -1 in the second
    learner[0, :], learner[:, 0] = 1, -1
    nodes, share = np.polynomial.hermite_e.hermegauss(_NODES)
    swings = nodes * scenario.swing_elo / ELO_PER_NAT
    early, late = (
        expit(leads[..., None] + swings) @ share / share.sum()
        for leads in (gap, gap + learner * scenario.learnt_elo / ELO_PER_NAT)
    )
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


def interval_width_elo(scenario: Scenario, simulations: int, seed: int) -> float:
    """Return the mean width of a bot's 95% interval in simulated tournaments, in Elo."""
    generator = np.random.default_rng(seed)
    widths = []
    for _ in range(simulations):
        estimate = estimated(simulated_field(scenario, generator), PRIOR_PAIRS)
        width = estimate.high - estimate.low
        widths += width[np.isfinite(width)].tolist()
    return float(np.mean(widths) * ELO_PER_NAT)


def round_robin_games(elo: Floats, pairs: int, generator: np.random.Generator) -> pd.DataFrame:
    """Return the games of bots that all meet: of every two, pairs with the seats swapped.

    The bots are called bot000 and so on.
    """
    one, other = (np.repeat(index, pairs) for index in np.triu_indices(len(elo), 1))
    pair = np.tile(np.arange(pairs), len(one) // max(pairs, 1))
    names = np.array([f"bot{number:03}" for number in range(len(elo))], dtype=object)
    halves = []
    for first, second in ((one, other), (other, one)):
        won = generator.random(len(first)) < expit((elo[first] - elo[second]) / ELO_PER_NAT)
        result = np.where(won, "first", "second").astype(object)
        half = {"first": names[first], "second": names[second], "result": result, "pair": pair}
        halves.append(pd.DataFrame(half))
    return pd.concat(halves, ignore_index=True).assign(forfeit=None)


def large_field(games: int, bots: int, seed: int) -> pd.DataFrame:
    """Return the games of a round robin of bots of known strength."""
    generator = np.random.default_rng(seed)
    pairs = max(1, games // (bots * (bots - 1)))
    return round_robin_games(generator.normal(0, SPREAD_ELO, bots), pairs, generator)
