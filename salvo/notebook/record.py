"""Shows a record of games as tables, figures, replays and a page."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from arena.errors import UserError
from arena.store import Store, Tournament
from leaderboards.display.formatted_tables import leaderboard_text, notes_text
from salvo.notebook.bar import progress_bar
from salvo.notebook.replays import ShownGame
from salvo.notebook.wording import errors_in_python, in_python
from salvo.reports.how_rated import HowRated
from salvo.reports.pages.featured_games import featured_games
from salvo.reports.pages.report_page import report_page
from salvo.reports.standings.league_standing import standing_in
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.game_tables import game_table, with_winners
from salvo.reports.tables.listings import list_tournaments, refuse_stranger

if TYPE_CHECKING:
    import plotly.graph_objects as go


Rate = Callable[[Store, Tournament, HowRated], Standing]
"""Returns the leaderboards of a tournament."""


def open_record(db: str | os.PathLike[str], tournament: str | None = None) -> "Record":
    """Open the record of games that a command wrote, ``salvo.sqlite3`` by default, to read it.

    Where none is named, the newest tournament is meant.

    Raises:
        arena.errors.RecordError: If there is none, it cannot be read, or has no such tournament.
    """
    record = Record(db, tournament)
    with record._store() as store:  # noqa: SLF001 - it is of this module
        if tournament is not None:
            store.tournament(tournament)
    return record


class Record:
    """A record of games, which shows its leaderboards.

    The file is opened for each question and closed again: there is nothing to close, and a
    tournament that is being played may go on writing it. Where a question names no tournament, the
    record's own is meant, or else the newest; a name that the record lacks raises
    ``arena.errors.RecordError``. Its own is rated as ``standing`` says; all games count by default.
    Make one by ``salvo.open_record``, ``salvo.play``, ``salvo.match`` or ``salvo.solo``.
    """

    def __init__(
        self,
        db: str | os.PathLike[str],
        tournament: str | None = None,
        *,
        standing: Rate | None = None,
    ) -> None:
        self.path = Path(db)
        self.tournament = tournament
        self._rate = standing

    def __repr__(self) -> str:
        shown = self._in_python()
        notes = notes_text([in_python(note) for note in shown.notes_with_key])
        parts = [shown.title(), *map(leaderboard_text, shown.boards), notes]
        return "\n\n".join(filter(None, parts))

    def _repr_html_(self) -> str:
        return self._in_python().html()

    def _in_python(self) -> Standing:
        """Return the leaderboards with what is said of them in the words of Python."""
        shown = self.standing()
        shown.elo_verdict = [in_python(line) for line in shown.elo_verdict]
        shown.notes = [in_python(note) for note in shown.notes]
        return shown

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

        Columns: ``game`` (its id, for ``replay``), ``first`` and ``second`` (who sat where; second
        is None in solo games), ``winner`` (a bot's name; None where nobody won), ``forfeit``
        (whether it ended by one), ``termination`` (how it ended), ``pair`` (of solo games, the
        number of the layout), ``block`` (which games one process of each bot played), for each seat
        ``first_turns``, ``first_shots``, ``first_hits`` and so on, ``second_seed`` (of solo games,
        the seed of the layout: the same seed, the same layout), and ``reason`` (in words).
        ``standing().games`` and ``.searches`` are the tables that ``leaderboards`` rates.

        Args:
            tournament: Which one; see the class.
            bot: Only the games of this bot.
            forfeits: Only the games that ended by forfeit, with a column ``stderr``: the end of
                what the bot at fault had written there.

        Raises:
            UserError: If no such bot was entered.
        """
        with self._store() as store:
            found = store.tournament(tournament or self.tournament)
            if bot is not None:
                refuse_stranger(found, bot)
            results = game_table(store, found.name)
            written = store.stderr(found.name) if forfeits else {}
        if bot is not None:
            results = results[(results["first"] == bot) | (results["second"] == bot)]
        games = with_winners(results)
        if not forfeits:
            return games
        games = games[games["forfeit"]]
        return games.assign(stderr=games["game"].map(written).fillna(""))

    def replay(
        self, game: str | None = None, tournament: str | None = None, *, posterior: bool = False
    ) -> ShownGame:
        """Return a game to watch: the one whose id begins so, or else the closest one.

        Args:
            game: The beginning of its id, as ``games`` has it.
            tournament: Where to choose from if none is named; see the class.
            posterior: Whether to show what the bots could know before each salvo: it takes seconds,
                or on large boards minutes.

        Raises:
            UserError: If there is no such game, or several.
        """
        with self._store() as store:
            if game is None:
                standing = self._standing(store, tournament, prior=True)
                alone = [] if standing.turns is None else standing.turns["bot"].tolist()
                games = standing.games, standing.searches
                featured = featured_games(*games, standing.ratings, alone)
                if not featured:
                    raise UserError(f"record {self.path}: no game was played, so none can be shown")
                game = featured[0].id
            return ShownGame(*store.game(game), posterior=posterior)

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

    def matrix(self, tournament: str | None = None) -> pd.DataFrame:
        """Return who beats whom: the share of the points that the bot of a row won, by opponent.

        Rows and columns are in the order of the Elo leaderboard; NaN where two did not meet.
        """
        ratings = self.standing(tournament).ratings
        if ratings is None:
            return pd.DataFrame()
        order = ratings.table["bot"].tolist()
        shares = ratings.pairings.pivot_table(index="bot", columns="opponent", values="score")
        return shares.reindex(index=order, columns=order)

    def figures(
        self, tournament: str | None = None, *, prior: bool = True
    ) -> dict[str, "go.Figure"]:
        """Return the figures of the report, by name, as far as games for them were played.

        They are ``elo`` (ratings with their intervals), ``matrix`` (who beats whom), ``turns``
        (mean turns with their intervals) and ``shots`` (how they scatter).
        """
        return self.standing(tournament, prior=prior).figures()

    def report(self, tournament: str | None = None, *, prior: bool = True) -> str:
        """Return the report of a tournament: one HTML page that needs no network."""
        with self._store() as store:
            return report_page(self._standing(store, tournament, prior=prior), store, progress_bar)

    def standing(self, tournament: str | None = None, *, prior: bool = True) -> Standing:
        """Return where everybody of a tournament stands, to be written as text or data."""
        with self._store() as store:
            return self._standing(store, tournament, prior=prior)

    def _standing(self, store: Store, tournament: str | None, *, prior: bool) -> Standing:
        found = store.tournament(tournament or self.tournament)
        if self._rate is not None and tournament in (None, self.tournament):
            return self._rate(store, found, HowRated(prior))
        return standing_in(store, found, how=HowRated(prior))

    @contextmanager
    def _store(self) -> Iterator[Store]:
        with errors_in_python(), Store(self.path, create=False) as store:
            yield store
