"""Writes games of people into a record of their own, where the server was told one.

A game has the same id there as on its page. So it is found again by whoever goes on with it after
a kill that came between its record and its end on the page: it is written down exactly once.
"""

import contextlib
from pathlib import Path

from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.entrants import Entrant
from arena.errors import RecordError
from arena.human_game import GameOptions, enter_person, next_game
from arena.isolation import Choice
from arena.origin import origin_of
from arena.records import Block, BlockRecord, Fixture, Game
from arena.rules import Rules, Seat
from arena.store import Store, Tournament
from salvo.server.database.human_games import PERSON
from salvo.server.database.server_database import Database
from salvo.server.leagues import open_league

_RECORD, _NAME = "record of people", "name of the person"


def record_into(db: Database, record: Path, name: str) -> None:
    """Have games of people written into a record under a name, as `salvo play` does it."""
    db.settle(_RECORD, str(record))
    db.settle(_NAME, name)


def game_in_record(league: Path, fixture: Fixture) -> Game | None:
    """Return a game that was written into the record of people's games, as it was played here."""
    with Database(league) as db:
        record = db.setting(_RECORD, "")
    if not record or not Path(record).exists():
        return None
    with contextlib.suppress(RecordError), Store(Path(record), create=False) as store:
        return replace(store.game(fixture.id)[0], fixture=fixture)
    return None  # no game has this id


def record_game(league: Path, game: Game, isolation: Choice) -> None:
    """Write a game into the record of people's games, if there is one.

    Raises:
        UserError: If it cannot be written.
    """
    with Database(league) as db:
        record, name = db.setting(_RECORD, ""), db.setting(_NAME, "")
    if not record or game.fixture.second is None:
        return
    home = open_league(league)
    seat: Seat = "first" if game.fixture.first == PERSON else "second"
    [entry] = [one for one in home.entries if one.full_name in game.fixture.seats.values()]
    bot = replace(home.entrant(entry), name=entry.name)
    with Store(Path(record), create=True) as store:
        tournament, block = _next(store, home.charter.rules, (enter_person(name), bot), seat)
        fixture = replace(block.fixtures[0], id=game.fixture.id, seeds=game.fixture.seeds)
        played = replace(block, fixtures=(fixture,))
        store.extend(tournament)
        store.add(tournament, _recorded(played, replace(game, fixture=fixture), isolation))


def _next(
    store: Store, rules: Rules, who: tuple[Entrant, Entrant], seat: Seat
) -> tuple[Tournament, Block]:
    return next_game(store, rules, who, GameOptions(seat=seat))


def _recorded(block: Block, game: Game, isolation: Choice) -> BlockRecord:
    return with_checksum(BlockRecord(block, (game,), isolation.to_json(), origin=origin_of({})))
