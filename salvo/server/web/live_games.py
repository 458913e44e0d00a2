"""Finds games that can be watched: in play, just over, and in the record."""

import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any, NamedTuple

from arena.league import League
from leaderboards.display.replay_frames import Replay
from salvo.server.errors import Refusal
from salvo.server.in_play import GameInPlay, games_in_play
from salvo.server.kept_games import recorded_game
from salvo.server.leagues import Watched
from salvo.server.web import shown_games
from salvo.server.web.channels import Progress, Stage
from salvo.server.web.live_people import LivePeople

_LOOK_S = 0.2  # how often the files of those who play are read
_KEPT = 200  # games that were seen in play, and games that were found in the record
_LATEST = 60  # games of the record among which one is chosen


class Row(NamedTuple):
    """A game in play in a list: the name under which it is watched, and who plays whom."""

    id: str
    first: str
    second: str | None


class LiveGames:
    """Finds games that can be watched. Threads may share it."""

    def __init__(self, league: Path) -> None:
        self._folder, self._watched = league, Watched(league)
        self._lock = threading.Lock()
        self._people = LivePeople(league)
        self._bots: dict[str, GameInPlay] = {}
        self._looked = 0.0
        self._seen: OrderedDict[str, GameInPlay] = OrderedDict()
        self._recorded: OrderedDict[str, None] = OrderedDict()

    def _league(self) -> League:
        with self._lock:
            self._watched.changed()
            return self._watched.league

    def in_play(self, name: str | None = None) -> list[Row]:
        """Return the games in play, of all or of one bot: those of bots, then those of people."""
        bots, people = self._in_play(name)
        return [*bots, *people]

    def _in_play(self, name: str | None) -> tuple[list[Row], list[Row]]:
        rules = self._league().charter.rules
        with self._lock:
            self._look()
            games = [one.fixture for one in self._bots.values() if one.game is None]
            bots = [one for one in reversed(games) if one.second is not None]
            people = self._people.in_play(rules)
        rows = ([Row(one.id, one.first, one.second) for one in kind] for kind in (bots, people))
        first, second = ([row for row in kind if _is_of(row, name)] for kind in rows)
        return first, second

    def latest(self, name: str | None = None) -> list[str]:
        """Return the games to watch, of all or of one bot, the one to show first first.

        Games of people come last, where nothing else is new.

        Raises:
            Refusal: If there is no such bot.
        """
        recorded = shown_games.recent(self._league(), name=name, most=_LATEST)
        bots, people = self._in_play(name)
        pairs = (game.id for game in recorded if game.second is not None)
        return [*(row.id for row in bots), *pairs, *(row.id for row in people)]

    def progress(self, game: str) -> Progress | None:
        """Return how far a game is; None if it is not in play, nor over."""
        with self._lock:
            self._look()
            found = self._bots.get(game) or self._people.find(game)
            if found is not None:
                _keep(self._seen, game, found)
        if found is not None:
            stage: Stage = "in play" if found.game is None else "over"
            took_s = time.time() - found.began
            return Progress(shown_games.count_salvos(found.steps), stage, took_s)
        try:
            recorded, _ = recorded_game(self._league(), game)
        except Refusal:
            return None
        with self._lock:
            _keep(self._recorded, game, None)
        return Progress(shown_games.count_salvos(recorded.steps), "over")

    def replays(self, game: str, after: int = 0) -> list[Replay]:
        """Return a game to watch, as far as it was played; what one bot saw comes first.

        Of one in play only the salvos after the first so many can be had.

        Raises:
            Refusal: If there is no such game.
        """
        with self._lock:
            seen = self._seen.get(game)
            is_of_person = self._people.find(game) is not None
        league = self._league()
        rules = league.charter.rules
        if seen is not None and (is_of_person or (seen.hides_fleets and seen.game is None)):
            return shown_games.replays_of_both(seen, rules, seen.game, after=after)
        if seen is None:
            replays = shown_games.replays_of(*recorded_game(league, game))
        elif seen.game is None:
            replays = shown_games.replays_so_far(seen, rules, after=after)
        else:
            replays = shown_games.replays_of(seen.game, rules)
        return [*replays[1:], *replays[:1]]

    def began(self, game: str) -> float:
        """Return when a game in play began: if it is broken off, it is played again."""
        with self._lock:
            seen = self._seen.get(game)
            return 0.0 if seen is None else seen.began

    def is_recorded(self, game: str) -> bool:
        """Return whether a game has a page of its own."""
        with self._lock:
            if game in self._recorded:
                return True
        try:
            recorded_game(self._league(), game)
        except Refusal:
            return False
        with self._lock:
            _keep(self._recorded, game, None)
        return True

    def _look(self) -> None:
        if time.monotonic() < self._looked + _LOOK_S:
            return
        self._looked = time.monotonic()
        found = sorted(games_in_play(self._folder), key=lambda one: one.began)
        can_hide = shown_games.shows_reports(self._watched.league.charter.rules)
        self._bots = {
            one.fixture.id: one for one in found if one.game or can_hide or not one.hides_fleets
        }


def _is_of(row: Row, name: str | None) -> bool:
    bots = {bot.partition("@")[0] for bot in (row.first, row.second) if bot}
    return name is None or name in bots


def _keep(kept: OrderedDict[str, Any], game: str, what: object) -> None:
    kept[game] = what
    kept.move_to_end(game)
    if len(kept) > _KEPT:
        kept.popitem(last=False)
