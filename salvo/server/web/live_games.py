"""Finds games that can be watched: in play, just over, and in the record."""

import hashlib
import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from arena.records import Fixture
from arena.resumed_game import from_line
from arena.rules import Rules
from arena.scorebook import Scorebook
from leaderboards.display.replay_frames import Replay
from salvo.server.database.human_games import PERSON, HumanGame, HumanGames
from salvo.server.database.ownership import owners
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.in_play import GameInPlay, games_in_play, so_far
from salvo.server.kept_games import SHOWN, recorded_game
from salvo.server.leagues import open_league
from salvo.server.web import shown_games
from salvo.server.web.channels import Progress, Stage

_LOOK_S = 0.2  # how often it is looked where games stand
_LOOK_FOR_PEOPLE_S = 1.0
_KEPT = 200  # games that were seen in play
_LATEST = 60  # games of the record among which one is chosen
_MOST_PEOPLE = 50  # games of people in lists


class Row(NamedTuple):
    """A game in play in a list: the name under which it is watched, and who plays whom."""

    id: str
    first: str
    second: str | None


class LiveGames:
    """Finds games that can be watched. Threads may share it.

    Games of people are shown if they are against bots of the operator, or alone: without the
    person's name; under an id of their own, since by the game's anybody could see it whole once it
    is over; and without either fleet, as far as it was not hit. So nobody learns more than both
    players know.
    """

    def __init__(self, league: Path) -> None:
        self._folder = league
        self._lock = threading.Lock()
        self._looked = self._looked_for_people = 0.0
        self._bots: dict[str, GameInPlay] = {}
        self._people: dict[str, Fixture] = {}
        self._ids: OrderedDict[str, str] = OrderedDict()  # of people's games, by their id here
        self._recorded: OrderedDict[str, None] = OrderedDict()
        self._seen: OrderedDict[str, tuple[float, GameInPlay]] = OrderedDict()

    def in_play(self, name: str | None = None) -> list[Row]:
        """Return the games in play, of all or of one bot: those of bots, then those of people."""
        with self._lock:
            self._look()
            self._look_for_people()
            bots = [one.fixture for one in self._bots.values() if one.game is None][::-1]
            people = list(self._people.values())
        rows = [Row(one.id, one.first, one.second) for one in bots if one.second is not None]
        rows += [Row(one.id, one.first, one.second) for one in people]
        return [one for one in rows if name is None or _plays(name, one)]

    def latest(self, name: str | None = None) -> list[str]:
        """Return the games to watch, of all or of one bot, the one to show first first.

        Games of people come last, where nothing else is new.

        Raises:
            Refusal: If there is no such bot.
        """
        league = open_league(self._folder)
        recorded = shown_games.recent(league, name=name, most=_LATEST)
        rows = self.in_play(name)
        people = [one.id for one in rows if one.id in self._people]
        bots = [one.id for one in rows if one.id not in self._people]
        return [*bots, *(game.id for game in recorded if game.second is not None), *people]

    def progress(self, game: str) -> Progress | None:
        """Return how far a game is; None if it is not in play, nor over."""
        found = self._find(game)
        if found is not None:
            stage: Stage = "in play" if found.game is None else "over"
            took_s = time.time() - found.began
            return Progress(shown_games.count_salvos(found.steps), stage, took_s)
        try:
            recorded, _ = recorded_game(open_league(self._folder), game)
        except Refusal:
            return None
        self._note_recorded(game)
        return Progress(shown_games.count_salvos(recorded.steps), "over")

    def replays(self, game: str) -> list[Replay]:
        """Return a game to watch, as far as it was played; what one bot saw comes first.

        Raises:
            Refusal: If there is no such game.
        """
        with self._lock:
            _, seen = self._seen.get(game, (0.0, None))
            is_of_person = game in self._ids
        league = open_league(self._folder)
        if seen is not None and is_of_person:
            return shown_games.replays_of_both(seen, league.charter.rules, seen.game)
        if seen is not None and seen.game is None:
            replays = shown_games.replays_so_far(seen, league.charter.rules)
        elif seen is not None and seen.game is not None:
            replays = shown_games.replays_of(seen.game, league.charter.rules)
        else:
            replays = shown_games.replays_of(*recorded_game(league, game))
        return [*replays[1:], *replays[:1]]

    def is_recorded(self, game: str) -> bool:
        """Return whether a game has a page of its own."""
        with self._lock:
            if game in self._recorded:
                return True
        try:
            recorded_game(open_league(self._folder), game)
        except Refusal:
            return False
        self._note_recorded(game)
        return True

    def _note_recorded(self, game: str) -> None:
        with self._lock:
            self._recorded[game] = None
            _shorten(self._recorded)

    def _find(self, game: str) -> GameInPlay | None:
        with self._lock:
            self._look()
            found = self._bots.get(game)
            if found is None and (own := self._ids.get(game)) is not None:
                found = self._of_person(game, own)
            if found is not None:
                self._seen[game] = time.monotonic(), found
                self._seen.move_to_end(game)
                _shorten(self._seen)
            return found

    def _look(self) -> None:
        if time.monotonic() < self._looked + _LOOK_S:
            return
        self._looked = time.monotonic()
        found = sorted(games_in_play(self._folder), key=lambda one: one.began)
        self._bots = {one.fixture.id: one for one in found}

    def _look_for_people(self) -> None:
        if time.monotonic() < self._looked_for_people + _LOOK_FOR_PEOPLE_S:
            return
        self._looked_for_people = time.monotonic()
        with Database(self._folder) as db, HumanGames(self._folder) as games:
            owned = owners(db)
            found = games.newest_in_play(_MOST_PEOPLE)
        rules = open_league(self._folder).charter.rules
        self._people = {}
        for one in found if shown_games.shows_reports(rules) else ():
            against = {bot.partition("@")[0] for bot in one.seats.values()} - {PERSON}
            if against.isdisjoint(owned):
                shown = _shown_id(one.id)
                self._people[shown] = _without_name(one, shown)
                self._ids[shown] = one.id
                self._ids.move_to_end(shown)
        _shorten(self._ids)

    def _of_person(self, shown: str, own: str) -> GameInPlay | None:
        looked, seen = self._seen.get(shown, (0.0, None))
        if seen is not None and time.monotonic() < looked + _LOOK_S:
            return seen
        with HumanGames(self._folder) as games:
            found = games.find(own)
        if found is None or found.state == "void":
            return None
        if seen is not None and len(seen.steps) == len(found.actions):
            return replace(seen, game=found.game)
        return _as_shown(found, open_league(self._folder).charter.rules)


def _as_shown(found: HumanGame, rules: Rules) -> GameInPlay:
    book = Scorebook(found.fixture, rules)
    for line in found.actions:
        assert book.state.request is not None
        book.play(from_line(line, book.state.request), 0.0)
    played = so_far(book, began=0.0)
    fixture = _without_name(played.fixture, _shown_id(found.id))
    return replace(played, fixture=fixture, game=found.game)


def _without_name(fixture: Fixture, shown: str) -> Fixture:
    second = fixture.second and _shown(fixture.second)
    return replace(fixture, id=shown, first=_shown(fixture.first), second=second, seeds=(0, 0))


def _shown(name: str) -> str:
    return SHOWN if name == PERSON else name


def _shown_id(game: str) -> str:
    return hashlib.blake2b(game.encode(), digest_size=8, person=b"salvo live").hexdigest()


def _plays(name: str, row: Row) -> bool:
    return name in {bot.partition("@")[0] for bot in (row.first, row.second) if bot}


def _shorten(kept: OrderedDict[str, Any]) -> None:
    while len(kept) > _KEPT:
        kept.popitem(last=False)
