"""Announces tournaments in the charter of a league, moves them, and calls them off."""

import contextlib
from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec.structs import asdict, replace

from arena.errors import EmptyRecordError, UserError
from arena.league.charter import CHARTER, Charter, read_charter, rewrite_tournaments
from arena.league.league import League
from arena.league.planned import Planned, draw_planned
from arena.league.register import locked
from arena.store import Store

DEFAULT_LOOKS = 4


def announce(
    league: League, name: str, at: datetime, *, games: int | None = None, looks: int | None = None
) -> Planned:
    """Plan a tournament, or move one that has not begun; return it.

    How many games and looks there are is fixed once it is announced, and so is its seed. By default
    there are as many games a pairing as in the league, and four looks, or as many as blocks.

    Raises:
        UserError: If it has begun, was announced as another, or cannot be played.
    """
    with locked(league.folder):
        charter = _charter_without(league, name)
        found = next((one for one in charter.tournaments if one.name == name), None)
        if found is None:
            games = charter.games if games is None else games
            blocks = -(-games // (2 * charter.block_pairs))
            looks = min(DEFAULT_LOOKS, blocks) if looks is None else looks
            planned = _valid(draw_planned(name, at, games, looks))
        else:
            if games not in (None, found.games) or looks not in (None, found.looks):
                raise UserError(
                    f"tournament {name}: {found.games} games a pairing and {found.looks} looks "
                    "were announced, and stay; `salvo operate call-off` ends that"
                )
            planned = replace(found, at=at)
        _put(league, charter, [*(one for one in charter.tournaments if one != found), planned])
        return planned


def call_off(league: League, name: str) -> None:
    """Take a tournament that has not begun out of the calendar.

    Raises:
        UserError: If there is none of that name, or it has begun.
    """
    with locked(league.folder):
        charter = _charter_without(league, name)
        left = [one for one in charter.tournaments if one.name != name]
        if len(left) == len(charter.tournaments):
            names = ", ".join(one.name for one in left) or "none"
            raise UserError(f"tournament {name}: it is not planned; planned are: {names}")
        _put(league, charter, left)


def _charter_without(league: League, name: str) -> Charter:
    """Return the charter of a league in which a tournament has not begun."""
    with contextlib.suppress(EmptyRecordError):
        if league.record.exists():
            with Store(league.record, create=False) as store:
                if name in store.tournament_names():
                    raise UserError(
                        f"tournament {name}: it has begun, and is played as it was announced"
                    )
    return read_charter(league.folder / CHARTER)


def _valid(planned: Planned) -> Planned:
    try:
        return msgspec.convert(asdict(planned), Planned)
    except msgspec.ValidationError as error:
        reason = f"{str(error)[0].lower()}{str(error)[1:]}"
        raise UserError(f"tournament {planned.name[:40]!a}: {reason}") from error


def _put(league: League, charter: Charter, tournaments: Sequence[Planned]) -> None:
    ordered = tuple(sorted(tournaments, key=lambda one: (one.at, one.name)))
    try:
        new = replace(charter, tournaments=ordered)
    except ValueError as error:
        raise UserError(str(error)) from error
    rewrite_tournaments(new, league.folder / CHARTER)
