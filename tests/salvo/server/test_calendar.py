"""A served league plays the tournaments of its calendar, and says what came of them."""

import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from arena.league import Anchor, Charter, League, Planned, announce
from arena.league.charter import write_charter
from arena.rules import preset
from arena.seeds import fingerprint
from arena.store import Store
from arena.tournament.verifying import comparable
from leaderboards import rate
from salvo.bundled import bundled_bots
from salvo.server.database.keys import add_key, new_invite
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.queue import clear_leftovers, submission, take_next
from salvo.server.database.server_database import Database
from salvo.server.leagues import opened
from salvo.server.results import LookTaken, read_result
from salvo.server.work.checking import check_one, put_back
from salvo.server.work.looks import contenders
from tests.salvo.server.asking import Site
from tests.salvo.server.conftest import IN_ORDER

Served = Any
MakeServer = Callable[..., Served]
Salvo = Callable[..., Any]

HTML = {"Accept": "text/html"}
FAR = datetime(2099, 1, 1, tzinfo=UTC)
PAST = datetime(2026, 1, 1, tzinfo=UTC)
SEED = "123456789012345678901234567890"


def league_with(folder: Path, planned: Planned, *names: str, games: int = 4) -> Path:
    """Return a league of bundled bots that nobody serves, with a tournament in its calendar."""
    folder.mkdir()
    charter = Charter(
        rules=preset("ramesh-1"),
        seed="5",
        games=games,
        layouts=2,
        block_games=4,
        anchor=Anchor(bot=f"{names[0]}@1"),
        tournaments=(planned,),
    )
    write_charter(charter, folder / "league.toml")
    league = League(folder, None, bundled_bots())
    for name in names:
        with league.candidate(bundled_bots()[name], name) as candidate:
            league.admit(candidate)
    return folder


def sprint(at: datetime, *, games: int = 8, looks: int = 2) -> Planned:
    return Planned(name="sprint", at=at, games=games, looks=looks, seed=SEED)


def move(league: Path, at: datetime) -> None:
    announce(League(league), "sprint", at)


def blocks(league: Path, tournament: str) -> int:
    with opened(league / "salvo.sqlite3") as store:
        return 0 if store is None else len(store.played(tournament))


def ended(server: Served) -> dict[str, Any]:
    def found() -> dict[str, Any] | None:
        [told] = server.get("/api/tournaments", server.key).json
        return told if told["state"] == "ended" else None

    told: dict[str, Any] = server.until(found)
    return told


def outcome(league: Path) -> tuple[Any, Any]:
    """Return all games of the tournament, and its result without the times at which it came."""
    with Store(league / "salvo.sqlite3", create=False) as store:
        games = list(map(comparable, store.games("sprint")))
    told = json.loads((league / "results" / "sprint.json").read_bytes())
    for one in (told, *told["looks"], told["boards"]):
        for time_ in ("began", "ended", "at"):
            one.pop(time_, None)
    return games, told


@pytest.mark.long("the server is started eight times")
def test_stopped_by_kills_in_each_phase_it_ends_as_without(
    tmp_path: Path, make_server: MakeServer
) -> None:
    bots = ("uniform_random", "hunt_target", "hunt_parity")
    quiet = league_with(tmp_path / "quiet", sprint(PAST, games=12, looks=3), *bots)
    server = make_server(quiet)
    ended(server)
    server.stop()

    league = league_with(tmp_path / "killed", sprint(FAR, games=12, looks=3), *bots, games=400)
    server = make_server(league)

    def looks() -> int:
        result = read_result(league, "sprint")
        return -1 if result is None else len(result.looks)

    def is_due(look: int) -> bool:
        with Database(league) as db:
            return int(db.setting("played sprint", "0")) >= look

    # Each holds from some moment on, so that no slow machine misses it.
    phases: list[Callable[[], bool]] = [
        lambda: blocks(league, "league") >= 2,  # games of the league are in play
        lambda: looks() >= 0,  # it has begun
        lambda: blocks(league, "sprint") >= 1,  # its first games are played
        lambda: is_due(1),  # a look is due
        lambda: looks() >= 1 and blocks(league, "sprint") >= 4,  # games after the first look
        lambda: is_due(3),  # the last look is due, after which it ends
    ]
    for number, reached in enumerate(phases):
        server.until(reached)
        server.kill()
        if number == 0:
            move(league, PAST)
        server.start(server.port)
    ended(server)
    assert outcome(league) == outcome(quiet)


def test_pause_holds_it_and_no_game_of_the_league_is_begun_before_it_has_ended(
    tmp_path: Path, make_server: MakeServer
) -> None:
    league = league_with(
        tmp_path / "league", sprint(PAST), "uniform_random", "hunt_target", games=12
    )
    with Database(league) as db:
        db.settle("paused", "yes")  # before the server was started
    server = make_server(league)
    server.until(lambda: read_result(league, "sprint"))
    time.sleep(1)  # would it play, it would have begun
    with Store(league / "salvo.sqlite3", create=False) as store:
        assert store.played("sprint") == {}
    server.post("/api/operate/resume", {}, server.key)
    assert len(ended(server)["taken"]) >= 1
    server.until(lambda: blocks(league, "league") >= 4)  # three of pairs, and one alone at least
    with closing(sqlite3.connect(league / "salvo.sqlite3")) as db, db:
        rows = db.execute(
            "SELECT name FROM blocks JOIN tournaments ON tournament = tournaments.id "
            "ORDER BY blocks.id"
        ).fetchall()
    played = [name for (name,) in rows]
    assert played == sorted(played, reverse=True)
    assert played.count("sprint") == 2


def test_missing_games_are_not_said_to_be_none_before_they_were_counted(league: Path) -> None:
    with Database(league) as db:
        assert Leaderboards.read(db).missing is None


@pytest.mark.usefixtures("_sandbox")
def test_what_was_handed_in_before_the_deadline_comes_in_after_it_also_after_a_kill(
    league: Path,
) -> None:
    site = Site(league)
    clear_leftovers(league)
    with Database(league) as db:
        operator, code = add_key(db, "operate"), new_invite(db, "Ada")
        upload = "/api/bots?name=ada&file=bot.py"
        handed_in = site.ask(upload, IN_ORDER.encode(), key=code).json["id"]
        assert take_next(db) is not None
        put_back(league)  # as whoever checks next finds it when the server was killed
        body = {"field": "closes", "at": datetime.now(UTC).isoformat()}
        assert site.ask("/api/operate/date", body, key=operator).status == 200
        assert site.ask(upload, IN_ORDER.encode(), key=code).status == 403
        one = take_next(db)
        assert one is not None
        check_one(league, one)
        found = submission(db, handed_in)
    assert found is not None
    assert (found.state, found.entry) == ("accepted", "ada@1")


def test_everybody_sees_the_plan_before_and_the_seed_after(
    salvo: Salvo, tmp_path: Path, make_server: MakeServer
) -> None:
    league = league_with(
        tmp_path / "league", sprint(FAR, games=16), "uniform_random", "hunt_target"
    )
    server = make_server(league, "--public")
    page = server.get("/tournaments/sprint").text
    assert fingerprint(SEED) in page
    assert "After 8 and 16 games a pairing the result is looked at." in page
    assert 'Tournament <a href="/tournaments/sprint">sprint</a>: begins' in server.get("/").text
    for path in ("/", "/tournaments", "/tournaments/sprint", "/api/tournaments", "/api/league"):
        assert SEED not in server.get(path).text
    server.until(lambda: blocks(league, "league"))
    assert server.get("/tournaments/sprint/report.html").status == 404
    assert server.get("/tournaments/other").status == 404
    # Who announces it for a moment that has passed by then has it begin.
    soon = {"name": "sprint", "at": (datetime.now(UTC) + timedelta(seconds=1)).isoformat()}
    assert server.post("/api/operate/tournament", soon, server.key).status == 200
    told = ended(server)
    assert (told["seed"], fingerprint(told["seed"])) == (SEED, told["fingerprint"])
    page = server.get("/tournaments/sprint").text
    assert SEED in page
    assert told["taken"][-1]["says"] in page
    # The command says the same, and of the league itself what it said before.
    command = ("standings", "--league", str(league))
    shown = salvo(*command, "--tournament", "sprint", "--format", "json").json
    result = read_result(league, "sprint")
    assert result is not None
    assert result.boards is not None
    assert [(row["bot"], f"{row['elo']:.0f}") for row in shown["elo"]] == [
        (row.name, row.cells["Elo"]) for row in result.boards.elo
    ]
    assert any("hold at all 2 looks together" in note for note in shown["notes"])
    assert "The league's field" in salvo(*command).out
    report = server.get("/tournaments/sprint/report.html")
    assert "attachment" in report.headers["content-disposition"]
    assert b"Salvo sprint: 2 bots" in report.body
    assert f"secret; its fingerprint is {fingerprint(SEED)}" in report.text


@pytest.fixture
def private(tmp_path: Path) -> Site:
    """Return a league that is not public, with a tournament that does not begin."""
    league = league_with(tmp_path / "league", sprint(FAR), "uniform_random", "hunt_target")
    return Site(league, public=False)


def test_pages_of_a_private_league_are_for_readers(private: Site) -> None:
    for path in (
        "/tournaments",
        "/tournaments/sprint",
        "/tournaments/sprint/report.html",
        "/api/tournaments",
    ):
        assert private.ask(path).status == 401
    for action, body in (
        ("tournament", {"name": "more", "at": FAR.isoformat()}),
        ("call-off", {"name": "sprint"}),
        ("date", {"field": "closes", "at": None}),
    ):
        assert private.ask(f"/api/operate/{action}", body).status == 403


def test_operator_announces_moves_and_calls_off(private: Site) -> None:
    with Database(private.league) as db:
        key = add_key(db, "operate")

    def operate(action: str, **body: object) -> tuple[int, str]:
        answer = private.ask(f"/api/operate/{action}", body, key=key)
        return answer.status, answer.json.get("done") or answer.json["error"]

    status, told = operate("tournament", name="practice", at="2098-01-01T10:00+02:00", looks=1)
    assert status == 200
    assert "tournament practice begins on 2098-01-01 08:00 UTC: at most 4 games a pairing" in told
    assert operate("tournament", name="sprint", at="2098-02-01T10:00Z")[0] == 200
    assert operate("tournament", name="sprint", at="2098-02-01T10:00Z", games=80)[0] == 400
    status, told = operate("tournament", name="final", at="2098-02-01T10:00Z")
    assert status == 400
    assert "set `closes`" in told
    assert operate("date", field="closes", at="2098-01-31T23:59Z")[0] == 200
    assert operate("tournament", name="final", at="2098-02-01T10:00Z")[0] == 200
    assert operate("date", field="closes", at=None)[0] == 400
    assert operate("tournament", name="x", at="2098-02-01T10:00")[0] == 400
    assert operate("call-off", name="sprint") == (200, "tournament sprint is called off")
    assert operate("call-off", name="sprint")[0] == 400
    names = [one["name"] for one in private.ask("/api/tournaments", key=key).json]
    assert names == ["practice", "final"]


@pytest.mark.long("bots are submitted, and a tournament is played to its end")
def test_tournament_waits_for_what_was_handed_in_before_it(
    tmp_path: Path, make_server: MakeServer
) -> None:
    league = league_with(tmp_path / "league", sprint(FAR), "uniform_random", "hunt_target")
    server = make_server(league)
    code, other = server.invite("Ada", "Bob")
    slow = server.bot.replace("run(InOrder)", "import time\ntime.sleep(1)\nrun(InOrder)")
    submitted = server.submit("ada", slow.encode(), code)
    time.sleep(1.1)  # the queue knows seconds
    move(league, datetime.now(UTC))
    time.sleep(1.1)
    late = server.submit("bob", server.bot.encode(), other)
    assert server.checked(submitted)["state"] == "accepted"
    assert server.checked(late)["state"] == "accepted"
    told = ended(server)
    assert sorted(told["entrants"]) == ["ada@1", "hunt_target@1", "uniform_random@1"]
    assert sorted(told["bosses"]) == ["hunt_target", "uniform_random"]
    # Bosses play, and cannot win.
    assert told["taken"][-1]["may_win"] == ["ada"]
    assert "ada has won" in told["taken"][-1]["says"]


@pytest.mark.long("bots are submitted, and a tournament is played to its end")
def test_banned_bot_is_out_of_it_and_withdrawn_one_plays_on(
    tmp_path: Path, make_server: MakeServer
) -> None:
    league = league_with(tmp_path / "league", sprint(FAR, looks=1), "uniform_random", "hunt_target")
    server = make_server(league)
    for name, code in zip(("ada", "loud"), server.invite("Ada", "Bob"), strict=True):
        told = server.submit(name, f"{server.bot}# {name}".encode(), code)
        assert server.checked(told)["state"] == "accepted"
    server.post("/api/operate/pause", {}, server.key)
    move(league, datetime.now(UTC))
    server.until(lambda: read_result(league, "sprint"))
    server.post("/api/operate/ban", {"name": "loud"}, server.key)
    server.post("/api/operate/withdraw", {"name": "ada"}, server.key)
    server.post("/api/operate/resume", {}, server.key)
    ended(server)
    result = read_result(league, "sprint")
    assert result is not None
    assert result.boards is not None
    assert {row.name for row in result.boards.elo} == {"uniform_random", "hunt_target", "ada"}
    assert result.looks[-1].games == 3 * 8


@pytest.mark.long("a league is served for it alone")
def test_bot_that_cannot_be_started_is_named_in_the_result(
    tmp_path: Path, make_server: MakeServer
) -> None:
    bots = ("uniform_random", "hunt_target", "hunt_parity")
    league = league_with(tmp_path / "league", sprint(FAR), *bots)
    [home] = [one for one in (league / "bots").iterdir() if (one / "hunt_parity.py").exists()]
    server = make_server(league)
    server.post("/api/operate/pause", {}, server.key)
    move(league, PAST)
    server.until(lambda: read_result(league, "sprint"))
    shutil.rmtree(home)
    server.kill()
    server.start(server.port)
    server.post("/api/operate/resume", {}, server.key)
    ended(server)
    result = read_result(league, "sprint")
    assert result is not None
    assert result.boards is not None
    assert any(
        "Games that could not be played are missing, between hunt_parity@1 and" in note
        for note in result.boards.notes
    )


@pytest.mark.long("bots are submitted, and a tournament is played to its end")
def test_result_stays_under_a_neutral_name_when_data_are_deleted(
    salvo: Salvo, tmp_path: Path, make_server: MakeServer
) -> None:
    league = league_with(tmp_path / "league", sprint(FAR), "uniform_random", "hunt_target")
    server = make_server(league)
    [code] = server.invite("Quillworth")
    told = server.submit("sprint", server.bot.encode(), code)  # called as the tournament is
    assert server.checked(told)["state"] == "accepted"
    other = server.submit("quill", server.bot.encode(), server.invite("Other")[0])
    assert server.checked(other)["state"] == "accepted"
    move(league, datetime.now(UTC))
    before = ended(server)
    server.stop()
    for name in ("quill", "sprint"):
        assert salvo("operate", "forget", name, "--yes", "--league", str(league)).code == 0
    after = read_result(league, "sprint")
    assert after is not None
    assert after.boards is not None
    assert {"deleted-1@1", "deleted-2@1"} < set(after.entrants)
    assert [look.games for look in after.looks] == [look["games"] for look in before["taken"]]
    assert {"deleted-1", "deleted-2"} < {row.name for row in after.boards.elo}
    report = (league / "results" / "sprint.html").read_text("utf-8")
    for text in (report, (league / "results" / "sprint.json").read_text("utf-8")):
        assert "deleted-1" in text
        assert "quill" not in text.lower()


@pytest.mark.long("bots are submitted, and a tournament is played to its end")
def test_it_ends_without_a_bot_whose_data_are_deleted_while_it_is_played(
    salvo: Salvo, tmp_path: Path, make_server: MakeServer
) -> None:
    league = league_with(tmp_path / "league", sprint(FAR), "uniform_random", "hunt_target")
    server = make_server(league)
    [code] = server.invite("Quillworth")
    told = server.submit("quill", server.bot.encode(), code)
    assert server.checked(told)["state"] == "accepted"
    server.post("/api/operate/pause", {}, server.key)
    move(league, datetime.now(UTC))
    server.until(lambda: read_result(league, "sprint"))
    assert salvo("operate", "forget", "quill", "--yes", "--league", str(league)).code == 0
    server.post("/api/operate/resume", {}, server.key)
    assert "deleted-1@1" in ended(server)["entrants"]
    result = read_result(league, "sprint")
    assert result is not None
    assert result.boards is not None
    assert {row.name for row in result.boards.elo} == {"uniform_random", "hunt_target"}
    assert any("between deleted-1@1 and hunt_target@1" in note for note in result.boards.notes)


def table_of(*results: tuple[str, str, int]) -> pd.DataFrame:
    """Return a table of games, so many won by the first of each two bots."""
    rows = []
    for number, (winner, loser, games) in enumerate(results):
        for game in range(games):
            first, second = (winner, loser) if game % 2 else (loser, winner)
            result = "first" if first == winner else "second"
            rows.append((first, second, result, 1000 * number + game // 2, None))
    return pd.DataFrame(rows, columns=["first", "second", "result", "pair", "forfeit"])


def test_whom_no_rival_surely_beats_may_win_whatever_bosses_do() -> None:
    games = table_of(
        ("boss", "ada", 60), ("boss", "bob", 60), ("ada", "bob", 40), ("bob", "ada", 36)
    )
    ratings = rate(games, looks=4)
    assert contenders(ratings, ["boss"]) == ["ada", "bob"]
    assert contenders(ratings, []) == ["boss"]
    assert contenders(ratings, ["boss", "ada", "bob"]) == ["boss"]
    assert contenders(None, []) == []


@pytest.mark.parametrize(
    ("may_win", "says"),
    [
        ([], "No game counts yet."),
        (["ada"], "ada has won: it is surely better than all others that could win."),
        (["ada", "bob"], "2 bots may be the best: ada, bob; ada has the highest rating."),
    ],
)
def test_look_says_who_may_be_the_best(may_win: list[str], says: str) -> None:
    assert LookTaken(pairs=5, games=10, may_win=may_win, at="").sentence() == says


@pytest.mark.long("a league is served for it alone")
def test_it_waits_where_there_are_not_two_bots(tmp_path: Path, make_server: MakeServer) -> None:
    league = league_with(tmp_path / "league", sprint(PAST), "hunt_target")
    server = make_server(league)

    def log() -> str:
        return str(server.get("/api/operate", server.key).json["log"])

    server.until(lambda: "tournament sprint waits: there are fewer than two bots" in log())
    assert read_result(league, "sprint") is None
    with League(league, None, bundled_bots()).candidate(
        bundled_bots()["uniform_random"], "uniform_random"
    ) as candidate:
        League(league, None, bundled_bots()).admit(candidate)
    assert len(ended(server)["entrants"]) == 2
