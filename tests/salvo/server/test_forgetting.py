"""A person's data are deleted from a league, whose games stay under a neutral name."""

import contextlib
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from arena.league import Anchor, Charter, League, amend
from arena.records import Settings
from arena.rules import preset
from arena.store import Store
from arena.store.game_rows import inflated
from salvo.bundled import bundled_bots
from salvo.cli.main import main
from salvo.reports.standings.league_standing import league_standing
from salvo.server.backup import back_up
from salvo.server.database.analyses import Analyses
from salvo.server.database.challenges import Challenges
from salvo.server.database.human_games import HumanGames
from salvo.server.database.keys import (
    Visitor,
    find_key,
    invites,
    join_session,
    new_invite,
)
from salvo.server.database.queue import add_step, clear_leftovers, finish, submit, take_next
from salvo.server.database.server_database import Database
from salvo.server.database.unstartable import set_unstartable
from salvo.server.dates import allow_late
from salvo.server.forgetting import deleting
from salvo.server.forgetting.deleting import finish_forgetting, forget
from salvo.server.leagues import open_league
from salvo.server.work.rating import rate_again

Served = Any
MakeServer = Callable[..., Served]
Salvo = Callable[..., Any]

NAME, LABEL = "zyx_ada", "Ada Zyxlabel"
AUTHOR, WRITTEN, SOURCE = "Zyxauthor", "zyxwritten", "zyxsource"
TOLD = (NAME, LABEL, AUTHOR, WRITTEN, SOURCE)

BOT = """
import sys
from arena import Bot, run

class ZyxsourceBot(Bot):
    author = "Zyxauthor"
    number = {number}

    def game_begins(self):
        self.luck = self.random.random()

    def numbers(self):
        return {{"zyxsource": 1}}

    def choose_shots(self, count):
        if 0.52 < self.luck < 0.66 or 0.75 < self.luck < 0.91:
            sys.stderr.write("zyx" + "written " * 3)
            raise ValueError("zyx" + "written")
        return self.untried[:count]

run(ZyxsourceBot)
"""
"""It forfeits some games, and none of a check, whose seeds are the same each time."""

TWIN = """
from arena import Bot, run

class Twin(Bot):
    def choose_shots(self, count):
        return self.untried[-count:]

run(Twin)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a league in which somebody did all that leaves traces; nobody serves it."""
    folder = tmp_path_factory.mktemp("forgetting") / "league"
    charter = Charter(
        rules=preset("ramesh-1"),
        seed="1234567890123456789",
        games=4,
        layouts=2,
        anchor=Anchor(bot="hunt_target@1"),
        times=Settings(load_s=300.0, move_s=300.0, game_s=600.0),
    )
    league = League(folder, charter, bundled_bots())
    for name in ("hunt_target", "uniform_random"):
        with league.candidate(bundled_bots()[name], name) as candidate:
            league.admit(candidate)
    with Database(folder) as db:
        clear_leftovers(folder)
        ada = _visitor(db, LABEL)
        bob = _visitor(db, "bob")
        for text in (BOT.format(number=1), TWIN, BOT.format(number=2), BOT.format(number=3)):
            _enter(db, league, ada, NAME, text)
        _enter(db, league, bob, "bob", TWIN)
        _submit(db, folder, ada, NAME, SOURCE)  # it waits
        refused = take_next(db)
        assert refused is not None
        add_step(db, refused, {"number": 1, "verdict": "failed", "detail": WRITTEN})
        finish(db, refused, "refused", reason=f"{NAME}.py: {WRITTEN}")
        _submit(db, folder, ada, NAME, SOURCE)
        allow_late(db, invites(db)[0].id, allowed=True)
        join_session(db, None, ada.keys[0])
        set_unstartable(db, {f"{NAME}@4": WRITTEN})
        db.announce("block", bots=[f"{NAME}@4", "bob@1"], games=2)
    with pytest.MonkeyPatch.context() as patch:
        words = ["submit", "--league", str(folder), "--isolation", "none"]
        patch.setattr(sys, "argv", ["salvo", *words])
        with pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code
    league.pack_idle()
    rate_again(folder)
    league.leave_out(NAME, "bob")
    _play_unrated(folder, ada.keys[0].id)
    amend(folder, "secrets", [f"{NAME}=ZYX_KEY", "bob=OTHER_KEY"])
    (folder / "register.json.new").write_text(NAME)
    (folder / "serve" / "uploads" / ".part").write_text(SOURCE)
    (folder / "serve" / "unpacked" / NAME).mkdir(parents=True)
    return folder


def _visitor(db: Database, label: str) -> Visitor:
    key = find_key(db, new_invite(db, label))
    assert key is not None
    return Visitor((key,))


def _submit(db: Database, league: Path, visitor: Visitor, name: str, text: str) -> None:
    upload = league / "serve" / "uploads" / "came"
    upload.write_text(text)
    submit(db, league, visitor, name=name, file=".py", address="192.0.2.1", upload=upload)


def _enter(db: Database, league: League, visitor: Visitor, name: str, text: str) -> None:
    """Enter a bot as a check that it passes does."""
    _submit(db, league.folder, visitor, name, text)
    one = take_next(db)
    assert one is not None
    path = league.folder.parent / f"{name}.py"
    path.write_text(text)
    with league.candidate(path, name) as candidate:
        finish(db, one, "accepted", entry=league.admit(candidate).full_name)


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def _play_unrated(folder: Path, author: int) -> None:
    """Leave traces of a challenge, a person's game and an analysis."""
    bot, address = f"{NAME}@1", "192.0.2.1"
    with Challenges(folder) as challenges:
        found = challenges.begin(author, bot, "hunt_target@1")
        challenges.execute("INSERT INTO challenge_games VALUES ('game', ?, ?)", (found, WRITTEN))
    with HumanGames(folder) as games:
        games.begin(bot=bot, seat="first", player="somebody", address=address, places=1)
    with Analyses(folder) as analyses:
        analyses.ask("game", address)
        analyses.finish("game", "done", bot)


@pytest.fixture(scope="module")
def rated(played: Path) -> dict[str, str]:
    """Return its ratings."""
    return ratings(played, NAME)


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "league", symlinks=True))


def traces(folder: Path) -> set[tuple[str, str]]:
    """Return which of what was told is in which file of a folder, also where that is packed."""
    found = set()
    # A server that runs removes files and folders meanwhile.
    inside = (
        Path(place, name)
        for place, folders, files in os.walk(folder)
        for name in (*folders, *files)
    )
    for path in inside:
        data = str(path.relative_to(folder)).encode()
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            data += path.read_bytes()
        if path.name.endswith(".tar.gz"):
            with tarfile.open(path) as file:
                for member in file:
                    data += member.name.encode() + (file.extractfile(member) or io.BytesIO()).read()
        if path.name == "salvo.sqlite3":
            with contextlib.closing(sqlite3.connect(path)) as db:
                for row in db.execute("SELECT layouts, steps FROM games"):
                    data += b"".join(map(inflated, row))
        found |= {(one, path.name) for one in TOLD if one.lower().encode() in data.lower()}
    return found


def forgotten(league: Path) -> str:
    with Database(league) as db:
        return forget(db, league, NAME)


def ratings(league: Path, former: str) -> dict[str, str]:
    """Return the rating of every version with its interval, and what was NAME's as `former`."""
    folder = open_league(league)
    with Store(folder.record, create=False) as store:
        standing = league_standing(folder, store, all_versions=True)
    assert standing.ratings is not None
    return {
        str(row["bot"]).replace(former, "somebody"): " ".join(
            f"{row[column]:.6f}" for column in ("elo", "low", "high", "games")
        )
        for row in standing.ratings.table.to_dict("records")
    }


def test_there_is_something_to_forget(league: Path) -> None:
    places = {place for _, place in traces(league)}
    assert places >= {"salvo.sqlite3", "book.sqlite3", "register.json", "league.toml"}
    assert {one for one, _ in traces(league)} == set(TOLD)


def test_nothing_of_a_person_is_left_in_any_file(league: Path) -> None:
    assert "deleted-1" in forgotten(league)
    assert traces(league) == set()


def test_games_stay_intact_and_rate_everybody_as_before(
    league: Path, rated: dict[str, str]
) -> None:
    with Store(open_league(league).record, create=False) as store:
        games = {game.fixture.id: (game.layouts, game.steps) for game in store.games("league")}
    forgotten(league)
    with Store(open_league(league).record, create=False) as store:
        store.check_results()
        assert games == {one.fixture.id: (one.layouts, one.steps) for one in store.games("league")}
    assert ratings(league, "deleted-1") == rated


def test_who_submitted_the_same_plays_on(league: Path) -> None:
    forgotten(league)
    found = open_league(league)
    [bob] = [one for one in found.entries if one.name == "bob"]
    assert found.entrant(bob).digest == bob.digest
    assert found.changed() == []


def test_charter_keeps_the_secrets_of_others_and_pairings_stay_left_out(league: Path) -> None:
    forgotten(league)
    found = open_league(league)
    assert found.charter.terms.secrets == ("bob=OTHER_KEY",)
    assert found.left_out == {frozenset({"deleted-1", "bob"})}


@pytest.mark.parametrize("number", range(len(deleting.STEPS)))
def test_same_command_finishes_what_was_killed_before_any_step(
    league: Path, rated: dict[str, str], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    steps = deleting.STEPS
    monkeypatch.setattr(deleting, "STEPS", (*steps[:number], _killed))
    with pytest.raises(KeyboardInterrupt):
        forgotten(league)
    with Database(league) as db, pytest.raises(UserError, match=f"salvo operate forget {NAME}"):
        back_up(db, open_league(league), league.with_name("copy"))
    with Store(open_league(league).record, create=True) as store:
        open_league(league).extend(store)  # as whoever plays meanwhile does
    monkeypatch.setattr(deleting, "STEPS", steps)
    forgotten(league)
    assert traces(league) == set()
    assert ratings(league, "deleted-1") == rated


@pytest.mark.parametrize("after_s", [0.0, 0.02, 0.05])
def test_server_finishes_what_was_killed(league: Path, after_s: float) -> None:
    command = (sys.executable, "-m", "salvo", "operate", "forget", NAME, "--yes", "--league")
    with subprocess.Popen((*command, str(league)), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not (league / "serve" / "forgetting.json").exists():
            time.sleep(0.001)
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
    finish_forgetting(league)
    if any(one.name == NAME for one in open_league(league).entries):  # it had not begun
        forgotten(league)
    assert traces(league) == set()


@pytest.mark.long("a league with all that a person leaves, served twice")
def test_person_is_forgotten_while_bots_play(league: Path, make_server: MakeServer) -> None:
    amend(league, "games", ["400"])
    served = make_server(league, "--public", "--workers", "2")
    code, ada = served.invite("cleo", "another")
    submitted = served.submit("cleo", served.bot.encode(), code)
    assert served.checked(submitted)["entry"] == "cleo@1"
    waits = served.submit("other", TWIN.replace("Twin", "Other").encode(), ada)
    served.until(lambda: _plays(league))
    assert served.get(f"/bots/{NAME}").status == 200
    done = served.post("/api/operate/forget", {"invite": 1}, served.key)
    assert done.status == 200, done
    assert traces(league) == set()
    with Database(league) as db:
        back_up(db, open_league(league), league.with_name("copy"))
    assert traces(league.with_name("copy")) == set()
    assert NAME not in served.get("/").text + served.get("/operate", served.key).text
    assert served.checked(waits)["state"] == "accepted"
    games = _games(league)
    served.until(lambda: _games(league) > games)
    served.until(lambda: {"cleo", "bob"} <= {row["bot"] for row in _elo(served)})
    served.stop()
    assert traces(league) == set()
    with Store(open_league(league).record, create=False) as store:
        store.check_results()


def _elo(served: Served) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = served.get("/api/standings").json["elo"]
    return found


def _plays(league: Path) -> bool:
    with Database(league) as db:
        rows = db.execute("SELECT data FROM events WHERE kind = 'block'").fetchall()
    return any(f"{NAME}@4" in json.loads(data)["bots"] for (data,) in rows[-5:])


def _games(league: Path) -> int:
    with contextlib.closing(sqlite3.connect(league / "salvo.sqlite3")) as db:
        [[games]] = db.execute("SELECT sum(games) FROM blocks")
        return int(games)


@pytest.mark.long("a league with all that a person leaves, served")
def test_invite_and_links_are_void_and_name_is_free(league: Path, make_server: MakeServer) -> None:
    served = make_server(league, "--public")
    [code] = served.invite(LABEL)
    submitted = served.submit("mine", TWIN.encode(), code)
    assert served.checked(submitted)["state"] == "accepted"
    with Database(league) as db:
        number = invites(db)[-1].id
    assert served.post("/api/operate/forget", {"invite": number}, served.key).status == 200
    for key in (code, served.key_of(submitted)):
        assert served.submit("mine", TWIN.encode(), key).status == 401
    with Database(league) as db:
        assert [one.label for one in invites(db)] == [LABEL, "bob"]  # the one of the other name
    [another] = served.invite("another")
    again = served.submit("mine", served.bot.encode(), another)
    assert served.checked(again)["entry"] == "mine@1"


@pytest.mark.parametrize("name", ["nobody", "hunt_target", "uniform_random"])
def test_nobodys_bot_is_refused_in_a_line(league: Path, salvo: Salvo, name: str) -> None:
    done = salvo("operate", "forget", name, "--yes", "--league", str(league))
    assert name in done.mistake


def test_damaged_record_is_refused_and_nothing_is_changed(league: Path) -> None:
    with contextlib.closing(sqlite3.connect(league / "salvo.sqlite3")) as db, db:
        db.execute("UPDATE games SET first_turns = first_turns + 1 WHERE rowid = 1")
    before = {path: path.read_bytes() for path in league.rglob("*.json")}
    with pytest.raises(UserError, match="damaged"):
        forgotten(league)
    assert before == {path: path.read_bytes() for path in league.rglob("*.json")}
    with Database(league) as db:
        assert [one.label for one in invites(db)] == [LABEL, "bob"]


def test_invite_that_was_never_used_is_forgotten_too(league: Path) -> None:
    with Database(league) as db:
        new_invite(db, "Zyxunused")
        number = invites(db)[-1].id
        assert forget(db, league, number) == f"all data of invite {number} are deleted"
        with pytest.raises(UserError, match=f"no invite {number}"):
            forget(db, league, number)
    assert not any(b"Zyxunused" in path.read_bytes() for path in league.rglob("*.sqlite3*"))


def test_who_is_forgotten_cannot_be_forgotten_again(league: Path) -> None:
    forgotten(league)
    for name in (NAME, "deleted-1"):
        with Database(league) as db, pytest.raises(UserError, match=name):
            forget(db, league, name)


def test_server_that_is_started_finishes_what_was_killed(
    league: Path, monkeypatch: pytest.MonkeyPatch, make_server: MakeServer
) -> None:
    monkeypatch.setattr(deleting, "STEPS", (*deleting.STEPS[:2], _killed))
    with pytest.raises(KeyboardInterrupt):
        forgotten(league)
    monkeypatch.undo()
    served = make_server(league, "--public")
    served.until(lambda: not traces(league))
    assert served.get("/bots/deleted-1").status == 200
    assert served.get("/operate/sources?bot=deleted-1@1", served.key).status == 404


def test_neutral_name_is_one_that_nobody_has(league: Path) -> None:
    forgotten(league)
    with Database(league) as db:
        assert "deleted-2" in forget(db, league, "bob")
    assert {one.name for one in open_league(league).entries} == {
        *("hunt_target", "uniform_random", "deleted-1", "deleted-2"),
    }


def test_games_of_others_can_be_played_again(league: Path, salvo: Salvo) -> None:
    forgotten(league)
    [copy] = (league / "bots").rglob("deleted-1.py")  # bob's: the league lies elsewhere now
    words = ("verify", str(league / "salvo.sqlite3"), f"bob@1={copy}", "--isolation", "none")
    done = salvo(*words)
    assert done.code == 0, done.err
    assert "deleted-1@1" in done.err


def test_it_is_asked_first(league: Path) -> None:
    command = (sys.executable, "-m", "salvo", "operate", "forget", NAME, "--league", str(league))
    done = subprocess.run(command, input="n\n", capture_output=True, text=True, check=False)
    assert done.returncode == 130  # as after Ctrl-C
    assert NAME in done.stderr
    assert traces(league)
