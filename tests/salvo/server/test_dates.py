"""A league opens and closes, and says so."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.league import amend
from arena.league.charter import read_charter
from salvo.server.database.keys import add_key, new_invite
from salvo.server.database.ownership import upload_path
from salvo.server.database.queue import clear_leftovers, finish, submission, take_next
from salvo.server.database.server_database import Database
from salvo.server.dates import dates_of
from salvo.server.leagues import open_league
from tests.salvo.server.asking import Answer, Site
from tests.salvo.server.conftest import IN_ORDER

HTML = {"accept": "text/html"}


def in_hours(hours: float) -> str:
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat()


@pytest.mark.parametrize(
    ("opens", "closes", "phase", "refusal"),
    [
        (None, None, "open", ""),
        (-1, 1, "open", ""),
        (1, None, "before", "bots come in from"),
        (None, -1, "closed", "and versions are frozen"),
    ],
)
def test_dates_say_whether_bots_come_in(
    league: Path, opens: int | None, closes: int | None, phase: str, refusal: str
) -> None:
    for field, hours in (("opens", opens), ("closes", closes)):
        if hours is not None:
            amend(league, field, [in_hours(hours)])
    dates = dates_of(read_charter(league / "league.toml"))
    assert dates.phase == phase
    assert refusal in dates.refusal
    assert bool(dates.refusal) == bool(refusal)


def test_deadline_is_a_moment_whatever_the_time_zone(league: Path) -> None:
    told = amend(league, "closes", ["2026-03-29T02:30+01:00"])
    assert told.startswith("closes is 2026-03-29 02:30+01:00, not none.")
    assert "closes = 2026-03-29T02:30:00+01:00" in (league / "league.toml").read_text("utf-8")
    charter = read_charter(league / "league.toml")
    # It is there on one side of the change to summer time, and on the other.
    assert dates_of(charter, datetime(2026, 3, 29, 1, 29, 59, tzinfo=UTC)).phase == "open"
    assert dates_of(charter, datetime(2026, 3, 29, 1, 30, tzinfo=UTC)).phase == "closed"
    assert "2026-03-29 01:30 UTC" in dates_of(charter).refusal or dates_of(charter).phase == "open"
    amend(league, "closes", ["2026-03-29 04:30+02:00"])
    assert amend(league, "closes", ["none"]).startswith("closes is none, not 2026-03-29 04:30")
    assert read_charter(league / "league.toml").closes is None


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("closes", "2026-12-11T23:59", "give a moment with its time zone, such as"),
        ("closes", "tomorrow", "closes tomorrow: give a moment"),
        ("closes", "2026-11-01T00:00Z", "closes: 2026-11-01 00:00:00+00:00 is not after opens"),
        ("closes", "2026-12-11T23:59+01:00 x", "give a moment"),
    ],
)
def test_date_that_makes_no_sense_is_refused(
    league: Path, field: str, value: str, told: str
) -> None:
    amend(league, "opens", ["2026-12-01T08:00+01:00"])
    before = (league / "league.toml").read_bytes()
    with pytest.raises(UserError, match=told.replace("(", r"\(").replace("+", r"\+")):
        amend(league, field, [value])
    assert (league / "league.toml").read_bytes() == before


def accepted(league: Path) -> str | None:
    """Enter the bot that waits, as a check that it passes does; return its name in the record."""
    with Database(league) as db:
        one = take_next(db)
        assert one is not None
        path = upload_path(league, one.id).rename(league.parent / f"{one.name}.py")
        with open_league(league).candidate(path, one.name) as candidate:
            finish(db, one, "accepted", entry=open_league(league).admit(candidate).full_name)
        found = submission(db, one.id)
    assert found is not None
    return found.entry


def test_upload_after_the_deadline_is_refused_unless_it_is_allowed(league: Path) -> None:
    site = Site(league)
    clear_leftovers(league)  # as a server does when it begins
    with Database(league) as db:
        operator, ada, bob = add_key(db, "operate"), new_invite(db, "Ada"), new_invite(db, "Bob")

    def submit(name: str, data: bytes, key: str) -> Answer:
        return site.ask(f"/api/bots?name={name}&file=bot.py", data, key=key)

    amend(league, "closes", [in_hours(1)])
    assert "Bots come in until <time datetime=" in site.ask("/", **HTML).text
    assert submit("ada", IN_ORDER.encode(), ada).status == 202
    assert accepted(league) == "ada@1"
    better = IN_ORDER.encode() + b"# better"
    amend(league, "closes", [in_hours(-1)])
    for name, code in (("ada", ada), ("bob", bob)):
        status, told = submit(name, better, code).refusal
        assert status == 403
        assert "bots came in until" in told
    page = site.ask("/submit", key=bob, **HTML).text
    assert "Nothing can be submitted now: bots came in until" in page
    assert "data-upload" not in page
    assert "data-upload" not in site.ask("/mine/ada", key=ada, **HTML).text
    for path in ("/", "/games", "/rules", "/bots/ada"):
        assert "versions are frozen" in site.ask(path, **HTML).text
    facts = site.ask("/api/league").json
    assert facts["submissions"]["open"] is False
    assert "versions are frozen" in facts["submissions"]["reason"]
    # A single invite may be late, as long as the operator leaves it.
    number = site.ask("/api/operate", key=operator).json["invites"][0]["id"]
    late = {"invite": number, "allowed": True}
    assert site.ask("/api/operate/late", late, key=ada).status == 403
    assert site.ask("/api/operate/late", late, key=operator).status == 200
    assert "Late no more" in site.ask("/operate", key=operator, **HTML).text
    assert "data-upload" in site.ask("/mine/ada", key=ada, **HTML).text
    assert submit("bob", better, bob).status == 403
    assert submit("ada", better, ada).status == 202
    assert accepted(league) == "ada@2"
    site.ask("/api/operate/late", late | {"allowed": False}, key=operator)
    assert submit("ada", better + b"!", ada).status == 403
    assert site.ask("/api/operate/late", late | {"invite": 10**6}, key=operator).status == 404
    # The deadline may be moved once it has passed.
    amend(league, "closes", [in_hours(2)])
    assert submit("bob", better, bob).status == 202


def test_league_that_is_not_open_yet_takes_no_bots(league: Path) -> None:
    amend(league, "opens", [in_hours(1)])
    site = Site(league)
    with Database(league) as db:
        code = new_invite(db, "Ada")
    status, told = site.ask("/api/bots?name=early&file=bot.py", b"a bot", key=code).refusal
    assert status == 403
    assert "bots come in from" in told
    assert "Bots come in from <time" in site.ask("/", **HTML).text
