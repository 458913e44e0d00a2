"""Counts the time that each author has used, which decides whose games are played next.

An author is an invite, whatever its bots are called; the operator's own bots are one author too.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Mapping

from arena.records import Block, BlockKey, BlockRecord, Settings
from salvo.server.database.server_database import Database

_OPERATOR = 0


class Shares:
    """The time that authors have used, kept in the database.

    A bot's time in a block is what it was charged, and half of what is left of the time that the
    block took. While a block is in play, it counts as the most that it can take: several workers
    are not all given to one author whose bots are slow, before any of their blocks has ended.

    What an author did not use while there was nothing for them to play is forgotten, as in
    start-time fair queueing: nobody stands below the least, nor below whoever begins a block. The
    next block is one of those who used least, so that this changes the turn of no block that could
    have been played by then; but a newcomer to an old league plays in turn from the first block on,
    and not until they have used as much as others did in weeks.
    """

    def __init__(self, db: Database, times: Settings) -> None:
        self._db, self._game_s = db, times.game_s
        self._owners: Mapping[str, int] = {}
        self._used: dict[int, float] = {}
        self._in_play: Counter[int] = Counter()
        self._began: dict[BlockKey, tuple[float, Counter[int]]] = {}

    def renew(self, owners: Mapping[str, int]) -> None:
        """Take in by which invite each name was entered; who is new starts at the least used."""
        self._owners = owners
        with self._db.writing():
            rows = [(author,) for author in {_OPERATOR, *owners.values()}]
            least = "coalesce((SELECT min(seconds) FROM used), 0)"
            self._db.executemany(f"INSERT OR IGNORE INTO used VALUES (?, {least})", rows)  # noqa: S608 - no user's text
            self._read()

    def _read(self) -> None:
        self._used = dict(self._db.execute("SELECT invite, seconds FROM used"))

    def _author(self, bot: str) -> int:
        return self._owners.get(bot.rpartition("@")[0], _OPERATOR)

    def minutes(self, bot: str) -> int:
        """Return how many whole minutes the author of a bot has used."""
        author = self._author(bot)
        return int((self._used[author] + self._in_play[author] * self._game_s) // 60)

    def begin(self, block: Block) -> None:
        """Note that a block is in play, and let nobody have used less than its authors."""
        used = max(self._used[self._author(bot)] for bot in block.entrants)
        if min(self._used.values()) < used:
            with self._db.writing():
                self._db.execute("UPDATE used SET seconds = max(seconds, ?)", (used,))
                self._read()
        most = Counter({self._author(bot): len(block.fixtures) for bot in block.entrants})
        self._began[block.key] = time.monotonic(), most
        self._in_play += most

    def end(self, block: Block, record: BlockRecord | None = None) -> None:
        """Note that a block ended, with its record unless it is void."""
        began, most = self._began.pop(block.key)
        self._in_play -= most
        if record is None:
            return
        charged = _charged(record)
        rest = max(0.0, time.monotonic() - began - sum(charged.values()))
        with self._db.writing():
            for bot in block.entrants:
                author = self._author(bot)
                self._used[author] += charged[bot] + rest / len(block.entrants)
                row = (author, self._used[author])
                self._db.execute("INSERT OR REPLACE INTO used VALUES (?, ?)", row)


def _charged(record: BlockRecord) -> Mapping[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for game in record.games:
        for step in game.steps:
            seat = game.fixture.first if step.seat == "first" else game.fixture.second
            found[str(seat)] += step.charge_s
    return found
