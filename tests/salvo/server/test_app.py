"""What the pages and the API answer, asked without a server: what is limited, kept and whose."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import StorageError, UserError
from arena.records import Termination
from arena.store import Summary
from salvo.server.database.human_games import HumanGames
from salvo.server.database.keys import add_key, find_key, new_invite, visitor_of
from salvo.server.database.server_database import Database, folder_of, now
from salvo.server.leagues import open_league
from salvo.server.web import sharing, shown_games, submitting
from salvo.server.web.api import Api
from salvo.server.web.app import static_files
from salvo.server.web.guard import Policy
from salvo.server.web.handling import Context
from salvo.server.web.wheel import own_wheel
from tests.salvo.server.asking import Answer, Site
from tests.salvo.server.conftest import Clock

POLICY = Policy(hosts=frozenset({"here"}), public=True)
BROWSER = {"origin": "http://here:81", "accept": "text/html"}
A_MONTH_S, A_TERM_S = 2_592_000, 10_368_000


@pytest.fixture
def site(league: Path) -> Site:
    return Site(league)


def test_files_of_pages_are_kept_for_a_day_under_the_name_of_their_version(site: Site) -> None:
    files, version = static_files()
    assert (len(files), len(version)) == (10, 12)
    for name, (data, kind) in files.items():
        for path in (f"/static/{name}", f"/static/{version}/{name}"):
            answer = site.ask(path)
            assert (answer.status, answer.body) == (200, data)
            assert answer.headers["cache-control"] == "public, max-age=86400"
            assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
    assert site.ask("/static/nothing.js").refusal == (404, "there is no such file")
    assert site.ask("/static/").refusal == (404, "there is no such page")


def test_wheel_is_handed_out_a_hundred_times_at_once_and_then_once_a_second(
    league: Path, clock: Clock
) -> None:
    wheel = own_wheel()
    if wheel is None:
        pytest.skip("Salvo is not installed here, but only lies here")
    site = Site(league, public=False)
    assert [site.ask(f"/{wheel.file}").status for _ in range(101)] == [200] * 100 + [429]
    clock.now += 1.0
    assert site.ask(f"/{wheel.file}").body == wheel.data
    told = "the wheel was asked for too often from this address; wait a minute"
    assert site.ask(f"/{wheel.file}").refusal == (429, told)


def test_twenty_wrong_keys_are_tried_and_then_one_every_three_seconds(
    site: Site, clock: Clock
) -> None:
    def tried(key: str, **more: str) -> tuple[int, str]:
        return site.ask("/api/operate", authorization=f"Bearer {key}", **more).refusal

    unknown = (401, "this key is not known here; it may have been revoked")
    too_many = (429, "too many wrong keys come from this address; wait a minute")
    assert [tried(str(number)) for number in range(21)] == [unknown] * 20 + [too_many]
    clock.now += 2.75
    assert tried("a") == too_many
    clock.now += 0.25
    assert site.ask("/enter?key=a").refusal == (
        403,
        "this link or code is not known here; ask the operator for another",
    )
    assert site.ask("/enter?key=a").refusal == too_many
    assert site.ask("/api/operate", authorization="Basic a").status == 403  # no key at all


@pytest.mark.parametrize("is_secure", [False, True])
def test_key_becomes_a_session_of_the_browser_until_it_leaves(
    league: Path,
    is_secure: bool,  # noqa: FBT001 - a case
) -> None:
    site = Site(league, public=False, trusted=("192.0.2.2",))
    proto = {"x-forwarded-proto": "https"} if is_secure else {}
    prefix = "__Host-" if is_secure else ""
    session, held = f"{prefix}salvo_session_81", f"{prefix}salvo_held_81"
    with Database(league) as db:
        operator, code = add_key(db, "operate"), new_invite(db, "Ada")
    entered = site.ask(f"/enter?key=%20{operator}%20", **proto)
    assert (entered.status, entered.headers["location"]) == (303, "/entered/operate")
    settings = {"HttpOnly", "Path=/", f"Max-Age={A_TERM_S}", *(["Secure"] if is_secure else [])}
    assert list(entered.cookies) == [session, held]
    secret, told = entered.cookies[session]
    assert told == settings | {"SameSite=strict"}
    assert entered.cookies[held] == ("operate", settings | {"SameSite=lax"})
    cookie = {"cookie": f"{session}={secret}", **proto}
    assert site.ask("/api/operate", **cookie).status == 200
    assert site.ask("/api/standings", **cookie).status == 200
    assert site.ask("/api/standings", **proto).status == 401
    own = {"origin": "https://here:81" if is_secure else "http://here:81"}
    joined = site.ask("/api/enter", {"key": code}, **cookie, **own)
    assert joined.json == {"done": "the link is used"}
    assert joined.cookies[held][0] == "operate"
    cookie["cookie"] = f"{session}={joined.cookies[session][0]}"
    left = site.ask("/api/leave", {}, **cookie, **own)
    assert (left.status, left.headers["location"]) == (303, "/")
    assert {name: secret for name, (secret, _) in left.cookies.items()} == {
        session: '""',
        held: '""',
    }
    assert all("Max-Age=0" in told for _, told in left.cookies.values())
    assert site.ask("/api/operate", **cookie).status == 403


def test_author_submits_ten_bots_at_once_and_then_one_a_minute(site: Site, clock: Clock) -> None:
    (folder_of(site.league) / "uploads").mkdir(parents=True, exist_ok=True)
    with Database(site.league) as db:
        ada, bob = new_invite(db, "Ada"), new_invite(db, "Bob")

    def submitted(code: str, body: bytes = b"", name: str = "ada") -> Answer:
        path = f"/api/bots?name={name}&file=bot.py"
        return site.ask(path, body, authorization=f"Bearer {code}")

    empty = (400, "the body is empty; send the file of the bot as the body")
    too_many = (429, "too many bots come from you; wait some minutes")
    assert [submitted(ada).refusal for _ in range(11)] == [empty] * 10 + [too_many]
    clock.now += 59.0
    assert submitted(ada).refusal == too_many
    clock.now += 1.0
    done = submitted(ada, b"a bot")
    assert done.status == 202
    assert done.json["page"] == f"http://here:81/submissions/{done.json['id']}"
    assert done.json["state"] == f"http://here:81/api/submissions/{done.json['id']}"
    assert done.json["link"].startswith("http://here:81/enter?key=")
    assert done.cookies == {}
    [file] = (folder_of(site.league) / "uploads").iterdir()
    assert (file.name, file.read_bytes()) == (done.json["id"], b"a bot")
    assert file.stat().st_mode & 0o777 == 0o600
    assert submitted(ada).refusal == too_many
    assert submitted(bob, name="bob").refusal == empty


def test_browser_that_submits_a_new_name_is_its_author_at_once(site: Site) -> None:
    (folder_of(site.league) / "uploads").mkdir(parents=True, exist_ok=True)
    with Database(site.league) as db:
        code = new_invite(db, "Ada")
    path = "/api/bots?name=ada&file=My.Bot.TAR.GZ"
    more = {"authorization": f"Bearer {code}", "cookie": "a=b", "origin": "http://here:81"}
    done = site.ask(path, b"a bot", **more)
    with Database(site.league) as db:
        known = visitor_of(db, done.cookies["salvo_session_81"][0])
        assert [(key.right, key.name) for key in known.keys] == [("author", "ada")]
        assert db.execute("SELECT file FROM submissions").fetchall() == [(".tar.gz",)]
    with Database(site.league) as db:
        entry = open_league(site.league).entries[0]
        db.execute("UPDATE names SET name = ?", (entry.name,))
    path = path.replace("ada", entry.name)
    again = site.ask(path, b"a bot", **more)  # who is in the league has a link already
    assert (again.json["link"], again.cookies) == (None, {})


class Person:
    """A browser in which somebody plays."""

    def __init__(self, site: Site) -> None:
        self.site, self.cookie, self.settings = site, "a=b", set[str]()

    def ask(self, path: str, body: object = None) -> Answer:
        return self.site.ask(path, body, cookie=self.cookie, **BROWSER)

    def begin(self, bot: str, seat: str = "") -> Answer:
        done = self.ask("/api/play", {"bot": bot, "seat": seat})
        if done.status == 200:
            secret, self.settings = done.cookies["salvo_player_81"]
            self.cookie = f"salvo_player_81={secret}"
        return done

    def act(self, game: str, number: int, **action: object) -> Answer:
        return self.ask(f"/api{game}", {"number": number, "action": {"id": ""} | action})


STORAGE = "the server cannot write its files; its operator can see why"
BUG = "the server failed, which is a bug in it; its operator can see why"
LAYOUT = {"Ship of 4": [0, 1, 2, 3]}
YOUR_TURN = (409, "it is not your turn")
ELSEWHERE = (409, "the game went on elsewhere, as in another window; look again")


def test_person_places_and_waits_for_the_bot(site: Site) -> None:
    ada, bob = Person(site), Person(site)
    game = ada.begin("hunt_target@1", "first").json["page"]
    assert ada.settings == {"HttpOnly", "Path=/", f"Max-Age={A_MONTH_S}", "SameSite=strict"}
    assert ada.ask(f"/api{game}").json["asked"] == {"kind": "place"}
    assert ada.act(game, 1, type="layout", ships=LAYOUT).refusal == ELSEWHERE
    refused = ada.act(game, 0, type="layout", ships={"Ship of 4": [0, 1, 2, 9]})
    assert refused.status == 400
    assert "Ship of 4" in refused.json["error"]
    assert ada.act(game, 0, type="shots", cells=[1]).status == 400
    placed = ada.act(game, 0, type="layout", ships=LAYOUT).json
    assert (placed["number"], placed["own"], placed["asked"]) == (1, "ssss" + 12 * "w", None)
    assert ada.act(game, 1, type="shots", cells=[1]).refusal == YOUR_TURN
    others = (403, "this game is somebody else's: it can be watched once it is over")
    assert bob.ask(f"/api{game}").refusal == others
    bob.begin("hunt_target@1")
    assert bob.ask(f"/api{game}").refusal == others
    assert site.ask(f"/api{game}").refusal == others
    assert bob.ask(game).status == 403
    page = ada.ask(game).text
    assert "hunt_target" in page
    assert "hunt_target@1" not in page.partition("<main")[2].partition("<script")[0]
    assert ada.ask("/play").text.count(f'href="{game}"') == 1
    assert f'href="{game}"' not in bob.ask("/play").text
    assert ada.ask(f"/api{game}/leave", {}).json == {"done": "you left the game"}
    gone = (404, "there is no such game; it may have been left")
    assert ada.ask(f"/api{game}").refusal == gone


def test_person_alone_shoots_at_once_and_hears_what_can_be_known(site: Site) -> None:
    ada = Person(site)
    game = ada.begin("", "second").json["page"]
    shot = ada.act(game, 0, type="shots", cells=[5]).json
    assert (shot["number"], shot["asked"]) == (1, {"kind": "shoot", "shots": 1})
    assert shot["theirs"][5] in "mh"
    assert ada.act(game, 0, type="shots", cells=[6]).refusal == ELSEWHERE
    assert ada.act(game, 1, type="shots", cells=[5]).status == 400
    assert ada.ask(f"/api{game}/coach", {}).json == {
        "number": 1,
        "done": False,
        "cells": None,
        "told": [],
    }
    assert len(ada.ask(f"/api{game}/layout").json["ships"]["Ship of 4"]) == 4


@pytest.mark.parametrize(
    ("chosen", "drawn", "seat"),
    [("", 1, "first"), ("", 0, "second"), ("first", 0, "first"), ("second", 1, "second")],
)
def test_seat_is_drawn_where_none_is_chosen(
    site: Site, monkeypatch: pytest.MonkeyPatch, chosen: str, drawn: int, seat: str
) -> None:
    monkeypatch.setattr("secrets.randbits", lambda _: drawn)
    game = Person(site).begin("hunt_target@1", chosen).json["page"].rpartition("/")[2]
    with HumanGames(site.league) as games:
        found = games.find(game)
    assert found is not None
    assert found.seat == seat


def test_nobody_plays_whom_one_cannot_meet_or_where_the_operator_lets_nobody(site: Site) -> None:
    person = Person(site)
    refused = person.begin("nobody@1").refusal
    assert refused == (403, "you cannot play against 'nobody@1' here")
    with Database(site.league) as db:
        db.settle("people", "0")
    assert person.begin("hunt_target@1").refusal == (
        403,
        "people do not play here: the operator has turned that off",
    )
    with Database(site.league) as db:
        db.settle("people", "1")
    assert person.begin("hunt_target@1").status == 200
    assert Person(site).begin("hunt_target@1").status == 503


def test_link_of_a_bot_is_for_its_author_whoever_has_the_invite(site: Site) -> None:
    with Database(site.league) as db:
        code = new_invite(db, "Ada")
        key = find_key(db, code)
        assert key is not None
        assert site.ask(f"/enter?key={code}").headers["location"] == "/entered/submit"
        db.execute("INSERT INTO names (name, invite) VALUES ('hunt_target', ?)", (key.id,))
    assert site.ask(f"/enter?key={code}").headers["location"] == "/entered/author"
    bearer = {"authorization": f"Bearer {code}"}
    assert site.ask("/mine", **bearer).headers["location"] == "/mine/hunt_target"
    assert site.ask("/mine/hunt_target", **bearer).status == 200
    assert site.ask("/mine/uniform_random", **bearer).status == 403
    done = site.ask("/api/bots/hunt_target/withdraw", {}, **bearer)
    assert done.json == {"done": "hunt_target@1 is withdrawn"}


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (OSError(errno.ENOSPC, "full"), 507, STORAGE),
        (OSError(errno.EROFS, "read-only"), 507, STORAGE),
        (OSError(errno.EIO, "broken"), 500, BUG),
        (StorageError("the disk is full"), 507, STORAGE),
        (UserError("FOLDER/league.toml: why"), 400, "league.toml: why"),
        (ValueError("FOLDER"), 500, BUG),
    ],
)
def test_mistakes_are_told_and_what_the_disk_or_the_server_lacks_is_for_the_operator(
    site: Site, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, told: str
) -> None:
    def fail(_: Path) -> None:
        raise type(error)(*(str(one).replace("FOLDER", str(site.league)) for one in error.args))

    def fail_by_number(_: Path) -> None:
        raise error

    failing = fail if isinstance(error, UserError) else fail_by_number
    monkeypatch.setattr("salvo.server.web.handling.open_league", failing)
    assert site.ask("/api/league").refusal == (status, told)


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/games", {"name": None, "before": None, "most": 50}),
        ("/games?bot=ada&before=3", {"name": "ada", "before": 3, "most": 50}),
        ("/bots/hunt_target", {"name": "hunt_target", "most": 20}),
        ("/api/games", {"name": None, "before": None, "most": 100}),
        ("/api/games?bot=ada&limit=1000&before=1", {"name": "ada", "before": 1, "most": 1000}),
    ],
)
def test_so_many_games_are_listed_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch, path: str, asked: dict[str, object]
) -> None:
    seen: list[dict[str, object]] = []

    def recent(_: object, **wanted: object) -> list[object]:
        seen.append(wanted)
        return []

    monkeypatch.setattr(shown_games, "recent", recent)
    assert site.ask(path, accept="text/html").status == 200
    assert seen == [asked]


@pytest.mark.parametrize(("count", "has_more"), [(49, False), (50, True)])
def test_page_of_games_leads_to_those_before_where_it_is_full(
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
    has_more: bool,  # noqa: FBT001 - a case
) -> None:
    games = [
        Summary(f"{number:016}", "a@1", None, "first", Termination.SUNK, None, 9, 100 - number)
        for number in range(count)
    ]
    monkeypatch.setattr(shown_games, "recent", lambda *_, **__: games)
    page = site.ask("/games", accept="text/html").text
    assert page.count('href="/games/00') == count
    assert ("before=51" in page) == has_more
    assert site.ask("/api/games").json["before"] == 101 - count


def drawn(site: Site, game: str, name: str) -> Answer:
    return site.ask(f"/games/{game}/{name}")


def test_games_are_drawn_once_and_twenty_at_once_for_an_address(
    league: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def draw(replays: str) -> bytes:
        made.append(replays)
        return replays.encode()

    monkeypatch.setattr(sharing, "_KEPT", 3)
    kinds = {name: (f"image/{name[-3:]}", draw) for name in sharing._DRAWINGS}
    monkeypatch.setattr(sharing, "_DRAWINGS", kinds)
    monkeypatch.setattr(sharing.Sharing, "_replay", lambda _, game: (f"{game}-long", [game]))
    site = Site(league)
    first = drawn(site, "0", "game.svg")
    assert (first.status, first.body) == (200, b"0")
    assert first.headers["content-type"] == "image/svg"
    assert first.headers["cache-control"] == "private, max-age=86400"
    assert first.headers["content-disposition"] == 'attachment; filename="0-long.svg"'
    assert "content-disposition" not in drawn(site, "1", "picture.svg").headers
    for game in ("2", "0", "1", "2"):
        assert drawn(site, game, "game.svg" if game == "0" else "picture.svg").status == 200
    assert made == ["0", "1", "2"]
    drawn(site, "3", "game.svg")
    drawn(site, "0", "game.svg")  # it left the shelf
    assert made == ["0", "1", "2", "3", "0"]
    told = [drawn(site, f"{number}", "game.svg").status for number in range(10, 26)]
    assert told == [200] * 15 + [429]
    clock.now += 4.75
    assert drawn(site, "26", "game.svg").status == 429
    clock.now += 0.25
    assert drawn(site, "26", "game.svg").status == 200
    monkeypatch.setattr(sharing, "CAN_DRAW", False)
    why = (404, "this server draws SVG alone: its operator can install 'draw'")
    assert drawn(site, "26", "game.gif").refusal == why
    assert drawn(site, "26", "picture.png").refusal == why
    assert drawn(site, "26", "game.svg").status == 200


def test_no_two_bots_of_an_author_come_in_at_once_and_no_more_than_eight_of_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder_of(site.league) / "uploads").mkdir(parents=True, exist_ok=True)
    with Database(site.league) as db:
        code = new_invite(db, "Ada")
        key = find_key(db, code)
        assert key is not None
    receiving: set[int] = set()
    monkeypatch.setattr(submitting, "set", lambda: receiving, raising=False)
    site = Site(site.league)

    def submitted() -> tuple[int, str]:
        path = "/api/bots?name=ada&file=bot.py"
        return site.ask(path, b"", authorization=f"Bearer {code}").refusal

    receiving.add(key.id)
    told = "another bot of yours comes in at this moment; wait for it"
    assert submitted() == (429, told)
    receiving.clear()
    receiving.update(range(1001, 1008))
    assert submitted()[0] == 400
    receiving.add(1008)
    told = "too many bots come in at this moment; try again in a minute"
    assert submitted() == (503, told)
    assert receiving == set(range(1001, 1009))


def test_game_that_is_over_is_its_players_to_look_back_at_and_others_watch_it(site: Site) -> None:
    ada, bob = Person(site), Person(site)
    game = ada.begin("").json["page"]
    bob.begin("hunt_target@1")
    with HumanGames(site.league) as games:
        games.finish(game.rpartition("/")[2], "over")
    assert ada.ask(game).status == 200
    for other in (bob.ask(game), site.ask(game)):
        assert (other.status, other.headers["location"]) == (303, game.replace("play", "games"))


@pytest.mark.parametrize(("after_s", "rows"), [(600.0, ["a", "b"]), (600.5, ["a"])])
def test_download_of_all_games_takes_ten_minutes_at_most(
    site: Site,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    after_s: float,
    rows: list[str],
) -> None:
    def parts(_: Path) -> Iterator[str]:
        yield "a"
        clock.now += after_s
        yield "b"

    monkeypatch.setattr("salvo.server.web.api.games_csv", parts)
    lines = Api(Context(site.league, POLICY, ""))._lines()
    found = []
    with contextlib.suppress(TimeoutError):
        for part in lines:
            found.append(part)  # noqa: PERF402 - it may fail in the middle
    assert found == rows


def test_sources_of_two_versions_are_shown_side_by_side(site: Site) -> None:
    with Database(site.league) as db:
        bearer = {"authorization": f"Bearer {add_key(db, 'operate')}", "accept": "text/html"}
    names = ["hunt_target@1", "uniform_random@1", "hunt_target@1"]
    for count in (1, 2, 3):
        query = "&".join(f"bot={name}" for name in names[:count])
        page = site.ask(f"/operate/sources?{query}", **bearer).text
        assert page.count("<h2") == min(count, 2)


def test_author_sees_twenty_submissions_of_a_bot(site: Site) -> None:
    with Database(site.league) as db:
        code = new_invite(db, "Ada")
        key = find_key(db, code)
        assert key is not None
        db.execute("INSERT INTO names (name, invite) VALUES ('ada', ?)", (key.id,))
        for number in range(24):
            db.execute(
                "INSERT INTO submissions (id, name, address, file, at) VALUES (?, ?, ?, ?, ?)",
                (str(number), "ada", "", "py", now()),
            )
    page = site.ask("/mine/ada", authorization=f"Bearer {code}").text
    assert page.count('href="/submissions/') == 20
