"""Formats two leaderboards, with all that is said about them, as text, tables and data."""

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pandas as pd
from msgspec import to_builtins

from arena.errors import UserError
from leaderboards import LeaderboardError, Ratings, mean_turns, rate
from leaderboards.display.field_verdicts import elo_verdict, turns_verdict
from leaderboards.display.formatted_tables import (
    Shown,
    leaderboard_csv,
    leaderboard_markdown,
    leaderboard_text,
    notes_markdown,
    notes_text,
    shown_leaderboard,
    table_csv,
    with_column,
)
from leaderboards.display.plain import elo_differences, plain_leaderboards, turns_differences
from leaderboards.display.spreadsheet import csv_of
from leaderboards.elo.ratings import PRIOR_PAIRS
from salvo.reports.how_rated import HowRated, Table
from salvo.reports.tables.reported_numbers import ReportedNumber, reported_in_words

_RANKS = (
    "Ranks are the places that a bot may have (95%). They say who is better, not the intervals: "
    "bots whose ranks do not overlap surely differ. `salvo standings --explain` says more."
)
REPORTS = "reports"
"""The column of what bots say of themselves."""

REPORTS_NOTE = (
    "reports: what bots say of themselves, as the mean of a game. It is not checked, and nothing "
    "depends on it."
)
_FORFEITS_LEFT_OUT = "Games between two bots that ended by forfeit are left out of the ratings."


def _rated(games: pd.DataFrame, how: HowRated, *, extended: bool) -> Ratings:
    try:
        return rate(
            games,
            prior=PRIOR_PAIRS if how.prior else None,
            anchor=how.anchor,
            count_forfeits=how.count_forfeits,
            extended=extended,
            looks=how.looks,
        )
    except LeaderboardError as error:
        raise UserError(str(error)) from error


class Results:
    """The leaderboards of some games.

    Where these were `extended` after a look, or a `sequential` test ended them, what is sure holds
    however often one looks.

    Raises:
        UserError: If the anchor has no games, or a table breaks the contract.
    """

    def __init__(  # noqa: PLR0913 - two kinds of games, and what is said of them
        self,
        games: pd.DataFrame,
        solo: pd.DataFrame | None = None,
        searches: pd.DataFrame | None = None,
        *,
        how: HowRated | None = None,
        notes: Sequence[str] = (),
        reported: Sequence[ReportedNumber] = (),
        extended: bool = False,
        sequential: bool = False,
    ) -> None:
        how = how or HowRated()
        self.games, self._how = games, how
        self.solo = pd.DataFrame() if solo is None else solo
        self.searches = games.iloc[:0] if searches is None else searches
        looked = extended or sequential
        self.ratings = _rated(games, how, extended=looked) if len(games) else None
        self.turns = mean_turns(self.solo) if len(self.solo) else None
        self.extended = extended
        rated = self.ratings is not None
        self.reported = list(reported)
        self.reports = reported_in_words(self.reported)
        self.notes = [
            *notes,
            *([REPORTS_NOTE] if reported else []),
            *([_FORFEITS_LEFT_OUT] if rated and not how.count_forfeits else []),
        ]
        self.more: dict[str, Any] = {}
        self.elo_verdict = [] if self.ratings is None else elo_verdict(self.ratings)
        self.turns_verdict = [] if self.turns is None else turns_verdict(self.turns)

    @cached_property
    def boards(self) -> list[Shown]:
        """The leaderboards that there are, Elo first."""
        elo, turns = (self.ratings, self.elo_verdict), (self.turns, self.turns_verdict)
        shown = [
            shown_leaderboard(board, verdict)
            for board, verdict in (elo, turns)
            if board is not None
        ]
        return (
            [with_column(board, REPORTS, self.reports) for board in shown]
            if self.reports
            else shown
        )

    @property
    def notes_with_key(self) -> list[str]:
        """The notes below the tables, after what their ranks are."""
        ranked = any("ranks" in row for board in self.boards for row in board.cells)
        return [*([_RANKS] if ranked else []), *self.notes]

    def plain(self) -> dict[str, Any]:
        """Return all that the tables say as data that JSON can hold; see ``plain_leaderboards``.

        Further keys: ``forfeits`` (one row for each bot, kind of game and kind of forfeit),
        ``forfeits_count`` (whether they count as lost games), ``reported`` (what bots say of
        themselves), and ``extended``.
        """
        plain = plain_leaderboards(self.ratings, self.turns, self.solo)
        return {
            **plain,
            "forfeits": self._forfeits(),
            "forfeits_count": self._how.count_forfeits,
            "reported": to_builtins(self.reported),
            "extended": self.extended,
            **self.more,
            "elo_verdict": self.elo_verdict,
            "notes": [*self.notes, *plain["notes"]],
        }

    def _forfeits(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for kind, games in (("two-player", self.games), ("solo", self.searches)):
            if games.empty:
                continue
            lost = games[games["forfeit"].notna() & (games["forfeit"] != "")]
            loser = lost["first"].where(lost["forfeit"] == "first", lost["second"]).tolist()
            why = lost["termination"].tolist() if "termination" in lost else [None] * len(lost)
            counts = Counter(zip(loser, why, strict=True))
            rows += [
                {"bot": bot, "games": kind, "termination": termination, "number": number}
                for (bot, termination), number in sorted(counts.items())
            ]
        return rows

    def text(
        self, format_: str = "table", table: Table | None = None, *, explain: bool = False
    ) -> str:
        """Return both leaderboards as text, without a newline at the end.

        With `explain` tables are followed by how sure they are, and by which method.

        CSV is one table, Elo by default, or turns where nobody met.

        Raises:
            UserError: If there is no such table.
        """
        match format_:
            case "json":
                return json.dumps(self.plain())
            case "csv":
                return self._csv(table).removesuffix("\n")
            case "markdown":
                format_board, format_notes = leaderboard_markdown, notes_markdown
            case _:
                format_board, format_notes = leaderboard_text, notes_text
        parts = [format_board(board, explain=explain) for board in self.boards]
        if not parts:
            parts.append(format_notes(["No games were played yet."]))
        notes = self.notes if explain else self.notes_with_key
        return "\n\n".join(filter(None, [*parts, format_notes(notes)]))

    def _csv(self, table: Table | None) -> str:
        ratings, turns = self.ratings, self.turns
        match table or ("turns" if ratings is None else "elo"):
            case "elo" if ratings is not None:
                return leaderboard_csv(ratings)
            case "turns" if turns is not None:
                return leaderboard_csv(turns)
            case "differences" if ratings is not None:
                return table_csv(elo_differences(ratings), elo=True)
            case "differences" if turns is not None:
                return table_csv(turns_differences(turns, self.solo), elo=False)
            case "games":
                return csv_of(pd.concat([self.searches, self.games]))
            case missing:
                lacking = "two-player" if missing == "elo" else "solo"
                raise UserError(f"--table {missing}: no {lacking} games were played; name another")
