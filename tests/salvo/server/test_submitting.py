"""Bots are submitted, checked, played and rated; what is their author's alone stays so."""

import io
import json
import random
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

Served = Any

SPY = """
import os
import socket
import sys

from arena import Bot, run


class Spy(Bot):
    def choose_shots(self, count):
        for place in (".", "/", os.path.expanduser("~")):
            try:
                open(os.path.join(place, "escaped"), "w").close()
                raise SystemExit("it wrote " + place)
            except OSError:
                pass
        try:
            socket.create_connection(("127.0.0.1", 80), 1)
            raise SystemExit("it reached the network")
        except OSError:
            pass
        return self.untried[:count]


run(Spy)
"""
CRASH = """
from random import Random

from arena import Bot, run

FIRST, SECOND = 4503599627370497, 9007199254740991
OF_A_CHECK = [*range(FIRST, FIRST + 10), *range(SECOND - 9, SECOND + 1)]


class Crash(Bot):
    games = 0

    def game_begins(self):
        self.games += 1
        drawn = self.random.random()
        self.checked = any(drawn == Random(seed).random() for seed in OF_A_CHECK)

    def choose_shots(self, count):
        if len(self.untried) < 12 and not self.solo and self.games > 1 and not self.checked:
            raise ValueError("my secret")
        return self.untried[:count]


run(Crash)
"""


@pytest.fixture(scope="module")
def served(paused: Served) -> Served:
    """Return a league in which bots are checked, and play nothing."""
    return paused


@pytest.fixture(scope="module")
def playing(serve: Callable[..., Served]) -> Served:
    """Return one in which they play."""
    return serve("--public")


def zipped(**files: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "."), text)
    return data.getvalue()


def standing(served: Served) -> dict[str, Any]:
    return {row["bot"]: row for row in served.get("/api/standings").json["elo"]}


def blocks(league: Path) -> Counter[tuple[str, int]]:
    with closing(sqlite3.connect(league / "salvo.sqlite3")) as db, db:
        rows = db.execute("SELECT entrants, number FROM blocks").fetchall()
        games = db.execute("SELECT count(*), count(DISTINCT id) FROM games").fetchone()
    assert games[0] == games[1]
    return Counter(rows)


def test_bot_is_checked_then_played_unless_paused_and_rated_until_it_is_withdrawn(
    playing: Served,
) -> None:
    assert playing.post("/api/operate/pause", {}, playing.key).status == 200
    [code] = playing.invite("Ada")
    submitted = playing.submit("ada", zipped(bot__py=playing.bot), code, "bot.zip")
    author = playing.key_of(submitted)
    told = playing.checked(submitted)
    assert told["state"] == "accepted"
    assert [step["verdict"] for step in told["steps"]] == ["ok"] * 13
    # Whatever was in play before it paused does not have the newcomer in it.
    assert not [one for one, _ in blocks(playing.league) if "ada" in one]
    playing.post("/api/operate/workers", {"count": 2}, playing.key)
    playing.post("/api/operate/resume", {}, playing.key)
    playing.until(lambda: "ada" in standing(playing))
    assert playing.get("/api/operate", playing.key).json["workers"] == 2
    # Everybody knows the steps, and their author what they said.
    path = f"/api/submissions/{submitted.json['id']}"
    assert "detail" not in playing.get(path).json["steps"][0]
    assert "A. Student" in playing.get(path, author).json["steps"][0]["detail"]
    # How it fares is on its page, and where its steps were shown.
    own = f"/submissions/{submitted.json['id']}"
    playing.until(lambda: "ada is number" in playing.get(own, Accept="text/html").text)
    assert "by A. Student" in playing.until(
        lambda: (page := playing.get("/bots/ada", Accept="text/html")).status == 200 and page.text
    )
    done = playing.post("/api/bots/ada/withdraw", {}, author)
    assert done.json == {"done": "ada@1 is withdrawn"}
    playing.until(lambda: "ada" not in standing(playing))


def test_invite_is_the_login_of_its_author(served: Served) -> None:
    [code] = served.invite()
    first = served.submit("eve", served.bot.encode(), code)
    secret = served.key_of(first)
    assert served.checked(first)["state"] == "accepted"
    better = served.bot.replace("[:count]", "[-count:]").encode()
    [other] = served.invite()
    assert served.submit("eve", better, other).status == 403
    assert served.submit("other", better, code).status == 403  # one name each
    for key, version, entry in ((code, better, "eve@2"), (secret, b"no bot", "")):
        again = served.submit("eve", version, key)
        assert again.json["link"] is None
        assert served.checked(again)["entry"] == entry
        own = served.get("/mine/eve", key, Accept="text/html")
        assert own.status == 200
        assert "A new version" in own.text
    assert served.get("/mine/eve", other, Accept="text/html").status == 403
    states = {one["bot"]: one["state"] for one in served.get("/api/bots").json}
    assert (states["eve@1"], states["eve@2"]) == ("replaced", "current")


def test_lost_link_of_an_invite_is_replaced_and_the_old_ones_are_void(served: Served) -> None:
    [code] = served.invite("forgetful")
    submitted = served.submit("forgetful", served.bot.encode() + b"# mine", code)
    secret = served.key_of(submitted)
    assert served.checked(submitted)["state"] == "accepted"
    entered = served.get(f"/enter?key={code}", Accept="text/html")
    assert (entered.status, entered.headers["location"]) == (303, "/entered/author")
    cookie = entered.headers["set-cookie"].partition(";")[0]
    assert served.get("/mine/forgetful", Cookie=cookie).status == 200
    [number] = [
        one["id"]
        for one in served.get("/api/operate", served.key).json["invites"]
        if one["label"] == "forgetful"
    ]
    made = served.post("/api/operate/renew", {"invite": number}, served.key)
    assert made.json["label"] == "forgetful"
    for void in (code, secret):
        assert served.get("/mine/forgetful", void).status == 401
    assert served.get("/mine/forgetful", Cookie=cookie).status == 403
    assert served.get("/mine/forgetful", made.json["code"]).status == 200
    assert served.post("/api/operate/renew", {"invite": 10**6}, served.key).status == 404
    served.post("/api/operate/revoke", {"invite": number}, served.key)
    assert served.post("/api/operate/renew", {"invite": number}, served.key).status == 403


def test_link_of_somebody_else_is_asked_about_before_it_is_used(served: Served) -> None:
    one, other = served.invite("one", "other")
    entered = served.get(f"/enter?key={one}", Accept="text/html")
    cookie = entered.headers["set-cookie"].partition(";")[0]
    again = served.get(f"/enter?key={one}", Cookie=cookie, Accept="text/html")
    assert again.status == 303
    cookie = again.headers["set-cookie"].partition(";")[0]
    asked = served.get(f"/enter?key={other}", Cookie=cookie, Accept="text/html")
    assert asked.status == 200
    assert "The link is for somebody who is invited." in asked.text
    assert "Use the link too" in asked.text


def test_bot_that_fails_its_check_is_refused_and_its_name_is_free_again(served: Served) -> None:
    [code] = served.invite()
    cheat = served.bot.replace("self.untried[:count]", "[0]").encode()
    told = served.checked(served.submit("cheat", cheat, code))
    assert told["state"] == "refused"
    assert "it fails its check" in told["reason"]
    assert [step["verdict"] for step in told["steps"]].count("failed") == 1
    assert "cheat" not in served.get("/api/bots").text
    assert served.submit("honest", b"no bot", code).status == 202


def test_reason_of_a_refusal_is_told_by_the_invite_that_submitted_it(served: Served) -> None:
    one, other = served.invite("one", "other")
    submitted = served.submit("unwell", b"import nothing_like_it", one)
    assert served.checked(submitted)["state"] == "refused"
    path = f"/api/submissions/{submitted.json['id']}"
    told = served.get(path, one).json
    assert "fails its check" in told["reason"]
    assert any("nothing_like_it" in step.get("stderr", "") for step in told["steps"])
    assert served.get(path, other).json["reason"] == ""
    assert served.get(path).json["reason"] == ""
    accepted = served.submit("unwell", served.bot.encode(), one)
    assert served.checked(accepted)["state"] == "accepted"
    assert "fails its check" in served.get(path, one).json["reason"]
    assert "fails its check" in served.get(path, served.key_of(accepted)).json["reason"]


def test_what_is_refused_says_nothing_of_where_things_lie(served: Served) -> None:
    [code] = served.invite()
    link = zipped(bot__py=served.bot, bot__toml="memory_mb = 100000")
    told = served.checked(served.submit("greedy", link, code, "b.zip"))
    assert told["state"] == "refused"
    assert "memory_mb" in told["reason"]
    assert str(served.league) not in told["reason"]


def test_chat_bot_is_not_started_unless_the_charter_has_the_network(served: Served) -> None:
    [code] = served.invite()
    folder = Path(__file__).parents[3] / "examples" / "chat"
    files = {
        path.name.replace(".", "__"): path.read_text(encoding="utf-8")
        for path in folder.iterdir()
        if path.is_file()
    }
    told = served.checked(served.submit("chat", zipped(**files), code, "chat.zip"))
    assert told["state"] == "refused"
    assert "its TOML asks to reach localhost:8080, and no bot may" in told["reason"]
    assert "steps" not in told or not told["steps"]


def test_what_a_bot_wrote_names_its_files_as_its_author_does(served: Served) -> None:
    [code] = served.invite()
    broken = served.bot.replace("self.untried", "self.untreid").encode()
    [failed] = [
        step
        for step in served.checked(served.submit("broken", broken, code))["steps"]
        if step["verdict"] == "failed"
    ]
    assert 'File "broken.py", line' in failed["stderr"]
    assert str(served.league) not in failed["stderr"]


def test_bot_runs_in_the_sandbox_alone(served: Served) -> None:
    [code] = served.invite()
    told = served.checked(served.submit("spy", SPY.encode(), code))
    assert told["state"] == "accepted", told  # nothing that it tried went through
    assert not list(served.league.rglob("escaped"))


def test_stderr_is_for_its_author_alone(playing: Served) -> None:
    [code] = playing.invite()
    submitted = playing.submit("crash", CRASH.encode(), code)
    assert playing.checked(submitted)["state"] == "accepted"
    author = playing.key_of(submitted)

    def forfeited() -> list[str]:
        games = playing.get("/api/games?bot=crash").json["games"]
        return [game["id"] for game in games if game["termination"] == "exited"]

    [game, *_] = playing.until(forfeited)
    assert "my secret" in playing.get("/mine/crash", author, Accept="text/html").text
    assert "my secret" in playing.get("/mine/crash", code, Accept="text/html").text
    assert playing.get("/mine/crash", playing.invite()[0]).status == 403
    for path in (
        *("/", "/bots/crash", f"/games/{game}", "/games?bot=crash", "/queue"),
        *(f"/api/games/{game}", "/api/games", "/api/bots/crash", "/api/standings"),
        *("/data/games.csv", "/data/elo.csv"),
    ):
        found = playing.get(path, Accept="text/html")
        assert found.status == 200
        assert "secret" not in found.text, path


def test_bot_that_was_banned_stays_out(served: Served) -> None:
    [code] = served.invite()
    submitted = served.submit("bad", served.bot.replace("A.", "B.").encode(), code)
    assert served.post("/api/operate/ban", {"name": "bad"}, served.key).status == 200
    author = served.key_of(submitted)
    better = served.bot.replace("A.", "C.").encode()
    assert served.submit("bad", better, author).status in (401, 429)
    [other] = served.invite()
    assert served.submit("bad", better, other).status == 403
    assert served.submit("bad2", served.bot.encode(), code).status in (401, 429)


def test_nobody_is_not_banned(served: Served) -> None:
    told = served.post("/api/operate/ban", {"name": "nobody"}, served.key)
    assert (told.status, told.json) == (
        400,
        {"error": "no bot of this league is called 'nobody'"},
    )


def test_author_cannot_fill_the_queue(served: Served) -> None:
    [code] = served.invite()
    told = [served.submit("many", f"{served.bot}# {n}".encode(), code) for n in range(4)]
    key = served.key_of(next(one for one in reversed(told) if one.status == 202))
    later = [served.submit("many", f"{served.bot}#{n}".encode(), key).status for n in range(12)]
    assert 429 in later
    served.post("/api/operate/ban", {"name": "many"}, served.key)  # what waits is checked no more


def test_versions_of_one_invite_are_never_rated_against_each_other(playing: Served) -> None:
    [code] = playing.invite()
    first = playing.submit("ann", f"{playing.bot}# first".encode(), code)
    assert playing.checked(first)["state"] == "accepted"
    second = playing.submit("ann", f"{playing.bot}# second".encode(), playing.key_of(first))
    assert playing.checked(second)["entry"] == "ann@2"

    def met() -> list[list[str]]:
        return [json.loads(entrants) for entrants, _ in blocks(playing.league)]

    playing.until(lambda: [one for one in met() if "ann@2" in one and len(one) > 1])
    assert not [one for one in met() if {"ann@1", "ann@2"} <= set(one)]


@pytest.mark.long("the server is killed in each phase")
@pytest.mark.parametrize("moment", ["queued", "playing"])
def test_kill_loses_nothing_and_plays_nothing_twice(
    league_of: Callable[..., Path], make_server: Callable[..., Served], moment: str
) -> None:
    server = make_server(league_of(games=8, block_games=2))
    [code] = server.invite()
    submitted = server.submit("late", server.bot.encode(), code)
    if moment == "playing":
        server.checked(submitted)
        server.until((server.league / "salvo.sqlite3").exists)
        server.until(lambda: blocks(server.league))
    before = blocks(server.league) if moment == "playing" else Counter()
    server.kill()
    server.start(server.port)
    assert server.get("/api/operate", server.key).status == 200
    assert server.checked(submitted)["state"] == "accepted"
    # Three pairings of four blocks, and each of three bots once alone.
    server.until(lambda: len(blocks(server.league)) == 3 * 4 + 3)
    after = blocks(server.league)
    assert set(after.values()) == {1}
    assert set(before) <= set(after)


@pytest.mark.long("a dozen uploads are unpacked and checked")
def test_fuzzed_uploads_leave_no_file_no_process_and_no_bug(served: Served) -> None:
    source = random.Random(5)
    whole = zipped(bot__py=served.bot * 5, note__txt="x" * 500)
    for number, code in enumerate(served.invite(*map(str, range(12)))):
        data = bytearray(whole)
        for _ in range(source.randrange(1, 20)):
            data[source.randrange(len(data))] = source.randrange(256)
        file = source.choice(["b.zip", "b.tar.gz", "b.tgz", "b.py", "b", "../b.zip", "b.e\0e"])
        status = served.submit(f"fuzz{number}", bytes(data), code, quote(file)).status
        assert status in (202, 429)
    served.until(lambda: not served.get("/api/queue").json["waiting"])
    states = {one["state"] for one in served.get("/api/queue").json["done"]}
    assert "failed" not in states
    served.until(lambda: not list((served.league / "serve" / "uploads").iterdir()))
    served.until(lambda: not list((served.league / "serve").glob("unpacked/*")))
    served.until(lambda: not list((served.league / "bots").glob(".*")))


def test_page_for_authors_lists_apart_what_needs_no_package(served: Served) -> None:
    page = served.get("/write", served.key, Accept="text/html").text
    before, rest = page.split("needs no package")
    listed = rest.split("</ul>")[0]
    assert "/write/my_bot.py" in before
    assert "my_bot.py" not in listed
    assert "/write/rows.c" in listed
