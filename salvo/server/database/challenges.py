"""Keeps challenges, ``serve/challenges.sqlite3`` in the league's folder: ten unrated games each.

An author lets the own bot meet another, now, or an upload that is checked and not entered: a draft.
Challenges are forgotten after a week.
"""

import secrets
import time
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from arena.records import Game
from arena.seeds import LEAGUE_SEED_BITS
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal

PAIRS = 5
"""Pairs of games a challenge."""

A_DAY = 10
"""Challenges that an author may begin a day, drafts among them."""

_MOST_WAITING = 32
_DAY_S, _KEPT_S = 86_400, 7 * 86_400
_COLUMNS = "id, bot, opponent, seed, state, reason"

State = Literal["draft", "queued", "done", "failed"]


class Challenge(Struct, frozen=True):
    """Ten games of an author's bot.

    Attributes:
        bot: The author's, by its name in the record; a draft has none there.
        seed: What the seeds of its games derive from: secret.
        state: A "draft" waits for its check; then it is "queued" until its games were played.
    """

    id: str
    bot: str
    opponent: str
    seed: int
    state: State
    reason: str


class Challenges(Database):
    """The database of challenges, opened; see ``Database``."""

    file, last_table = "challenges.sqlite3", "challenge_games"
    tables = """
CREATE TABLE IF NOT EXISTS challenges (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    author INTEGER NOT NULL,
    bot TEXT NOT NULL,
    opponent TEXT NOT NULL,
    seed TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    submission TEXT,
    at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS challenge_games (
    id TEXT PRIMARY KEY,
    challenge TEXT NOT NULL REFERENCES challenges (id) ON DELETE CASCADE,
    game TEXT NOT NULL
)
"""

    def begin(self, author: int, bot: str, opponent: str, submission: str | None = None) -> str:
        """Begin a challenge, of a draft if it is a submission; return its id.

        Raises:
            Refusal: If the author has begun enough today, or too many wait.
        """
        identifier, now = secrets.token_hex(8), int(time.time())
        with self.writing():
            self.execute("DELETE FROM challenges WHERE at < ?", (now - _KEPT_S,))
            [[today]] = self.execute(
                "SELECT count(*) FROM challenges WHERE author = ? AND at > ?",
                (author, now - _DAY_S),
            )
            if today >= A_DAY:
                raise Refusal(429, f"you had {A_DAY} challenges within a day; wait until then")
            [[waiting]] = self.execute("SELECT count(*) FROM challenges WHERE state = 'queued'")
            if waiting >= _MOST_WAITING:
                raise Refusal(503, "too many challenges are waited for; try again in some minutes")
            self.execute(
                "INSERT INTO challenges (id, author, bot, opponent, seed, state, submission, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    identifier,
                    author,
                    bot,
                    opponent,
                    str(secrets.randbits(LEAGUE_SEED_BITS)),
                    "queued" if submission is None else "draft",
                    submission,
                    now,
                ),
            )
        return identifier

    def find(self, identifier: str) -> Challenge | None:
        """Return a challenge; None if there is none, or none any more."""
        return self._first("id = ?", identifier)

    def of_submission(self, submission: str) -> Challenge | None:
        """Return the challenge of a draft; None where a submission is no draft."""
        return self._first("submission = ?", submission)

    def take_next(self) -> Challenge | None:
        """Return the challenge whose games are played next."""
        return self._first("state = ? ORDER BY number LIMIT 1", "queued")

    def by_author(self, authors: Sequence[int]) -> list[Challenge]:
        """Return the challenges of some invites, newest first."""
        marks = ", ".join("?" * len(authors))
        rows = self.execute(
            f"SELECT {_COLUMNS} FROM challenges WHERE author IN ({marks}) ORDER BY number DESC",  # noqa: S608 - no user's text
            tuple(authors),
        )
        return [_challenge(row) for row in rows]

    def _first(self, condition: str, value: str) -> Challenge | None:
        rows = f"SELECT {_COLUMNS} FROM challenges WHERE {condition}"  # noqa: S608 - no user's text
        row = self.execute(rows, (value,)).fetchone()
        return None if row is None else _challenge(row)

    def add(self, challenge: str, games: Sequence[Game]) -> None:
        """Write down games that were played."""
        self.executemany(
            "INSERT OR IGNORE INTO challenge_games VALUES (?, ?, ?)",
            [(game.fixture.id, challenge, msgspec.json.encode(game).decode()) for game in games],
        )

    def games(self, challenge: str) -> list[Game]:
        """Return the games of a challenge so far, in the order of play."""
        rows = self.execute(
            "SELECT game FROM challenge_games WHERE challenge = ? ORDER BY rowid", (challenge,)
        )
        return [msgspec.json.decode(text, type=Game) for (text,) in rows]

    def game(self, identifier: str) -> Game | None:
        """Return a game; None if there is none."""
        row = self.execute(
            "SELECT game FROM challenge_games WHERE id = ?", (identifier,)
        ).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=Game)

    def forget(self, names: Collection[str], author: int) -> None:
        """Forget the challenges of an author, and all with some bots."""
        with self.writing():
            for identifier, *bots in self.execute(
                "SELECT id, bot, opponent FROM challenges"
            ).fetchall():
                if any(bot.partition("@")[0] in names for bot in bots):
                    self.execute("DELETE FROM challenges WHERE id = ?", (identifier,))
            self.execute("DELETE FROM challenges WHERE author = ?", (author,))

    def finish(self, challenge: str, state: State, reason: str = "") -> None:
        """Write down how far a challenge is."""
        self.execute(
            "UPDATE challenges SET state = ?, reason = ? WHERE id = ?", (state, reason, challenge)
        )


def _challenge(row: Sequence[str]) -> Challenge:
    identifier, bot, opponent, seed, state, reason = row
    return Challenge(identifier, bot, opponent, int(seed), msgspec.convert(state, State), reason)
