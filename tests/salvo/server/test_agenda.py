"""When a tournament of the calendar begins, what it waits for, and who takes part."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.isolation import Choice, Level
from arena.league import League, Planned
from arena.league.charter import read_charter, write_charter
from arena.store import Store
from salvo.bundled import bundled_bots
from salvo.server import clock
from salvo.server.database.keys import find_key, new_invite
from salvo.server.database.server_database import Database, stamp_of
from salvo.server.leagues import open_league
from salvo.server.results import result_path
from salvo.server.work.agenda import Agenda

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
SPRINT = Planned(name="sprint", at=NOON, games=8, looks=2, seed="12345")
NEXT = Planned(name="next", at=NOON, games=4, looks=1, seed="123456")


class Calendar:
    """A league with two tournaments at noon, and what begins them."""

    def __init__(self, folder: Path, store: Store, db: Database, at: list[datetime]) -> None:
        self.folder, self.store, self.db, self._at = folder, store, db, at

    def now(self, at: datetime, level: Level = Level.SANDBOX) -> str | None:
        """Return what is played at a moment, as a process finds it that was just started."""
        self._at[0] = at
        agenda = Agenda(self.folder, Choice(level, ()), self.store, self.db)
        found = [agenda.now(open_league(self.folder)) for _ in range(2)]
        assert found[0] == found[1]
        return None if found[0] is None else found[0].name

    def enter(self, name: str, bot: str) -> None:
        league = open_league(self.folder)
        with league.candidate(bundled_bots()[bot], name) as candidate:
            league.admit(candidate)

    def hand_in(self, name: str, at: datetime, state: str = "queued", entry: str = "") -> None:
        self.db.execute(
            "INSERT INTO submissions (id, name, address, file, state, entry, at) "
            "VALUES (hex(randomblob(8)), ?, '', '.py', ?, ?, ?)",
            (name, state, entry, stamp_of(at)),
        )

    def own(self, name: str) -> None:
        key = find_key(self.db, new_invite(self.db, name))
        assert key is not None
        self.db.execute("INSERT INTO names (name, invite) VALUES (?, ?)", (name, key.id))

    @property
    def log(self) -> list[str]:
        return [words for _, words in reversed(self.db.log(100))]


@pytest.fixture
def calendar(league: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Calendar]:
    charter = replace(read_charter(league / "league.toml"), tournaments=(SPRINT, NEXT))
    (league / "league.toml").unlink()
    write_charter(charter, league / "league.toml")
    at = [NOON]
    monkeypatch.setattr(clock, "now", lambda: at[0])
    with Store(league / "salvo.sqlite3", create=True) as store, Database(league) as db:
        yield Calendar(league, store, db, at)


def test_tournament_begins_at_its_moment_with_all_as_rivals_where_nobody_was_invited(
    calendar: Calendar,
) -> None:
    assert calendar.now(NOON - SECOND) is None
    assert calendar.log == []
    assert calendar.now(NOON) == "sprint"
    assert calendar.log == ["tournament sprint begins"]
    result = Agenda(calendar.folder, Choice(Level.SANDBOX, ()), calendar.store, calendar.db).result(
        SPRINT
    )
    assert result is not None
    assert (result.entrants, result.bosses, result.began) == (
        ["hunt_target@1", "uniform_random@1"],
        [],
        "2026-06-01T12:00:00Z",
    )
    assert calendar.now(NOON + SECOND) == "sprint"  # one after the other


def test_bots_of_the_operator_are_bosses_where_others_take_part(calendar: Calendar) -> None:
    calendar.enter("ada", "hunt_parity")
    calendar.own("ada")
    assert calendar.now(NOON, Level.NONE) is None
    told = "bots that were handed in play in the sandbox alone, and there is none here"
    assert calendar.log == [f"tournament sprint waits: {told}"]
    assert calendar.now(NOON) == "sprint"
    result = Agenda(calendar.folder, Choice(Level.SANDBOX, ()), calendar.store, calendar.db).result(
        SPRINT
    )
    assert result is not None
    assert result.bosses == ["hunt_target", "uniform_random"]


def test_tournament_waits_for_those_who_were_in_time_and_goes_without_those_who_were_not(
    calendar: Calendar,
) -> None:
    calendar.enter("ada", "hunt_parity")
    calendar.hand_in("ada", NOON + SECOND, "accepted", "ada@1")
    calendar.hand_in("bob", NOON)
    calendar.hand_in("cy", NOON + SECOND)
    calendar.hand_in("dee", NOON - SECOND)
    for name, told in (
        ("bob", "2 bots that were handed in before it are still to be checked"),
        ("dee", "a bot that was handed in before it is still to be checked"),
    ):
        assert calendar.now(NOON) is None
        assert calendar.log[-1] == f"tournament sprint waits: {told}"
        calendar.db.execute("UPDATE submissions SET state = 'refused' WHERE name = ?", (name,))
    assert calendar.now(NOON) == "sprint"
    entrants = calendar.store.tournament("sprint").entrants
    assert [one.name for one in entrants] == ["hunt_target@1", "uniform_random@1"]


def test_tournament_needs_two_bots(calendar: Calendar) -> None:
    league = League(calendar.folder)
    league.withdraw("uniform_random")
    assert calendar.now(NOON) is None
    assert calendar.log[0] == "tournament sprint waits: there are fewer than two bots"
    calendar.enter("ada", "hunt_parity")
    assert calendar.now(NOON) == "sprint"


def test_tournament_that_began_when_the_server_was_killed_goes_on(calendar: Calendar) -> None:
    assert calendar.now(NOON) == "sprint"
    result_path(calendar.folder, "sprint").unlink()
    assert calendar.now(NOON) == "sprint"
    assert result_path(calendar.folder, "sprint").exists()
    assert calendar.log == ["tournament sprint begins"]
