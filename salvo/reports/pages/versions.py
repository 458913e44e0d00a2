"""Compares the versions of the bots of a league, one after the other."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arena.league import Entry
from arena.store import Store, Tournament
from leaderboards import Ratings
from leaderboards.display.cells import interval, number
from leaderboards.display.history import history_figure
from leaderboards.display.html_page import Drawing, Section, Table
from leaderboards.display.palette import styles
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.league_standing import league_of, league_standing
from salvo.reports.standings.standing import Standing

_NOTE = (
    "All versions that were ever entered, rated together by all games of the league. Each met the "
    "version that it replaced, and the field as it stood."
)


def history_in(
    store: Store, tournament: Tournament, standing: Standing, *, how: HowRated | None = None
) -> list[Section]:
    """Return how versions compare, as sections of a report: none where nobody has several."""
    league = league_of(store) if tournament.kind == "league" else None
    if league is None or all(entry.version == 1 for entry in league.entries):
        return []
    everybody = league_standing(league, store, all_versions=True, how=how)
    section = versions_section(league.entries, everybody.ratings, standing.bots)
    return [] if section is None else [section]


def versions_section(
    entries: Sequence[Entry], ratings: Ratings | None, ranked: Sequence[str]
) -> Section | None:
    """Return the section of a report that compares versions; None where no bot had a second.

    The ratings are those of every version, under its full name, by all games of the league.
    """
    if ratings is None or all(entry.version == 1 for entry in entries):
        return None
    rated = {str(row["bot"]): row for row in ratings.table.to_dict("records")}
    listed = sorted(entries, key=lambda entry: (entry.name, entry.version))
    rows = [_row(entry, rated.get(entry.full_name), ratings) for entry in listed]
    return Section(
        name="versions",
        heading="Versions",
        drawings=[
            Drawing(
                "Elo by version, with its 95% interval",
                _figure(listed, rated, ranked),
                wide=True,
                numbers=Table("Versions", rows),
            )
        ],
        notes=[_NOTE],
    )


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


def _figure(
    listed: Sequence[Entry], rated: Mapping[str, Mapping[Hashable, Any]], ranked: Sequence[str]
) -> Any:  # noqa: ANN401 - Plotly has no types
    rows = [
        {
            "bot": entry.name,
            "version": entry.version,
            **{
                key: rated.get(entry.full_name, {}).get(key, np.nan)
                for key in ("elo", "low", "high")
            },
        }
        for entry in listed
    ]
    return history_figure(pd.DataFrame(rows), styles([*ranked, *(entry.name for entry in listed)]))
