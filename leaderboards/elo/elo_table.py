"""Builds the table of the Elo leaderboard: ranks, ratings and intervals."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from leaderboards.elo.estimate import Estimate
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.simultaneous import rank_sets

ELO_PER_NAT = 400 / np.log(10)
MEAN_ELO = 1500.0

FARTHEST_ELO = 600.0
"""Limits that lie farther from what they limit say nothing, and are left out."""

FARTHEST_BOUND_ELO = 200.0
"""So do bounds that lie farther beyond the mean of the field."""

ELO_COLUMNS = (
    *("bot", "group", "rank", "best_rank", "worst_rank", "elo", "low", "high", "bound"),
    *("weight", "games", "wins", "draws", "losses", "forfeits", "leans_on"),
)


def elo_rows(
    played: Field,
    estimate: Estimate,
    *,
    forfeits: Mapping[str, int],
    leans_on: Mapping[str, str],
    anchor_elo: float | None,
) -> pd.DataFrame:
    """Return one row a bot with the columns `ELO_COLUMNS`, best first, group after group."""
    games = played.by_bot().sum(axis=1)
    zero = np.array(
        [
            MEAN_ELO if one is None or anchor_elo is None else anchor_elo
            for one in estimate.reference
        ],
        dtype=np.float64,
    )
    elo = zero + estimate.strength * ELO_PER_NAT
    low, high = (zero + limit * ELO_PER_NAT for limit in (estimate.low, estimate.high))
    low, high = _telling(elo, low, high, _mean_of_field(estimate, elo))
    table = pd.DataFrame(
        {
            "bot": list(played.bots),
            "group": estimate.group_of() + 1,
            "elo": elo,
            "low": low,
            "high": high,
            "bound": list(estimate.bound),
            "weight": estimate.weights,
            "games": games.sum(axis=1),
            "wins": games[:, 0],
            "draws": games[:, 1],
            "losses": games[:, 2],
            "forfeits": [forfeits.get(bot, 0) for bot in played.bots],
            "leans_on": [leans_on.get(bot, "") for bot in played.bots],
        }
    )
    table = _ordered(table, _tiers(played, estimate))
    place = {bot: index for index, bot in enumerate(played.bots)}
    order = [place[bot] for bot in table["bot"]]
    best, worst = _rank_sets(estimate)
    table = table.assign(best_rank=best[order], worst_rank=worst[order])
    return table[list(ELO_COLUMNS)]


def is_telling(value: float, low: float, high: float) -> bool:
    """Return whether both limits of a number in Elo are near enough to it to say something."""
    return high - value <= FARTHEST_ELO and value - low <= FARTHEST_ELO


def _telling(elo: Floats, low: Floats, high: Floats, mean: Floats) -> tuple[Floats, Floats]:
    """Return the limits of intervals that say something, NaN for those of others.

    A bound is seen from the mean of the field: a bot that has one has no rating by its games.
    """
    bounded = np.isnan(low) | np.isnan(high)
    about = np.where(bounded, mean, elo)
    farthest = np.where(bounded, FARTHEST_BOUND_ELO, FARTHEST_ELO)
    far = np.fmax(about - low, high - about) > farthest
    return np.where(far, np.nan, low), np.where(far, np.nan, high)


def _mean_of_field(estimate: Estimate, elo: Floats) -> Floats:
    """Return the mean of each bot's field, (N,), each bot weighed by how well it is known."""
    mean = np.empty(len(elo))
    for group in map(list, estimate.groups):
        mean[group] = np.nansum(estimate.weights[group] * elo[group])
    return mean


def _tiers(played: Field, estimate: Estimate) -> list[tuple[int, int]]:
    """Return where bots without a rating stand: above those rated, below them, and at which level.

    With a rating for everybody, ratings alone decide.
    """
    side = {"lower": -1, "": 0, "upper": 1}
    unrated = np.isnan(estimate.strength)
    if not unrated.any():
        return [(0, 0)] * len(unrated)
    deep = _levels(played)
    return [
        (side[estimate.bound[index]] or 2, deep[index]) if unrated[index] else (0, 0)
        for index in range(len(unrated))
    ]


def _ordered(table: pd.DataFrame, tiers: list[tuple[int, int]]) -> pd.DataFrame:
    # Equal records make ratings that differ by thousandths of an Elo, by what the prior pulls at:
    # these must not decide the order.
    table = table.assign(
        tier=[tier for tier, _ in tiers],
        level=[level for _, level in tiers],
        descending=-table["elo"].round(2).fillna(0.0),
    )
    keys = ["group", "tier", "level", "descending"]
    table = table.sort_values([*keys, "bot"], ignore_index=True)
    place = table.groupby("group", sort=False).cumcount() + 1
    shared = place.groupby([table[key] for key in keys], sort=False).transform("min")
    return table.assign(rank=shared.astype(np.int64))


def leads(
    estimate: Estimate, pairs: Sequence[tuple[int, int]], *, at_once: bool
) -> tuple[list[float], list[float], list[float]]:
    """Return the leads in Elo of bots over others, and their limits; NaN between groups.

    The limits hold in 95% of cases each, or for all bots of a group `at_once`.
    """
    group = estimate.group_of()
    value = np.array([estimate.strength[one] - estimate.strength[other] for one, other in pairs])
    low, high = np.full((2, len(pairs)), np.nan)
    linked = [row for row, (one, other) in enumerate(pairs) if group[one] == group[other]]
    if estimate.joint is not None:
        chosen = [pairs[row] for row in linked]
        needed = np.array([estimate.needed[pair] for pair in chosen]) if at_once else None
        low[linked], high[linked] = estimate.joint.differences(chosen, needed)
    value[[row for row in range(len(pairs)) if row not in set(linked)]] = np.nan
    return tuple((numbers * ELO_PER_NAT).tolist() for numbers in (value, low, high))


def _rank_sets(estimate: Estimate) -> tuple[Integers, Integers]:
    best, worst = np.ones((2, len(estimate.strength)), dtype=np.int64)
    for group in estimate.groups:
        inside = list(group)
        best[inside], worst[inside] = rank_sets(estimate.sure[np.ix_(inside, inside)])
    return best, worst


def _levels(field: Field) -> list[int]:
    """Return for each bot how many steps down it stands from the bots that nobody beat.

    Bots that beat and lost to each other along some chain of games share a level; elsewhere the
    bot that always won stands above.
    """
    cores = field.cores()
    core_of = {bot: number for number, core in enumerate(cores) for bot in core}
    won = field.by_bot()[:, :, 0]
    beaten_by: list[set[int]] = [set() for _ in cores]
    for winner, loser in zip(*(index.tolist() for index in np.nonzero(won)), strict=True):
        if core_of[winner] != core_of[loser]:
            beaten_by[core_of[loser]].add(core_of[winner])
    depth: dict[int, int] = {}
    while len(depth) < len(cores):
        ready = {
            core: 1 + max((depth[above] for above in beaten_by[core]), default=-1)
            for core in range(len(cores))
            if core not in depth and beaten_by[core] <= depth.keys()
        }
        depth |= ready
    return [depth[core_of[bot]] for bot in range(len(field.bots))]
