"""A record of games, as tables and as a page."""

import os
from pathlib import Path

import pandas as pd

from arena.store import Store
from salvo.reports.choices import HowRated
from salvo.reports.standing import Standing
from salvo.reports.tables import game_table

__all__ = ["Record", "open_record"]


def open_record(path: str | os.PathLike[str]) -> "Record":
    """Open the record of games that a command wrote, ``salvo.sqlite3`` by default, to read it.

    Raises:
        arena.errors.RecordError: If there is none, or it cannot be read.
    """
    return Record(path)


class Record:
    """A record of games.

    The file is opened for each question and closed again: there is nothing to close, and a
    tournament that is being played may go on writing it. Where a tournament is not named, the
    newest is meant; a name that the record lacks raises ``arena.errors.RecordError``.

    Args:
        path: The file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        with self._store():
            pass

    def __repr__(self) -> str:
        return f"salvo.open_record({str(self._path)!r})"

    @property
    def tournaments(self) -> list[str]:
        """The names of the tournaments."""
        with self._store() as store:
            return store.tournament_names()

    def games(self, tournament: str | None = None) -> pd.DataFrame:
        """Return every game of a tournament, one a row, solo games among them.

        Columns: ``id``, ``first`` and ``second`` (who sat where; second is None in solo games),
        ``pair`` (of solo games, the number of the layout), ``block`` (which games one process of
        each bot played), ``result`` and ``forfeit`` ("first",
        "second", and "draw" or None), ``termination`` and ``reason`` (how it ended), and for each
        seat ``first_turns``, ``first_shots``, ``first_hits`` and so on. ``leaderboards`` rates it.
        """
        with self._store() as store:
            return game_table(store, store.tournament(tournament).name)

    def elo(self, tournament: str | None = None, *, prior: bool = True) -> pd.DataFrame:
        """Return the Elo leaderboard, one bot a row, the best first; see ``leaderboards.Ratings``.

        Args:
            tournament: Its name.
            prior: Whether ratings start from the weak prior, as ``--prior`` says.

        Returns:
            The table, or an empty one where no two bots met.
        """
        ratings = self._standing(tournament, prior=prior).ratings
        return pd.DataFrame() if ratings is None else ratings.table

    def turns(self, tournament: str | None = None) -> pd.DataFrame:
        """Return the leaderboard of solo games, one bot a row, the fewest turns first.

        See ``leaderboards.mean_turns``; the table is empty where none were played.
        """
        turns = self._standing(tournament).turns
        return pd.DataFrame() if turns is None else turns

    def report(self, tournament: str | None = None, *, prior: bool = True) -> str:
        """Return the report of a tournament: one HTML page that needs no network.

        Args:
            tournament: Its name.
            prior: Whether ratings start from the weak prior.
        """
        with self._store() as store:
            return Standing(store, store.tournament(tournament), how=HowRated(prior)).page(store)

    def _standing(self, tournament: str | None, *, prior: bool = True) -> Standing:
        with self._store() as store:
            return Standing(store, store.tournament(tournament), how=HowRated(prior))

    def _store(self) -> Store:
        return Store(self._path, create=False)
