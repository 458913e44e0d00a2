"""A league opens and closes, and says so."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from arena.league import amend
from arena.league.charter import read_charter
from salvo.server.dates import dates_of

Served = Any
MakeServer = Callable[..., Served]

HTML = {"Accept": "text/html"}


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


def test_upload_after_the_deadline_is_refused_unless_it_is_allowed(
    league: Path, make_server: MakeServer
) -> None:
    served = make_server(league, "--public")
    ada, bob = served.invite("Ada", "Bob")
    amend(league, "closes", [in_hours(1)])
    assert "Bots come in until <time datetime=" in served.get("/", **HTML).text
    assert served.checked(served.submit("ada", served.bot.encode(), ada))["state"] == "accepted"
    better = served.bot.encode() + b"# better"
    amend(league, "closes", [in_hours(-1)])
    for name, code in (("ada", ada), ("bob", bob)):
        refused = served.submit(name, better, code)
        assert refused.status == 403
        assert "bots came in until" in refused.json["error"]
    page = served.get("/submit", bob, **HTML).text
    assert "Nothing can be submitted now: bots came in until" in page
    assert "data-upload" not in page
    assert "data-upload" not in served.get("/mine/ada", ada, **HTML).text
    for path in ("/", "/games", "/rules", "/bots/ada"):
        assert "versions are frozen" in served.get(path, **HTML).text
    facts = served.get("/api/league").json
    assert facts["submissions"]["open"] is False
    assert "versions are frozen" in facts["submissions"]["reason"]
    # A single invite may be late, as long as the operator leaves it.
    number = served.get("/api/operate", served.key).json["invites"][0]["id"]
    late = {"invite": number, "allowed": True}
    assert served.post("/api/operate/late", late, ada).status == 403
    assert served.post("/api/operate/late", late, served.key).status == 200
    assert "Late no more" in served.get("/operate", served.key, **HTML).text
    assert "data-upload" in served.get("/mine/ada", ada, **HTML).text
    assert served.submit("bob", better, bob).status == 403
    assert served.checked(served.submit("ada", better, ada))["entry"] == "ada@2"
    served.post("/api/operate/late", late | {"allowed": False}, served.key)
    assert served.submit("ada", better + b"!", ada).status == 403
    assert served.post("/api/operate/late", late | {"invite": 10**6}, served.key).status == 404
    # The deadline may be moved once it has passed.
    amend(league, "closes", [in_hours(2)])
    assert served.submit("bob", better, bob).status == 202


def test_league_that_is_not_open_yet_takes_no_bots(league: Path, make_server: MakeServer) -> None:
    amend(league, "opens", [in_hours(1)])
    served = make_server(league, "--public")
    [code] = served.invite()
    refused = served.submit("early", served.bot.encode(), code)
    assert refused.status == 403
    assert "bots come in from" in refused.json["error"]
    assert "Bots come in from <time" in served.get("/", **HTML).text
