"""Says what each version of a bot brought over the one before it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from arena.league import Entry
from leaderboards import Ratings
from leaderboards.display.cells import interval, number


def version_rows(entries: Sequence[Entry], ratings: Ratings) -> list[dict[str, str]]:
    """Return the cells of each version, in order.

    The ratings are those of every version, under its full name, by all games of the league.
    """
    rated = rated_versions(ratings)
    listed = sorted(entries, key=lambda entry: (entry.name, entry.version))
    return [_row(entry, rated.get(entry.full_name), ratings) for entry in listed]


def rated_versions(ratings: Ratings) -> dict[str, Mapping[Hashable, Any]]:
    """Return the row of the leaderboard of each version, by its full name."""
    return {str(row["bot"]): row for row in ratings.table.to_dict("records")}


def _row(entry: Entry, row: Mapping[Hashable, Any] | None, ratings: Ratings) -> dict[str, str]:
    former = f"{entry.name}@{entry.version - 1}"
    known = row is not None and former in set(ratings.table["bot"])
    gain = ratings.difference(entry.full_name, former) if known else None
    return {
        "bot": entry.name,
        "version": str(entry.version),
        "state": entry.state,
        "Elo": "-" if row is None else number(row["elo"], 0),
        "95% interval": "-" if row is None else interval(row["low"], row["high"], 0),
        "better than the one before by": "-"
        if gain is None
        else f"{number(gain.value, 0)} ({interval(gain.low, gain.high, 0)})",
        "games": "0" if row is None else str(row["games"]),
    }
