"""Keeps the games of people, ``serve/people.sqlite3`` in the league's folder, apart from others.

A game in play is a row with all actions so far. Whoever plays appends actions: the pages those of
the person, once the rules have allowed them, the worker process those of the bot. So nothing is
lost with a process, and both know the game by the same rules.
"""

import hashlib
import secrets
import time
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from arena.human_game import SEED_BITS
from arena.records import Fixture, Game
from arena.rules import Seat
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal

PERSON = "you"
"""A person's name in the record of a game."""

PLACES, MOST_PLACES = 24, 200
"""Games of people in play at once, unless the operator chose another number, and at most."""

QUIET_S = 600
"""A person who does nothing for so long gives the place to others; the game can be gone on with."""

_MOST_KEPT = 2_000
_OF_ADDRESS = 12  # in play at once: a class sits behind one address
_OF_ADDRESS_AN_HOUR = 120
_A_DAY_S = 86_400
_KEPT_OPEN_S, _KEPT_S = _A_DAY_S, 30 * _A_DAY_S
RIVALS_A_DAY = 10
"""Games against bots of other authors that an author may begin a day."""

_COLUMNS = "id, bot, seat, fixture, state, reason, actions, number, game"

State = Literal["open", "over", "void"]


class HumanGame(Struct, frozen=True):
    """A game of a person.

    Attributes:
        id: By which it is found; also its id in the record.
        bot: The version that is played, by its name in the record; "" for practice alone.
        seat: The seat of the person.
        actions: All actions so far, of both sides, as lines of the protocol.
        number: What grows with everything that happens in it.
        game: Its record, once it is over.
    """

    id: str
    bot: str
    seat: Seat
    fixture: Fixture
    state: State
    reason: str
    actions: tuple[bytes, ...]
    number: int
    game: Game | None


class HumanGames(Database):
    """The database of people's games, opened; see ``Database``."""

    file, last_table = "people.sqlite3", "begun"
    tables = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    player BLOB NOT NULL,
    address TEXT NOT NULL,
    bot TEXT NOT NULL,
    seat TEXT NOT NULL,
    fixture TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    reason TEXT NOT NULL DEFAULT '',
    actions TEXT NOT NULL DEFAULT '',
    number INTEGER NOT NULL DEFAULT 0,
    begun INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    game TEXT
);
CREATE INDEX IF NOT EXISTS games_by_state ON games (state, touched);
CREATE TABLE IF NOT EXISTS begun (address TEXT NOT NULL, author INTEGER, at INTEGER NOT NULL)
"""

    def begin(  # noqa: PLR0913 - who plays what, and from where
        self,
        *,
        bot: str,
        seat: Seat,
        player: str,
        address: str,
        places: int,
        author: int | None = None,
        fixture: Fixture | None = None,
    ) -> str:
        """Begin a game and return its id; one that the player has in play is given up.

        ``author`` is the invite of whoever meets a rival. Without a fixture its seeds are drawn.

        Raises:
            Refusal: If too many are in play.
        """
        now, owner = int(time.time()), hash_of(player)
        fixture = fixture or _drawn(bot, seat)
        with self.writing():
            self._forget_old(now)
            self.execute("DELETE FROM games WHERE player = ? AND state = 'open'", (owner,))
            self._count(now, address, author)
            self._refuse_full(now, address, places)
            self.execute(
                "INSERT INTO games (id, player, address, bot, seat, fixture, begun, touched) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (fixture.id, owner, address, bot, seat, _json(fixture), now, now),
            )
        return fixture.id

    def _count(self, now: int, address: str, author: int | None) -> None:
        """Count a game that begins, also where it is left at once."""
        self.execute("DELETE FROM begun WHERE at < ?", (now - _A_DAY_S,))
        [[of_address, of_author]] = self.execute(
            "SELECT coalesce(sum(address = ? AND at > ?), 0), coalesce(sum(author = ?), 0) "
            "FROM begun",
            (address, now - 3600, author),
        )
        if of_address >= _OF_ADDRESS_AN_HOUR:
            raise Refusal(429, "too many games were begun from this address; try again later")
        if of_author >= RIVALS_A_DAY:
            raise Refusal(429, f"you met rivals {RIVALS_A_DAY} times within a day; wait until then")
        self.execute("INSERT INTO begun VALUES (?, ?, ?)", (address, author, now))

    def _refuse_full(self, now: int, address: str, places: int) -> None:
        [[taken, own]] = self.execute(
            "SELECT count(*), coalesce(sum(address = ?), 0) FROM games "
            "WHERE state = 'open' AND touched > ?",
            (address, now - QUIET_S),
        )
        if not places:
            raise Refusal(403, "people do not play here: the operator has turned that off")
        if taken >= places:
            raise Refusal(503, f"{taken} people play at this moment; try again in a few minutes")
        if own >= _OF_ADDRESS:
            raise Refusal(429, f"{own} people play from this address at this moment; wait for one")

    def _forget_old(self, now: int) -> None:
        self.execute(
            "DELETE FROM games WHERE (state = 'open' AND touched < ?) OR touched < ?",
            (now - _KEPT_OPEN_S, now - _KEPT_S),
        )
        self.execute(
            "DELETE FROM games WHERE state != 'open' AND id NOT IN "
            "(SELECT id FROM games WHERE state != 'open' ORDER BY touched DESC LIMIT ?)",
            (_MOST_KEPT,),
        )

    def touch(self, game: str, address: str, places: int) -> None:
        """Take a place for a game again, if it was given up; whoever plays it is there.

        Raises:
            Refusal: If too many are in play.
        """
        now = int(time.time())
        with self.writing():
            row = self.execute(
                "SELECT touched FROM games WHERE id = ? AND state = 'open'", (game,)
            ).fetchone()
            if row is None:
                return
            if row[0] <= now - QUIET_S:
                self._refuse_full(now, address, places)
            self.execute("UPDATE games SET touched = ? WHERE id = ?", (now, game))

    def find(self, game: str) -> HumanGame | None:
        """Return a game; None if there is none."""
        columns = f"SELECT {_COLUMNS} FROM games WHERE id = ?"  # noqa: S608 - no user's text
        row = self.execute(columns, (game,)).fetchone()
        return None if row is None else _human_game(row)

    def number_of(self, game: str) -> int | None:
        """Return what grows with everything that happens in a game; None if there is none."""
        row = self.execute("SELECT number FROM games WHERE id = ?", (game,)).fetchone()
        return None if row is None else int(row[0])

    def played_by(self, player: str) -> str | None:
        """Return the game that somebody has in play."""
        row = self.execute(
            "SELECT id FROM games WHERE player = ? AND state = 'open'", (hash_of(player),)
        ).fetchone()
        return None if row is None else str(row[0])

    def is_of(self, game: str, player: str) -> bool:
        """Return whether somebody is the person who plays a game."""
        row = self.execute("SELECT player FROM games WHERE id = ?", (game,)).fetchone()
        return row is not None and secrets.compare_digest(bytes(row[0]), hash_of(player))

    def append(self, game: str, number: int, action: bytes, *, person: bool = False) -> bool:
        """Append an action as the one of that number; return whether it was its turn."""
        done = self.execute(
            "UPDATE games SET actions = actions || ?, number = number + 1, "
            "touched = CASE WHEN ? THEN ? ELSE touched END "
            "WHERE id = ? AND number = ? AND state = 'open'",
            (action.decode(), person, int(time.time()), game, number),
        )
        return done.rowcount == 1

    def finish(
        self, game: str, state: State, *, reason: str = "", record: Game | None = None
    ) -> None:
        """Write down how a game ended."""
        self.execute(
            "UPDATE games SET state = ?, reason = ?, game = ?, number = number + 1 "
            "WHERE id = ? AND state = 'open'",
            (state, reason, None if record is None else _json(record), game),
        )

    def leave(self, game: str) -> None:
        """Forget a game that its person left."""
        self.execute("DELETE FROM games WHERE id = ? AND state = 'open'", (game,))

    def forget(self, names: Collection[str], author: int) -> None:
        """Forget all games against some bots, and that an author met rivals."""
        with self.writing():
            for game, bot in self.execute("SELECT id, bot FROM games").fetchall():
                if bot.partition("@")[0] in names:
                    self.execute("DELETE FROM games WHERE id = ?", (game,))
            self.execute("DELETE FROM begun WHERE author = ?", (author,))

    def in_play(self) -> dict[str, int]:
        """Return the games that have a place, each with its number, the oldest first."""
        rows = self.execute(
            "SELECT id, number FROM games WHERE state = 'open' AND touched > ? ORDER BY begun",
            (int(time.time()) - QUIET_S,),
        )
        return dict(rows.fetchall())

    def newest_in_play(self, most: int) -> list[Fixture]:
        """Return the games that have a place, the newest first."""
        rows = self.execute(
            "SELECT fixture FROM games WHERE state = 'open' AND touched > ? "
            "ORDER BY begun DESC LIMIT ?",
            (int(time.time()) - QUIET_S, most),
        )
        return [msgspec.json.decode(fixture, type=Fixture) for [fixture] in rows.fetchall()]

    def changes(self) -> int:
        """Return a number that changes whenever another connection wrote something."""
        [[version]] = self.execute("PRAGMA data_version")
        return int(version)


def hash_of(player: str) -> bytes:
    """Return what is kept of the secret of a person."""
    digest = hashlib.blake2b(player.encode(), digest_size=32, person=b"salvo player")
    return digest.digest()


def _drawn(bot: str, seat: Seat) -> Fixture:
    # The person must not be able to guess the seeds, or where the ships lie would be known.
    seeds = secrets.randbits(SEED_BITS), secrets.randbits(SEED_BITS)
    first, second = (PERSON, bot or None) if seat == "first" else (bot, PERSON)
    return Fixture(secrets.token_hex(8), first, second, 0, seeds)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _human_game(row: Sequence[str | int | None]) -> HumanGame:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    game = values["game"]
    return HumanGame(
        id=str(values["id"]),
        bot=str(values["bot"]),
        seat=msgspec.convert(values["seat"], Seat),
        fixture=msgspec.json.decode(str(values["fixture"]), type=Fixture),
        state=msgspec.convert(values["state"], State),
        reason=str(values["reason"]),
        actions=tuple(str(values["actions"]).encode().splitlines(keepends=True)),
        number=int(values["number"] or 0),
        game=None if game is None else msgspec.json.decode(str(game), type=Game),
    )
