"""Says how a bot did against each other bot."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from leaderboards import Ratings
from leaderboards.display.cells import interval, number
from leaderboards.display.sections import Table
from leaderboards.elo.elo_table import is_telling
from leaderboards.elo.influence import LEANING_ELO

_AGAINST_EACH = (
    "Predicted: the share of the points that the two ratings expect. Moves its Elo by: how far "
    "these games move the rating from the one that the bot's other games give it, with the 95% "
    "interval; - where the other games are too few to tell, ! where it is surely more than "
    f"{LEANING_ELO:.0f} Elo."
)


def against_each(ratings: Ratings | None, bot: str) -> list[Table]:
    """Return how a bot did against each other, as a table; none where it met nobody."""
    if ratings is None:
        return []
    order = {str(name): place for place, name in enumerate(ratings.table["bot"])}
    met = ratings.pairings[ratings.pairings["bot"] == bot]
    rows = sorted(met.to_dict("records"), key=lambda row: order[row["opponent"]])
    drawn = any(row["draws"] for row in rows)
    cells = [
        {
            "opponent": str(row["opponent"]),
            "games": str(row["games"]),
            "won": str(row["wins"]),
            **({"drawn": str(row["draws"])} if drawn else {}),
            "lost": str(row["losses"]),
            "points": f"{row['score']:.1%}",
            "predicted": "-" if pd.isna(row["predicted"]) else f"{row['predicted']:.1%}",
            "moves its Elo by": _moves(row),
        }
        for row in rows
    ]
    return [Table("Against each", cells, _AGAINST_EACH)] if cells else []


def _moves(row: Mapping[Hashable, Any]) -> str:
    if not row["leans"] and not is_telling(row["moved"], row["moved_low"], row["moved_high"]):
        return "-"
    limits = interval(row["moved_low"], row["moved_high"], 0)
    return f"{number(row['moved'], 0)} ({limits}){' !' if row['leans'] else ''}"
