"""Keys, sessions and names: what ends with what, and who may have which name."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.requests import Request

from arena.errors import UserError
from arena.league import League
from salvo.server.database.keys import (
    Visitor,
    find_key,
    join_session,
    new_invite,
    revoke,
    visitor_of,
)
from salvo.server.database.ownership import ban, refuse_banned, reserve_name
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.web import api
from salvo.server.web.guard import Policy
from salvo.server.web.handling import Context

SESSIONS = 50
"""Browsers of one key."""


def invited(db: Database) -> Visitor:
    """Return somebody with an invite of their own."""
    key = find_key(db, new_invite(db, "somebody"))
    assert key is not None
    return Visitor((key,))


def author_of(db: Database, league: Path, name: str) -> tuple[Visitor, str]:
    """Return somebody who took a name, and the key of that name."""
    visitor = invited(db)
    key = reserve_name(db, league, visitor, name, take=True)
    assert key is not None
    return visitor, key


@pytest.mark.parametrize(
    "name",
    [
        *("hunt-target", "hunttarget", "Hunt.Target", "h.u.n.t_target", "un1form_rand0m"),
        *("hunt_targ3t", "hunt_t4rget", "hun7_target", "hunt_tar9et", "uniforrn_random"),
        *("thompson", "th0mp50n", "opt1ma1"),  # bundled, and not in the league
    ],
)
def test_name_that_looks_like_one_in_the_league_is_refused(league: Path, name: str) -> None:
    with Database(league) as db, pytest.raises(Refusal, match="could be taken for"):
        reserve_name(db, league, invited(db), name, take=True)


@pytest.mark.parametrize("name", ["l0ud", "loud.", "1oud", "I-oud", "lo_ud"])
def test_name_that_looks_like_one_that_somebody_took_is_refused(league: Path, name: str) -> None:
    with Database(league) as db:
        author_of(db, league, "loud")
        with pytest.raises(Refusal, match="could be taken for 'loud'"):
            reserve_name(db, league, invited(db), name, take=True)


def test_name_may_look_like_the_former_one_of_the_same_invite(league: Path) -> None:
    with Database(league) as db:
        visitor, _ = author_of(db, league, "loud")
        assert reserve_name(db, league, visitor, "l0ud", take=True) is not None


@pytest.mark.parametrize("number", [*"0123456789"])
def test_names_that_end_in_another_number_are_told_apart(league: Path, number: str) -> None:
    with Database(league) as db:
        for other in sorted({*"0123456789"} - {number}):
            author_of(db, league, f"{number}bot{other}")


def test_code_of_an_invite_is_known_however_it_is_written(league: Path) -> None:
    with Database(league) as db:
        code = new_invite(db, "somebody")
        known = find_key(db, code)
        assert known is not None
        for written in (code.upper(), code.replace("-", ""), f" {code.replace('-', ' ').title()} "):
            assert find_key(db, written) == known
        assert find_key(db, code[:-1]) is None


def test_key_that_is_sent_and_in_the_session_counts_once(league: Path) -> None:
    with Database(league) as db:
        [key] = invited(db).keys
        session = join_session(db, None, key)
        assert visitor_of(db, session, key).keys == (key,)


def test_ban_ends_the_key_of_the_author(league: Path) -> None:
    with Database(league) as db:
        _, key = author_of(db, league, "loud")
        found = find_key(db, key)
        assert found is not None
        session = join_session(db, None, found)
        ban(db, league, "loud")
        assert find_key(db, key) is None
        assert not visitor_of(db, session).reads


def test_revoking_an_invite_ends_the_key_of_its_author_alone(league: Path) -> None:
    with Database(league) as db:
        visitor, key = author_of(db, league, "loud")
        _, other = author_of(db, league, "quiet")
        revoke(db, visitor.keys[0].id)
        assert find_key(db, key) is None
        assert find_key(db, other) is not None


def test_browsers_that_came_last_are_remembered(league: Path) -> None:
    with Database(league) as db:
        key = invited(db).keys[0]
        secrets = [join_session(db, None, key) for _ in range(SESSIONS + 2)]
        known = [visitor_of(db, one).reads for one in secrets]
    assert known == [False] * 2 + [True] * SESSIONS


def test_ban_heeds_no_capitals(league: Path) -> None:
    with Database(league) as db:
        _, key = author_of(db, league, "loud")
        ban(db, league, "LOUD")
        assert find_key(db, key) is None
        with pytest.raises(Refusal, match="banned"):
            reserve_name(db, league, invited(db), "loud", take=True)


def test_operator_cannot_undo_a_ban_by_chance(league: Path) -> None:
    with Database(league) as db:
        author_of(db, league, "loud")
        refuse_banned(db, "loud")
        ban(db, league, "loud")
        with pytest.raises(UserError, match="'loud' was banned in this league"):
            refuse_banned(db, "Loud")


def test_anchor_cannot_be_banned(league: Path) -> None:
    with Database(league) as db, pytest.raises(UserError, match="is the anchor of the league"):
        ban(db, league, "hunt_target")
    assert "hunt_target" in [entry.name for entry in League(league).field]


@pytest.mark.parametrize(("recheck_s", "heard"), [(0.0, ["before"]), (3600.0, ["before", "after"])])
def test_events_are_heard_no_longer_than_until_the_next_check_of_a_key_that_was_revoked(
    league: Path, monkeypatch: pytest.MonkeyPatch, recheck_s: float, heard: list[str]
) -> None:
    monkeypatch.setattr(api, "_RECHECK_S", recheck_s)
    with Database(league) as db:
        code = new_invite(db, "gone")
        key = find_key(db, code)
    assert key is not None
    header = (b"authorization", f"Bearer {code}".encode())
    request = Request(
        {
            "type": "http",
            "path": "/api/events",
            "headers": [header],
            "address": "127.0.0.1",
            "secure": False,
            "server": None,
        }
    )
    own = api.Api(Context(league, Policy(hosts=frozenset({"here"})), ""))

    async def happens() -> AsyncIterator[str]:
        yield "before"
        with Database(league) as db:
            revoke(db, key.id)
        yield "after"

    async def listen() -> list[str]:
        return [part async for part in own._while_reader(request, happens())]

    assert asyncio.run(listen()) == heard
