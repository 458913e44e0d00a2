"""Reads the leaderboards as they were last computed, for pages and the schedule."""

from typing import Any

import msgspec
from msgspec import Struct

from salvo.server.database.server_database import Database

PROVISIONAL_ELO = 100.0
"""A rating is provisional while its 95% interval is wider than twice this."""


class Row(Struct, frozen=True):
    """One row of a leaderboard.

    Attributes:
        provisional: Whether its interval is still too wide, or has one end alone.
        cells: The text of each column, by its heading.
        may_lead: Whether the bot may be first.
        bar: The 95% interval and the value in it, low, middle and high, from 0 to 1000; None
            where there is none to draw.
        off: -1 where the value lies below all that is drawn, 1 where it lies above, and else 0.
    """

    name: str
    provisional: bool
    cells: dict[str, str]
    may_lead: bool
    bar: tuple[int, int, int] | None = None
    off: int = 0


class Mark(Struct, frozen=True):
    """The rating of a version, and whether it is provisional, for the schedule."""

    elo: float
    provisional: bool


class Leaderboards(Struct, frozen=True):
    """Both leaderboards.

    Attributes:
        at: When they were computed; empty where that was never done.
        games: By how many games of two bots; ``solo`` by how many solo games.
        missing: How many games are still to be played; None where that was never counted.
        notes: Shown below both, beside those of each.
        marks: What is known of each version, by its name in the record.
        leaning: The pairings that ratings lean on: a bot, and its opponent.
    """

    at: str = ""
    games: int = 0
    solo: int = 0
    missing: int | None = None
    elo: list[Row] = []
    turns: list[Row] = []
    elo_verdict: list[str] = []
    turns_verdict: list[str] = []
    elo_notes: list[str] = []
    turns_notes: list[str] = []
    elo_explanations: list[str] = []
    turns_explanations: list[str] = []
    notes: list[str] = []
    marks: dict[str, Mark] = {}
    leaning: list[tuple[str, str]] = []

    @classmethod
    def read(cls, db: Database, board: str = "boards") -> "Leaderboards":
        """Return those in the database, by default of the league; empty ones if there are none."""
        found: Any = db.board(board)
        return cls() if found is None else msgspec.convert(found, cls)

    def elo_of(self, bot: str) -> float | None:
        """Return the rating of a version; None where it has none yet."""
        return self.marks[bot].elo if bot in self.marks else None

    def is_provisional(self, bot: str) -> bool:
        """Return whether its interval is still too wide to be useful."""
        return bot not in self.marks or self.marks[bot].provisional
