"""Shows games of people while they are played, as far as they are public.

They are shown if they are against bots of the operator, or alone: without the person's name; under
an id of their own, since by the game's anybody could see it whole once it is over; and without
either fleet, as far as it was not hit. So nobody learns more than both players know.
"""

import hashlib
import time
from collections import OrderedDict
from pathlib import Path

from msgspec.structs import replace

from arena.records import Fixture
from arena.resumed_game import from_line
from arena.rules import Rules
from arena.scorebook import Scorebook
from salvo.server.database.human_games import PERSON, HumanGame, HumanGames
from salvo.server.database.ownership import owners
from salvo.server.database.server_database import Database
from salvo.server.in_play import GameInPlay, so_far
from salvo.server.kept_games import SHOWN
from salvo.server.web.shown_games import shows_reports

_LOOK_S = 0.2  # how often it is looked where games stand
_LOOK_FOR_OTHERS_S = 1.0
_MOST = 50  # games in lists
_KEPT = 200  # games that can still be watched


class _Followed:
    """A game of a person that can be watched, played by the rules as far as it was found."""

    def __init__(self, fixture: Fixture, rules: Rules) -> None:
        self.id, self.number = fixture.id, -1
        self.shown = _as_shown(fixture)
        self.played: GameInPlay | None = None
        self._book = Scorebook(fixture, rules)

    def go_on(self, found: HumanGame) -> None:
        """Take in what was played meanwhile; a game that is void is none any more."""
        self.number = found.number
        for line in found.actions[len(self._book.steps) :]:
            assert self._book.state.request is not None
            self._book.play(from_line(line, self._book.state.request), 0.0)
        played = replace(so_far(self._book, began=0.0), fixture=self.shown, game=found.game)
        self.played = None if found.state == "void" else played


class LivePeople:
    """Finds games of people by the ids under which they are shown; for one thread at a time."""

    def __init__(self, league: Path) -> None:
        self._folder = league
        self._looked = self._looked_for_others = 0.0
        self._known: OrderedDict[str, _Followed] = OrderedDict()
        self._in_play: list[str] = []
        self._numbers: dict[str, int] = {}

    def in_play(self, rules: Rules) -> list[Fixture]:
        """Return the games in play by the rules of the league, the newest first."""
        if time.monotonic() >= self._looked_for_others + _LOOK_FOR_OTHERS_S:
            self._looked_for_others = time.monotonic()
            self._look_for_others(rules)
        return [self._known[shown].shown for shown in self._in_play]

    def find(self, shown: str) -> GameInPlay | None:
        """Return a game as far as it was played; None if there is none, or it is void."""
        known = self._known.get(shown)
        if known is None:
            return None
        if time.monotonic() >= self._looked + _LOOK_S:
            self._looked = time.monotonic()
            with HumanGames(self._folder) as games:
                self._numbers = games.in_play()
        if self._numbers.get(known.id) != known.number:
            with HumanGames(self._folder) as games:
                found = games.find(known.id)
            if found is None:
                known.played = None
            elif found.number != known.number:
                known.go_on(found)
        return known.played

    def _look_for_others(self, rules: Rules) -> None:
        if not shows_reports(rules):
            return
        with Database(self._folder) as db, HumanGames(self._folder) as games:
            owned = owners(db)
            found = games.newest_in_play(_MOST)
        public = [one for one in found if _bots(one).isdisjoint(owned)]
        for fixture in reversed(public):
            shown = _as_shown(fixture).id
            if shown not in self._known:
                self._known[shown] = _Followed(fixture, rules)
            self._known.move_to_end(shown)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        self._in_play = [_as_shown(fixture).id for fixture in public]


def _bots(fixture: Fixture) -> set[str]:
    return {bot.partition("@")[0] for bot in fixture.seats.values()} - {PERSON}


def _as_shown(fixture: Fixture) -> Fixture:
    """Return a game without the person's name, its seeds, and the id by which it is found."""
    first, second = (SHOWN if name == PERSON else name for name in (fixture.first, fixture.second))
    own = fixture.id.encode()
    shown = hashlib.blake2b(own, digest_size=8, person=b"salvo live").hexdigest()
    return Fixture(shown, first or "", second, fixture.pair, (0, 0))
