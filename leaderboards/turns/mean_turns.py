"""Counts how many turns and shots bots take to sink a fleet, with intervals and ranks.

Layouts are the sample: each bot searches layouts of its own, or all bots the same ones. Intervals
are those of `leaderboards.turns.means`, Student's with the skewness taken out: of twenty games
Student's own cover the truth in 91 to 94% of cases, these in 94 to 95%. Turns are whole numbers, so
their deviation is taken for no less than that of rounding: a bot that always took the same number
has a narrow interval, not none.

Where the luck of games is known, order and ranks go by the means less luck.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from leaderboards.inputs import checked_solo
from leaderboards.turns.differences import Searches, ranks_of, searches_by_bot
from leaderboards.turns.luck_check import luck_chances
from leaderboards.turns.means import ROUNDING, mean_limits

TURNS_COLUMNS = (
    *("bot", "rank", "best_rank", "worst_rank", "mean_turns", "turns_low", "turns_high"),
    *("mean_shots", "shots_low", "shots_high"),
    *("median_shots", "best_shots", "worst_shots", "hit_rate", "games", "forfeits"),
)
ADJUSTED_COLUMNS = (
    *("adjusted_turns", "adjusted_turns_low", "adjusted_turns_high"),
    *("adjusted_shots", "adjusted_low", "adjusted_high", "luck_chance", "withheld"),
)


def mean_turns(solo: pd.DataFrame) -> pd.DataFrame:
    """Return how many turns and shots each bot takes, fewest turns first.

    Where a bot searched a layout more than once, the layout counts once, with the mean.

    Returns:
        One row a bot: `bot`, `rank` (bots with equal means share it), `best_rank` and `worst_rank`
        (ranks that the bot may have, all of them right at once with 95% confidence), `mean_turns`,
        `turns_low`, `turns_high`, `mean_shots`, `shots_low`, `shots_high` (95% intervals; NaN for
        one layout), `median_shots`, `best_shots`, `worst_shots`, `hit_rate` (hits per shot),
        `games`, `forfeits`.

        Where the table has a column `luck` also `adjusted_turns` and `adjusted_shots`, means less
        luck, with `adjusted_turns_low`, `adjusted_turns_high`, `adjusted_low` and `adjusted_high`,
        their 95% limits; `luck_chance`, the probability, at most, of chance giving any bot such
        luck (NaN without e-values), and whether the adjusted means are `withheld` for that. Bots
        are then ordered and ranked by `adjusted_turns`; those withheld stand last, with None for
        their ranks, and no other bot is compared with them.

    Raises:
        LeaderboardError: If the table breaks the contract.
    """
    checked = checked_solo(solo)
    adjusted = "luck" in checked
    chances = luck_chances(checked) if adjusted else {}
    searches = {what: searches_by_bot(checked, what) for what in ("turns", "shots")}
    rows = []
    for bot, games in checked.groupby("bot", sort=True):
        row = {"bot": str(bot), **_plain_row(games)}
        if adjusted:
            found = [searches[what].get(str(bot)) for what in ("turns", "shots")]
            row |= _adjusted_row(found, chances[str(bot)])
        rows.append(row)
    own = {"rank", "best_rank", "worst_rank"}
    columns = (*TURNS_COLUMNS, *(ADJUSTED_COLUMNS if adjusted else ()))
    table = pd.DataFrame(rows, columns=[name for name in columns if name not in own])
    by = "adjusted_turns" if adjusted else "mean_turns"
    ranks = table[by].astype(float).round(9).rank(method="min")
    table = table.assign(rank=ranks).sort_values(["rank", "bot"], ignore_index=True)
    found = [searches["turns"].get(bot) for bot in table["bot"]]
    ranked = [own for own in found if own is not None]
    spans = (table["rank"].to_numpy()[: len(ranked)].astype(np.int64), *ranks_of(ranked))
    nobody: list[int | None] = [None] * (len(table) - len(ranked))
    for name, span in zip(("rank", "best_rank", "worst_rank"), spans, strict=True):
        table[name] = pd.Series([*span.tolist(), *nobody], dtype=object if nobody else np.int64)
    return table[list(columns)]


def ranked_by(turns: pd.DataFrame) -> tuple[str, str, str]:
    """Return the columns with the means that bots are ranked by, and with their limits."""
    if "adjusted_turns" in turns:
        return "adjusted_turns", "adjusted_turns_low", "adjusted_turns_high"
    return "mean_turns", "turns_low", "turns_high"


def _plain_row(games: pd.DataFrame) -> dict[str, object]:
    layouts = games.groupby("layout", sort=True)[["turns", "shots"]].mean()
    means: dict[str, float] = {}
    for what in ("turns", "shots"):
        limits = mean_limits(layouts[what].to_numpy(dtype=np.float64), ROUNDING)
        names = (f"mean_{what}", f"{what}_low", f"{what}_high")
        means |= dict(zip(names, _possible(limits), strict=True))
    return {
        **means,
        "median_shots": float(games["shots"].median()),
        "best_shots": int(games["shots"].min()),
        "worst_shots": int(games["shots"].max()),
        "hit_rate": float(games["hits"].sum() / games["shots"].sum()),
        "games": len(games),
        "forfeits": int(games["forfeit"].sum()),
    }


def _adjusted_row(searches: Sequence[Searches | None], chance: float) -> dict[str, object]:
    """Return the adjusted turns and shots of a bot, NaN where they are withheld."""
    numbers = [
        number
        for own in searches
        for number in ((np.nan,) * 3 if own is None else _possible(own.limits()))
    ]
    withheld = any(own is None for own in searches)
    return dict(zip(ADJUSTED_COLUMNS, (*numbers, chance, withheld), strict=True))


def _possible(limits: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a mean with its limits; none takes less than a turn, and a shot.

    Of two or three games the interval is wide.
    """
    mean, low, high = limits
    return mean, float(np.maximum(low, 1)), high
