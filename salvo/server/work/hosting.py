"""Plays with people: a process for each game in play, which holds the bot.

A process that ends, for whatever reason, costs nothing: the next one goes on from the actions in
the database, as ``arena.resumed_game`` does. So does one of the next server.
"""

import contextlib
import logging
import multiprocessing
import os
import time
from collections.abc import Mapping
from contextlib import ExitStack
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import NamedTuple, Self

from arena.errors import UserError
from arena.isolation import Choice, adopt_orphans, die_with_parent, end_orphans
from arena.player import Player
from arena.records import Game
from arena.referee import play_in
from arena.resumed_game import Absentee, AnsweredOtherwiseError, KeptBook
from arena.tournament import connect, copied
from salvo.server.database.human_games import PERSON, HumanGame, HumanGames
from salvo.server.database.server_database import Database
from salvo.server.leagues import open_league, without_place
from salvo.server.work.recording import game_in_record, record_game

_LEAVE_S = 10.0
_LOOK_S = 0.02
"""How often it is looked whether a person acted, while anybody plays: it takes microseconds."""

_LOOK_ANYWAY_S = 1.0  # also where nothing was written: places become free as time passes
_TRIES = 3
_OTHERWISE = (
    "this game is void: the server was started again, and the bot, asked the same again, answered "
    "otherwise, as bots do that go by the clock"
)
_FAILED = "this game is void: the server failed to go on with it; its operator can see why"

_log = logging.getLogger(__name__)


class _Hosted(NamedTuple):
    process: ForkProcess
    bell: Connection  # rung when a person has acted


class Hosts:
    """The processes that play with people.

    Use it in a ``with`` statement, in a thread that lives on.

    Args:
        isolation: The level at which bots play.
    """

    def __init__(self, league: Path, isolation: Choice) -> None:
        self._league, self._isolation = league, isolation
        self._running: dict[str, _Hosted] = {}
        self._failed: dict[str, int] = {}
        self._changes, self._looked = -1, 0.0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._games = self._stack.enter_context(HumanGames(self._league))
        return self

    def __exit__(self, *_: object) -> None:
        for hosted in self._running.values():
            hosted.process.terminate()
        for hosted in self._running.values():
            _join(hosted.process)
        self._stack.close()

    def look_after(self, patience_s: float) -> None:
        """Wait for news, but no longer than that; begin and end games, and pass on who acted."""
        waited_s = min(_LOOK_S, patience_s) if self._running else patience_s
        connection.wait([hosted.process.sentinel for hosted in self._running.values()], waited_s)
        for game in [one for one, hosted in self._running.items() if not hosted.process.is_alive()]:
            self._settle(game)
        changes, now = self._games.changes(), time.monotonic()
        if changes == self._changes and now < self._looked + _LOOK_ANYWAY_S:
            return
        self._changes, self._looked = changes, now
        wanted = self._games.in_play()
        for game in self._running.keys() - wanted.keys():
            self._running[game].process.terminate()
        for game in wanted:
            if game not in self._running:
                self._begin(game)
            else:
                self._ring(game)

    def _ring(self, game: str) -> None:
        hosted = self._running[game]
        with contextlib.suppress(OSError):  # it is ending
            hosted.bell.send_bytes(b"!")

    def _begin(self, game: str) -> None:
        here, there = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(
            target=_host,
            args=(self._league, game, there, self._isolation, os.getpid()),
            daemon=True,
        )
        process.start()
        there.close()
        self._running[game] = _Hosted(process, here)

    def _settle(self, game: str) -> None:
        hosted = self._running.pop(game)
        code = _join(hosted.process)
        hosted.bell.close()
        end_orphans([other.process.pid or 0 for other in self._running.values()])
        if game not in self._games.in_play():
            self._failed.pop(game, None)
            return
        # It ended before the game did: what ends the process each time is not tried for ever.
        self._failed[game] = self._failed.get(game, 0) + 1
        if self._failed[game] >= _TRIES:
            self._games.finish(game, "void", reason=_FAILED)
            with Database(self._league) as db:
                db.note(f"a game of a person ended with code {code} each time, and is void")


def _join(process: ForkProcess) -> int | None:
    process.join(_LEAVE_S)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode


class _GoneError(Exception):
    """The person left the game."""


def _host(league: Path, game: str, bell: Connection, isolation: Choice, parent: int) -> None:
    adopt_orphans()
    try:
        if die_with_parent(parent):
            with HumanGames(league) as games:
                found = games.find(game)
                if found is not None and found.state == "open":
                    _play(league, games, found, bell, isolation)
    finally:
        end_orphans(())


def _play(
    league: Path, games: HumanGames, found: HumanGame, bell: Connection, isolation: Choice
) -> None:
    """Play a game to its end, and write down how it ended."""
    try:
        record = game_in_record(league, found.fixture)  # what played it before may have been killed
        if record is None:
            record = _played(league, games, found, bell, isolation)
            _record(league, record, isolation)
    except _GoneError:
        return
    except AnsweredOtherwiseError:
        games.finish(found.id, "void", reason=_OTHERWISE)
        return
    except UserError as error:
        told = without_place(str(error), league)
        games.finish(found.id, "void", reason=f"this game is void: {told}")
        return
    games.finish(found.id, "over", record=record)


def _record(league: Path, game: Game, isolation: Choice) -> None:
    """Write a game into the record; where that fails, its person still sees how it ended."""
    try:
        record_game(league, game, isolation)
    except UserError as error:
        _log.warning("game %s is over, and could not be recorded: %s", game.fixture.id, error)


def _played(
    league: Path, games: HumanGames, found: HumanGame, bell: Connection, isolation: Choice
) -> Game:
    home = open_league(league)

    def keep(action: bytes) -> None:
        if not games.append(found.id, len(book.steps) - 1, action):
            raise _GoneError

    def wait() -> bytes:
        while True:
            now = games.find(found.id)
            if now is None or now.state != "open":
                raise _GoneError
            if len(now.actions) > len(book.steps):
                book.learn(now.actions)
                return now.actions[len(book.steps)]
            bell.poll(None)
            while bell.poll():
                bell.recv_bytes()

    book = KeptBook(found.fixture, home.charter.rules, found.actions, keep)
    players: dict[str, Player] = {PERSON: Absentee(book, wait)}
    bots = [entry for entry in home.entries if entry.full_name == found.bot]
    with copied([home.entrant(entry) for entry in bots], isolation.level) as copies:
        for name, program in copies.bots.items():
            times = home.charter.times
            players[name] = connect(program, home.charter.rules, times, isolation.level)
        try:
            return play_in(book, home.charter.times, players)
        finally:
            _stop(players)


def _stop(players: Mapping[str, Player]) -> None:
    for player in players.values():
        player.stop()
