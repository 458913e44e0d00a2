"""Queues analyses, ``serve/analyses.sqlite3`` in the league's folder, and keeps what came of them.

They take seconds of a processor, so that no page computes one: a worker process does, one after
another.
"""

import time
from typing import Any, Literal

import msgspec
from msgspec import Struct

from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal

State = Literal["queued", "done", "failed"]

_MOST_WAITING, _MOST_OF_ADDRESS = 64, 12
_KEPT = 1_000


class Analysed(Struct, frozen=True):
    """What came of an analysis: JSON of any shape, or why there is none."""

    state: State
    data: Any


class Analyses(Database):
    """The database of analyses, opened; see ``Database``.

    What is to be analysed is a text: "game ID" for a whole game, "turn ID NUMBER" for what a person
    knows in a game that has come so far.
    """

    file, last_table = "analyses.sqlite3", "analyses"
    tables = """
CREATE TABLE IF NOT EXISTS analyses (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    what TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued',
    data TEXT NOT NULL DEFAULT 'null',
    at INTEGER NOT NULL
)
"""

    def find(self, what: str) -> Analysed | None:
        """Return what came of an analysis so far; None if nobody asked for it."""
        row = self.execute("SELECT state, data FROM analyses WHERE what = ?", (what,)).fetchone()
        return None if row is None else Analysed(row[0], msgspec.json.decode(row[1]))

    def ask(self, what: str, address: str) -> Analysed:
        """Have something analysed, if it is not already; return what came of it so far.

        Raises:
            Refusal: If too much waits.
        """
        with self.writing():
            found = self.find(what)
            if found is not None:
                return found
            [[waiting, own]] = self.execute(
                "SELECT count(*), coalesce(sum(address = ?), 0) FROM analyses "
                "WHERE state = 'queued'",
                (address,),
            )
            if own >= _MOST_OF_ADDRESS:
                raise Refusal(429, "you wait for enough analyses; look at those first")
            if waiting >= _MOST_WAITING:
                raise Refusal(503, "too many analyses are waited for; try again in a minute")
            self.execute(
                "INSERT INTO analyses (what, address, at) VALUES (?, ?, ?)",
                (what, address, int(time.time())),
            )
        return Analysed("queued", None)

    def forget(self) -> None:
        """Forget everything: what is asked for again is computed again."""
        self.execute("DELETE FROM analyses")

    def take_next(self) -> str | None:
        """Return what is to be analysed next: turns of people who wait first, then games."""
        row = self.execute(
            "SELECT what FROM analyses WHERE state = 'queued' "
            "ORDER BY what NOT LIKE 'turn %', number LIMIT 1"
        ).fetchone()
        return None if row is None else str(row[0])

    def finish(self, what: str, state: State, data: object) -> None:
        """Write down what came of an analysis, and forget old ones."""
        text = msgspec.json.encode(data).decode()
        self.execute("UPDATE analyses SET state = ?, data = ? WHERE what = ?", (state, text, what))
        self.execute(
            "DELETE FROM analyses WHERE state != 'queued' AND number <= "
            "(SELECT max(number) FROM analyses) - ?",
            (_KEPT,),
        )
