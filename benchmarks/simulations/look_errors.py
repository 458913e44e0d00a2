"""Simulates tournaments that are looked at several times, any of which may end them."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from benchmarks.simulations.fields import Scenario, simulated_field
from leaderboards.elo.estimate import estimated
from leaderboards.elo.game_counts import Field
from leaderboards.elo.ratings import PRIOR_PAIRS

COLUMNS = ("scenario", "looks", "wrong", "wrong_as_if_one_look", "decided", "share_of_games")


@dataclass(frozen=True, slots=True)
class Looked:
    """A tournament of which the truth is known, and after how many looks it ends at the latest.

    Each look has as many more pairs of every pairing as the scenario says in all, over the looks.
    """

    scenario: Scenario
    looks: int


LOOKED = (
    Looked(Scenario("2 equal bots, 100 pairs", (0, 0), 100), 4),
    Looked(Scenario("5 equal bots, 40 pairs", (0,) * 5, 40), 4),
    Looked(Scenario("5 equal bots, 40 pairs, ten looks", (0,) * 5, 40), 10),
    Looked(
        Scenario("5 equal bots, blocks that differ", (0,) * 5, 80, learnt_elo=0, swing_elo=100), 4
    ),
    Looked(Scenario("20 equal bots, 40 pairs", (0,) * 20, 40, share=0.2), 4),
    Looked(Scenario("5 bots, the best by 60 Elo, 100 pairs", (60, 0, 0, 0, 0), 100), 4),
    Looked(Scenario("5 bots, the best by 120 Elo, 100 pairs", (120, 0, 0, 0, 0), 100), 4),
)


def errors_of_looks(
    tournaments: int, seed: int, looked: tuple[Looked, ...] = LOOKED
) -> pd.DataFrame:
    """Return how often a bot is called surely better than an equal or better one at any look.

    Args:
        tournaments: How many to simulate of a scenario of share 1.
        seed: Seed of the simulation; the same seed gives the same table.

    Returns:
        One row a scenario: `scenario`, `looks`, `wrong` (0 to 1), the same had each look been
        judged as if it were the only one, `decided` (the share in which one bot was surely better
        than all others at a look) and `share_of_games` (played when it ended, on average).
    """
    streams = np.random.SeedSequence(seed).spawn(len(looked))
    rows = [
        _row(one, max(10, round(tournaments * one.scenario.share)), np.random.default_rng(stream))
        for one, stream in zip(looked, streams, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(looked: Looked, tournaments: int, generator: np.random.Generator) -> dict[str, object]:
    scenario, looks = looked.scenario, looked.looks
    elo = np.array(scenario.elo)
    not_better = elo[:, None] <= elo[None, :]
    wrong = naive = decided = 0
    share = 0.0
    for _ in range(tournaments):
        field = simulated_field(scenario, generator)
        erred = erred_alone = False
        ended = 0
        for look in range(1, looks + 1):
            part = _first(field, look / looks)
            sure = estimated(part, PRIOR_PAIRS, looks=looks).sure
            erred_alone |= bool((estimated(part, PRIOR_PAIRS).sure & not_better).any())
            if not ended:  # what it says after it has ended nobody hears
                erred |= bool((sure & not_better).any())
                if sure.sum(axis=1).max() == len(elo) - 1:
                    ended = look
        wrong, naive, decided = wrong + erred, naive + erred_alone, decided + bool(ended)
        share += (ended or looks) / looks
    return {
        "scenario": scenario.name,
        "looks": looks,
        "wrong": wrong / tournaments,
        "wrong_as_if_one_look": naive / tournaments,
        "decided": decided / tournaments,
        "share_of_games": share / tournaments,
    }


def _first(field: Field, share: float) -> Field:
    """Return the first units of each pairing of a field."""
    pairing = field.one * len(field.bots) + field.other
    order = pd.Series(pairing).groupby(pairing).cumcount().to_numpy()
    kept = order < round(share * (order.max() + 1))
    names = ("one", "other", "outcomes", "counts", "pairs", "incomplete_pairs")
    return replace(field, **{name: getattr(field, name)[kept] for name in names})
