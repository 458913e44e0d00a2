"""Compares the versions of the bots of a league, one after the other."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arena.league import Entry
from arena.store import Store, Tournament
from leaderboards import Ratings
from leaderboards.display.history import history_figure
from leaderboards.display.palette import styles
from leaderboards.display.sections import Drawing, Section, Table
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.league_standing import league_of, league_standing
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.version_rows import rated_versions, version_rows

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
    rated = rated_versions(ratings)
    listed = sorted(entries, key=lambda entry: (entry.name, entry.version))
    return Section(
        name="versions",
        heading="Versions",
        drawings=[
            Drawing(
                "Elo by version, with its 95% interval",
                _figure(listed, rated, ranked),
                wide=True,
                numbers=Table("Versions", version_rows(entries, ratings)),
            )
        ],
        notes=[_NOTE],
    )


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
