"""Shows a record of games as tables, as figures and as a page."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from arena.schedule import Plan
from arena.store import Store
from salvo.reports.how_rated import HowRated
from salvo.reports.pages.report_page import report_page
from salvo.reports.standings.league_standing import standing_in
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.game_tables import game_table
from salvo.reports.tables.listings import list_tournaments, refuse_stranger
from salvo.reports.work_progress import Progress, no_progress

if TYPE_CHECKING:
    import plotly.graph_objects as go


def open_record(path: str | os.PathLike[str], tournament: str | None = None) -> "Record":
    """Open the record of games that a command wrote, ``salvo.sqlite3`` by default, to read it.

    Where none is named, the newest tournament is meant.

    Raises:
        arena.errors.RecordError: If there is none, it cannot be read, or has no such tournament.
    """
    record = Record(path, tournament)
    with Store(record.path, create=False) as store:
        if tournament is not None:
            store.tournament(tournament)
    return record


class Record:
    """A record of games; in a notebook it shows its leaderboards.

    The file is opened for each question and closed again: there is nothing to close, and a
    tournament that is being played may go on writing it. Where a question names no tournament, the
    record's own is meant, or else the newest; a name that the record lacks raises
    ``arena.errors.RecordError``. Of the record's own, a plan says how much counts; all by default.
    Make one by ``salvo.open_record`` or ``salvo.play``.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        tournament: str | None = None,
        *,
        plan: Plan | None = None,
    ) -> None:
        self.path = Path(path)
        self.tournament = tournament
        self._plan = plan

    def __repr__(self) -> str:
        own = "" if self.tournament is None else f", {self.tournament!r}"
        return f"salvo.open_record({str(self.path)!r}{own})"

    def _repr_html_(self) -> str:
        return self.standing().html()

    @property
    def tournaments(self) -> pd.DataFrame:
        """The tournaments, one a row, oldest first, with how much of each was played."""
        with self._store() as store:
            table = list_tournaments(store)
        return pd.DataFrame(table.rows, columns=list(table.columns))

    def games(
        self, tournament: str | None = None, *, bot: str | None = None, forfeits: bool = False
    ) -> pd.DataFrame:
        """Return every game of a tournament, one a row, solo games among them.

        Columns: ``id``, ``first`` and ``second`` (who sat where; second is None in solo games),
        ``pair`` (of solo games, the number of the layout), ``block`` (which games one process of
        each bot played), ``result`` and ``forfeit`` ("first",
        "second", and "draw" or None), ``termination`` and ``reason`` (how it ended), for each
        seat ``first_turns``, ``first_shots``, ``first_hits`` and so on, and ``second_seed`` (of
        solo games, the seed of the layout: the same seed, the same layout). ``leaderboards`` rates
        it.

        Raises:
            UserError: If no such bot was entered.
        """
        with self._store() as store:
            found = store.tournament(tournament or self.tournament)
            if bot is not None:
                refuse_stranger(found, bot)
            results = game_table(store, found.name)
        if bot is not None:
            results = results[(results["first"] == bot) | (results["second"] == bot)]
        return results[results["forfeit"].notna()] if forfeits else results

    def stderr(self, tournament: str | None = None) -> dict[str, str]:
        """Return the end of what bots wrote to stderr in games that they forfeited, by game."""
        with self._store() as store:
            return store.stderr(store.tournament(tournament or self.tournament).name)

    def elo(self, tournament: str | None = None, *, prior: bool = True) -> pd.DataFrame:
        """Return the Elo leaderboard, one bot a row, the best first; see ``leaderboards.Ratings``.

        It is empty where no two bots met. Without the weak prior, it is as ``--prior none`` has it.
        """
        ratings = self.standing(tournament, prior=prior).ratings
        return pd.DataFrame() if ratings is None else ratings.table

    def turns(self, tournament: str | None = None) -> pd.DataFrame:
        """Return the leaderboard of solo games, one bot a row, the fewest turns first.

        See ``leaderboards.mean_turns``; the table is empty where none were played.
        """
        turns = self.standing(tournament).turns
        return pd.DataFrame() if turns is None else turns

    def figures(
        self, tournament: str | None = None, *, prior: bool = True
    ) -> dict[str, "go.Figure"]:
        """Return the figures of the report, by name, as far as games for them were played.

        They are ``elo`` (ratings with their intervals), ``matrix`` (who beats whom), ``turns``
        (mean turns with their intervals) and ``shots`` (how they scatter).
        """
        return self.standing(tournament, prior=prior).figures()

    def report(
        self,
        tournament: str | None = None,
        *,
        prior: bool = True,
        progress: Progress = no_progress,
    ) -> str:
        """Return the report of a tournament: one HTML page that needs no network."""
        with self._store() as store:
            return report_page(self._standing(store, tournament, prior=prior), store, progress)

    def standing(self, tournament: str | None = None, *, prior: bool = True) -> Standing:
        """Return where everybody of a tournament stands, to be written as text or data."""
        with self._store() as store:
            return self._standing(store, tournament, prior=prior)

    def _standing(self, store: Store, tournament: str | None, *, prior: bool) -> Standing:
        found = store.tournament(tournament or self.tournament)
        if self._plan is not None and tournament in (None, self.tournament):
            return Standing(store, found, self._plan, how=HowRated(prior))
        return standing_in(store, found, how=HowRated(prior))

    def _store(self) -> Store:
        return Store(self.path, create=False)
