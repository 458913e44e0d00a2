"""Publishes the games that bots play, while they play them, for pages to show.

Each process that plays has a file to itself, of bounded size, and writes into it where its game
stands: now and then, and nothing of a game that is over too soon to be followed. Nobody waits for
anybody: what is written replaces what stood there, and whoever reads half of it reads nothing. A
file is in use as long as its lock is held, which the kernel gives back however a process ends.
"""

import contextlib
import fcntl
import os
import struct
import time
import weakref
import zlib
from io import FileIO
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.records import Fixture, Game, Step, Void
from arena.rules import Seat, name_layout
from arena.scorebook import Scorebook
from salvo.server.database.server_database import MOST_WORKERS, folder_of

FOLDER = "in_play"

FOLLOWED_S = 1.0
"""A game is published once it has taken so long."""

AT_ONCE, A_SECOND = 8, 4
"""How often a game may be written in a row, and in the long run."""

GAME_BYTES = 64 * 1024
"""A game that is longer is not followed any further."""

_HEAD = struct.Struct("<II")  # the length of what follows, and its checksum


class GameInPlay(Struct, frozen=True):
    """A game as far as it was played; it can be replayed.

    Attributes:
        fixture: The game, without its seeds.
        began: When its first answer came, in seconds since the epoch.
        hides_fleets: Whether a bot in it reaches the network: somebody who watches could tell it
            where its opponent's ships lie, so that nobody sees them before the game is over.
        game: Its record, once it is over, without what the loser wrote to stderr.
    """

    fixture: Fixture
    began: float
    layouts: dict[Seat, dict[str, list[int]]]
    steps: tuple[Step, ...]
    hides_fleets: bool = False
    game: Game | None = None


class Publisher:
    """Publishes the games of this process; see ``arena.referee.Observer``.

    The file has two parts, which games take by turns: so the end of one can be read while the next
    is played. Without a file, as on a full disk, nothing is published.

    Args:
        followed_s: How long a game must have taken to be published.
        at_once: How often games may be written in a row.

    Attributes:
        hides_fleets: See ``GameInPlay``; of the games that are played next.
    """

    def __init__(
        self, league: Path, *, followed_s: float = FOLLOWED_S, at_once: int = AT_ONCE
    ) -> None:
        self._followed_s, self._at_once = followed_s, at_once
        self.hides_fleets = False
        self._file = _take_file(folder_of(league) / FOLDER)
        if self._file is not None:
            weakref.finalize(self, self._file.close)
        self._book: Scorebook | None = None
        self._part = 0
        self._began = self._began_clock = 0.0
        self._is_followed = False
        self._left, self._counted = float(at_once), time.monotonic()

    def close(self) -> None:
        """Give the file back; the end of a process does so too."""
        if self._file is not None:
            self._file.close()

    def acted(self, book: Scorebook) -> None:
        """Publish a game in play, if it takes long enough and was not published just now."""
        now = time.monotonic()
        if book is not self._book:
            self._book, self._began, self._began_clock = book, time.time(), now
            self._is_followed = False
        elif now >= self._began_clock + self._followed_s and self._may_write(now):
            self._is_followed = True
            played = so_far(book, self._began)
            self._write(replace(played, hides_fleets=self.hides_fleets))

    def ended(self, outcome: Game | Void) -> None:
        """Publish how a game ended that was followed; of a void one, nothing is left."""
        book, self._book = self._book, None
        if book is None or not self._is_followed:
            return
        self._is_followed = False
        if isinstance(outcome, Void):
            self._write(None)
            return
        game = replace(outcome, fixture=_without_seeds(outcome.fixture), stderr="")
        self._write(GameInPlay(game.fixture, self._began, game.layouts, game.steps, game=game))
        self._part = 1 - self._part

    def _may_write(self, now: float) -> bool:
        self._left = min(self._at_once, self._left + A_SECOND * (now - self._counted))
        self._counted = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def _write(self, game: GameInPlay | None) -> None:
        if self._file is None:
            return
        data = b"" if game is None else msgspec.msgpack.encode(game)
        if len(data) > GAME_BYTES - _HEAD.size:
            data = b""
        with contextlib.suppress(OSError):  # a full disk: the game goes on without being seen
            head = _HEAD.pack(len(data), zlib.crc32(data))
            os.pwrite(self._file.fileno(), head + data, self._part * GAME_BYTES)


def games_in_play(league: Path) -> list[GameInPlay]:
    """Return the games that are published: those in play, and some that just ended."""
    found: list[GameInPlay] = []
    for number in range(MOST_WORKERS):
        try:
            file = (folder_of(league) / FOLDER / str(number)).open("rb", buffering=0)
        except OSError:
            break  # they are taken in order
        with file:
            is_left = _lock(file, fcntl.LOCK_SH)
            games = [game for part in range(2) if (game := _read(file, part)) is not None]
        newest = max((game.began for game in games), default=0.0)
        found += [game for game in games if game.game or (game.began == newest and not is_left)]
    return found


def so_far(book: Scorebook, began: float) -> GameInPlay:
    """Return a game as far as it was played."""
    layouts = {seat: name_layout(book.rules, ships) for seat, ships in book.layouts.items()}
    return GameInPlay(_without_seeds(book.fixture), began, layouts, tuple(book.steps))


def _without_seeds(fixture: Fixture) -> Fixture:
    return replace(fixture, seeds=(0, 0))


def _read(file: FileIO, part: int) -> GameInPlay | None:
    try:
        data = os.pread(file.fileno(), GAME_BYTES, part * GAME_BYTES)
        length, checksum = _HEAD.unpack_from(data)
        data = data[_HEAD.size : _HEAD.size + length]
        if not data or zlib.crc32(data) != checksum:
            return None
        return msgspec.msgpack.decode(data, type=GameInPlay)
    except (OSError, struct.error, msgspec.DecodeError):
        return None  # nothing is there, or it is being written


def _take_file(folder: Path) -> FileIO | None:
    """Return the first file that nobody has, emptied and locked; None if none can be had."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        for number in range(MOST_WORKERS):
            descriptor = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            file = FileIO(descriptor, "r+")
            if _lock(file, fcntl.LOCK_EX):
                file.truncate(0)
                return file
            file.close()
    return None


def _lock(file: FileIO, how: int) -> bool:
    try:
        fcntl.flock(file.fileno(), how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
