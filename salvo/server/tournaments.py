"""Tells what is known of the tournaments in a league's calendar, and changes it."""

from datetime import datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct

from arena.league import League, Planned, call_off
from salvo.server.database.server_database import Database
from salvo.server.dates import moment
from salvo.server.results import read_result

State = Literal["planned", "played", "ended"]


class Look(Struct, frozen=True):
    """A look at the games of a tournament: after how many, and what it said."""

    at: str
    games_a_pairing: int
    games: int
    may_win: list[str]
    says: str


class Shown(Struct, frozen=True):
    """A tournament as everybody may see it: its seed only once it has ended."""

    name: str
    at: datetime
    games_a_pairing: int
    looks: int
    rule: str
    fingerprint: str
    state: State
    seed: str | None = None
    began: str = ""
    ended: str = ""
    most_games: int | None = None
    entrants: list[str] = []
    bosses: list[str] = []
    taken: list[Look] = []


def note_announced(db: Database, planned: Planned) -> str:
    """Write into the log that a tournament was announced or moved; return that in words."""
    looks = f"{planned.looks} look{'s' if planned.looks > 1 else ''}"
    return _noted(
        db,
        f"tournament {planned.name} begins on {moment(planned.at)}: at most {planned.games} games "
        f"a pairing, {looks}; the fingerprint of its seed is {planned.fingerprint}",
    )


def called_off(db: Database, folder: Path, name: str) -> str:
    """Call a tournament off; return what was done.

    Raises:
        UserError: If there is none, or it has begun.
    """
    call_off(League(folder), name)
    return _noted(db, f"tournament {name} is called off")


def _noted(db: Database, done: str) -> str:
    db.note(done)
    db.announce("queue")
    db.announce("board")
    return done


def rule_of(planned: Planned, block_pairs: int) -> str:
    """Return by which rule a tournament is played and ended, in sentences."""
    sizes = [2 * planned.pairs_at(look, block_pairs) for look in range(1, planned.looks + 1)]
    block = 2 * block_pairs
    told = f"Everybody meets everybody, in blocks of {block} games, seats swapped in pairs."
    if planned.looks == 1:
        return f"{told} The result counts after {sizes[0]} games a pairing."
    after = ", ".join(map(str, sizes[:-1]))
    return (
        f"{told} After {after} and {sizes[-1]} games a pairing the result is looked at. It ends "
        "when one bot is surely better than all others that can win, with 95% confidence at all "
        f"looks together, and after {sizes[-1]} games a pairing at the latest. Bosses play, and "
        "cannot win."
    )


def shown(league: League, planned: Planned) -> Shown:
    """Return a tournament as everybody may see it."""
    result = read_result(league.folder, planned.name)
    size = 0 if result is None else len(result.entrants)
    ended = result is not None and bool(result.ended)
    return Shown(
        name=planned.name,
        at=planned.at,
        games_a_pairing=planned.games,
        looks=planned.looks,
        rule=rule_of(planned, league.charter.block_pairs),
        fingerprint=planned.fingerprint,
        state="planned" if result is None else "ended" if ended else "played",
        seed=planned.seed if ended else None,
        began="" if result is None else result.began,
        ended="" if result is None else result.ended,
        most_games=size * (size - 1) // 2 * planned.games,
        entrants=[] if result is None else result.entrants,
        bosses=[] if result is None else result.bosses,
        taken=[]
        if result is None
        else [
            Look(one.at, 2 * one.pairs, one.games, one.may_win, one.sentence())
            for one in result.looks
        ],
    )


def calendar_of(league: League) -> list[Shown]:
    """Return all tournaments of a league, in the order of the calendar."""
    return [shown(league, planned) for planned in league.charter.tournaments]
