"""Writes a league as static pages, for any web host or to be opened from a disk.

They are the pages of the server without what only a server can do. Their links are made relative,
so that the folder may lie anywhere.
"""

import os
import posixpath
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from arena.errors import StorageError, UserError
from salvo.reports.work_progress import Progress, no_progress
from salvo.server.database.server_database import Database
from salvo.server.kept_games import recorded_game
from salvo.server.leagues import open_league
from salvo.server.results import report_path
from salvo.server.web import shown_games
from salvo.server.web.app import static_files
from salvo.server.web.calendar import CalendarPages
from salvo.server.web.games_csv import games_csv
from salvo.server.web.guard import Policy
from salvo.server.web.handling import Context
from salvo.server.web.pages import Pages
from salvo.server.web.rendering import Rendering
from salvo.server.work.rating import rate_again

_MARK = ".salvo-site"
"""A file by which a site is known, so that nothing else is replaced."""

_LINK = re.compile(r'(?P<what> (?:href|src)=")(?P<address>/[^"]*)"')
_PLACES = (
    (re.compile(r"/"), "index.html"),
    (re.compile(r"/(games|rules|data|tournaments)"), r"\1.html"),
    (re.compile(r"/(games|bots|tournaments)/([^/]+)"), r"\1/\2.html"),
    (re.compile(r"/(tournaments)/([^/]+)/(report.html)"), r"\1/\2-\3"),
    (re.compile(r"/(data|static)/([^/]+)"), r"\1/\2"),
    (re.compile(r"/api/games/([^/]+)"), r"games/\1.json"),
)
"""Where the pages of a server lie in a site, by their addresses."""

_TABLES = ("elo.csv", "turns.csv")


class Written(Struct, frozen=True):
    """How much there is in a site."""

    bots: int
    games: int


def write_site(
    folder: Path, target: Path, *, games_a_bot: int, progress: Progress = no_progress
) -> Written:
    """Write the league in a folder as a site, with the latest games of each bot to watch.

    A former site in its place is replaced, once the new one is whole.

    Raises:
        UserError: If something else is in its place.
        StorageError: If it cannot be written.
    """
    if os.path.lexists(target) and not (target / _MARK).is_file():
        raise UserError(f"{target}: it is there already, and is no site of Salvo; name another")
    if target.resolve().is_relative_to(folder.resolve()):
        raise UserError(f"{target}: it lies in the league's own folder; name another place")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.mkdir(parents=True)
        (draft / _MARK).touch()
        written = _Site(folder, draft).write(games_a_bot, progress)
        if target.exists():
            shutil.rmtree(target)
        draft.rename(target)
    except OSError as error:
        raise StorageError(f"{target}: it cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return written


class _Site:
    """A site that is being written into a folder."""

    def __init__(self, league: Path, folder: Path) -> None:
        self._folder = folder
        rate_again(league)
        self._league = open_league(league)
        self._path = league
        context = Context(league, Policy(hosts=frozenset(), public=True), "")
        static, version = static_files()
        self._rendering = Rendering(league, "", version, site=True)
        self._pages = Pages(context, self._rendering)
        self._calendar = CalendarPages(context, self._rendering)
        for name, (data, _) in static.items():
            if name != "server.js":
                self._put(f"static/{name}", data)

    def write(self, games_a_bot: int, progress: Progress) -> Written:
        names = sorted({entry.name for entry in self._league.entries})
        games = {
            game.id: game
            for name in names
            for game in shown_games.recent(self._league, name=name, most=games_a_bot)[:games_a_bot]
        }
        newest = sorted(games.values(), key=lambda game: -game.block)
        self._page("index.html", self._pages.board())
        self._page("rules.html", self._pages.rules())
        rows = shown_games.game_rows(newest)
        shown = self._rendering.page("games.html.j2", rows=rows, name=None, before=None, live=True)
        self._page("games.html", bytes(shown.body))
        self._page("data.html", bytes(self._rendering.page("data.html.j2").body))
        for name in names:
            self._page(f"bots/{name}.html", self._pages.bot(name, games_a_bot))
        self._put_tournaments()
        self._put_data()
        for identifier in progress(iter(games), len(games), "games"):
            self._page(f"games/{identifier}.html", self._pages.game(identifier))
            game = recorded_game(self._league, identifier)
            self._put(
                f"games/{identifier}.json", msgspec.json.encode(shown_games.plain_game(*game))
            )
        return Written(len(names), len(games))

    def _put_tournaments(self) -> None:
        if not self._league.charter.tournaments:
            return
        self._page("tournaments.html", self._calendar.list())
        for planned in self._league.charter.tournaments:
            self._page(f"tournaments/{planned.name}.html", self._calendar.one(planned.name))
            report = report_path(self._path, planned.name)
            if report.is_file():
                self._put(f"tournaments/{planned.name}-report.html", report.read_bytes())

    def _put_data(self) -> None:
        with Database(self._path) as db:
            for name in _TABLES:
                self._put(f"data/{name}", str(db.board(name) or "").encode())
        self._put("data/games.csv", "".join(games_csv(self._league.record)).encode())

    def _page(self, path: str, html: bytes) -> None:
        self._put(path, relative(html.decode(), path).encode())

    def _put(self, path: str, data: bytes) -> None:
        place = self._folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def relative(html: str, path: str) -> str:
    """Return a page of a server as it stands at a path in a site."""
    folder = posixpath.dirname(path)

    def link(found: re.Match[str]) -> str:
        address, hash_, anchor = found["address"].partition("#")
        place = _place(unquote(address.partition("?")[0]))
        if place is None:  # of a text that the operator wrote
            return found[0]
        return f'{found["what"]}{posixpath.relpath(place, folder or ".")}{hash_}{anchor}"'

    return _LINK.sub(link, html)


def _place(address: str) -> str | None:
    for pattern, place in _PLACES:
        found = pattern.fullmatch(address)
        if found is not None:
            return found.expand(place)
    return None
