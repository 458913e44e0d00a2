"""People play against bots of a served league: to the end, past a killed server, and bounded."""

import json
import os
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from arena.isolation import AUTO, choose
from arena.league import Charter, League
from arena.league.charter import CHARTER, read_charter
from arena.resumed_game import as_line
from arena.rules import (
    Place,
    PlaceRequest,
    Rules,
    Shoot,
    ShootRequest,
    draw,
    name_layout,
    preset,
)
from arena.store import Store
from salvo.bundled import bundled_bots
from salvo.reports.tables.luck_adjustment import luck_of_game
from salvo.server.database import human_games
from salvo.server.database.human_games import HumanGame, HumanGames
from salvo.server.database.keys import Key, Visitor, add_key, new_invite
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.kept_games import sight_of
from salvo.server.leagues import open_league
from salvo.server.web.opponents import opponents
from salvo.server.work.hosting import Hosts
from salvo.server.work.recording import record_into
from tests.salvo.server.asking import Site

Served = Any
CLOCKWORK = """
import os
from arena import Bot, run


class Clockwork(Bot):
    def choose_shots(self, count):
        return sorted(self.untried, key=lambda cell: os.urandom(8))[:count]


run(Clockwork)
"""


@pytest.fixture(scope="module")
def served(paused: Served) -> Served:
    return paused


class Person:
    """A browser without pages: it has a cookie, and sends what a page would."""

    def __init__(self, served: Served, key: str | None = None) -> None:
        self.served, self.key, self.cookie = served, key, ""

    def post(self, path: str, data: object) -> Any:  # noqa: ANN401 - an answer
        headers = {"Content-Type": "application/json", **self.served.bearer(self.key)}
        if self.cookie:
            headers |= {"Cookie": self.cookie, "Origin": f"http://{self.served.host}"}
        answer = self.served.request("POST", path, json.dumps(data).encode(), headers)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def get(self, path: str) -> Any:  # noqa: ANN401 - an answer
        return self.served.get(path, self.key, Cookie=self.cookie)

    def begin(self, bot: str, seat: str = "first") -> str:
        begun = self.post("/api/play", {"bot": bot, "seat": seat})
        assert begun.status == 200, begun
        self.game: str = begun.json["page"].rpartition("/")[2]
        return self.game

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/api/play/{self.game}").json
        return found

    def asked(self) -> dict[str, Any]:
        """Return the game as soon as it is this person's turn, or over."""

        def due() -> dict[str, Any] | None:
            view = self.view()
            return view if view["asked"] or view["state"] != "open" else None

        found: dict[str, Any] = self.served.until(due)
        return found

    def act(self, view: dict[str, Any], action: dict[str, Any]) -> Any:  # noqa: ANN401 - an answer
        path = f"/api/play/{self.game}"
        return self.post(path, {"number": view["number"], "action": {"id": ""} | action})

    def place(self) -> None:
        ships = self.get(f"/api/play/{self.game}/layout").json["ships"]
        assert self.act(self.asked(), {"type": "layout", "ships": ships}).status == 200

    def shoot(self, turns: int = 1000) -> dict[str, Any]:
        """Shoot at one free cell after the other, so many turns or to the end."""
        for _ in range(turns):
            view = self.asked()
            if view["state"] != "open":
                break
            free = [cell for cell, mark in enumerate(view["theirs"]) if mark == "w"]
            shots = free[: view["asked"]["shots"]]
            assert self.act(view, {"type": "shots", "cells": shots}).status == 200
        return self.asked()


def test_game_is_played_to_its_end_and_watched_but_not_rated(served: Served) -> None:
    person = Person(served)
    game = person.begin("uniform_random@1")
    person.place()
    over = person.shoot()
    assert over["state"] == "over"
    assert over["outcome"].startswith(("You win", "You lose"))
    stranger = Person(served)
    page = stranger.get(f"/games/{game}")
    assert page.status == 200
    assert "A person against uniform_random@1" in page.text
    assert stranger.get(f"/play/{game}").headers["location"] == f"/games/{game}"
    assert game not in served.get("/api/games?limit=1000").text
    assert stranger.get(f"/api/games/{game}").json["first"] == "you"


def test_practice_alone_is_a_solo_game(served: Served) -> None:
    person = Person(served)
    game = person.begin("")
    assert person.shoot()["outcome"] == "You win: you sank the whole fleet."
    assert served.get(f"/api/games/{game}").json["second"] is None


@pytest.fixture(scope="module")
def private(serve: Callable[..., Served]) -> Served:
    """Return a league that is not public, and plays nothing of its own."""
    return serve(paused=True)


def test_game_goes_on_where_it_stood_when_the_server_was_killed(private: Served) -> None:
    person = Person(private, private.invite()[0])
    person.begin("hunt_target@1", "second")
    person.place()
    before = person.shoot(3)
    private.kill()
    private.start(private.port)
    assert person.view() | {"id": ""} == before | {"id": ""}
    assert person.shoot()["state"] == "over"


@pytest.mark.long("a server is started twice")
def test_bot_that_goes_by_chance_of_its_own_makes_the_game_void_after_a_restart(
    league: Path, make_server: Callable[..., Served], tmp_path: Path
) -> None:
    bot = tmp_path / "clockwork.py"
    bot.write_text(CLOCKWORK, encoding="utf-8")
    with open_league(league).candidate(bot, "clockwork") as candidate:
        open_league(league).admit(candidate)
    served = make_server(league, "--public")
    person = Person(served)
    person.begin("clockwork@1")
    person.place()
    person.shoot(3)
    served.kill()
    served.start(served.port)
    view = served.until(lambda: None if (now := person.view())["state"] == "open" else now)
    assert view["state"] == "void"
    assert "answered otherwise" in view["outcome"]


def test_only_the_one_who_plays_sees_or_acts(served: Served) -> None:
    person, other = Person(served), Person(served)
    person.begin("uniform_random@1")
    other.begin("uniform_random@1")
    theirs, other.game = other.game, person.game
    for answer in (
        other.get(f"/play/{person.game}"),
        other.get(f"/api/play/{person.game}"),
        other.act({"number": 0}, {"type": "layout", "ships": {}}),
        other.post(f"/api/play/{person.game}/leave", {}),
        other.get(f"/play/{person.game}/news"),
        served.get(f"/api/play/{theirs}"),
    ):
        assert answer.status == 403, answer


def test_what_the_rules_forbid_is_refused_and_nothing_is_lost(served: Served) -> None:
    person = Person(served)
    person.begin("uniform_random@1")
    view = person.asked()
    refused = person.act(view, {"type": "layout", "ships": {"Ship of 4": [0, 1, 2, 9]}})
    assert refused.status == 400
    assert "Ship of 4" in refused.json["error"]
    assert person.act(view, {"type": "shots", "cells": [0]}).status == 400
    assert person.act(view, {"type": "layout", "ships": {}, "more": 1}).status == 400
    assert person.act({"number": 7}, {"type": "layout", "ships": {}}).status == 409
    assert person.asked() == view
    person.place()
    view = person.asked()
    for cells in ([0, 1], [], [16], [-1], [2**60]):
        assert person.act(view, {"type": "shots", "cells": cells}).status == 400
    assert person.asked() == view
    assert person.act(view, {"type": "shots", "cells": [0]}).status == 200
    assert person.act(view, {"type": "shots", "cells": [1]}).status == 409


def test_nothing_that_is_sent_says_where_the_bots_ships_lie(served: Served) -> None:
    person = Person(served)
    game = person.begin("uniform_random@1")
    person.place()
    view = person.asked()
    assert set(view["theirs"]) == {"w"}
    page = person.get(f"/play/{game}").text
    assert page.count("ship") > 0
    theirs = page[page.index('id="theirs"') : page.index('id="own"')]
    assert 'class="s"' not in theirs
    assert served.get(f"/games/{game}").status == 404
    assert served.get(f"/api/games/{game}").status == 404


def test_new_game_takes_the_place_of_the_one_before(served: Served) -> None:
    person = Person(served)
    first = person.begin("uniform_random@1")
    person.begin("uniform_random@1")
    assert person.get(f"/play/{first}").status == 404
    assert person.post(f"/api/play/{person.game}/leave", {}).status == 200
    assert person.get(f"/api/play/{person.game}").status == 404


def test_operator_lets_nobody_play(league: Path) -> None:
    site = Site(league)
    with Database(league) as db:
        operator = add_key(db, "operate")
    done = site.ask("/api/operate/people", {"count": 0}, key=operator)
    assert done.json["done"] == "people play no more"
    refused = site.ask("/api/play", {"bot": "uniform_random@1"}, origin="http://here:81")
    assert refused.status == 403
    assert "turned that off" in refused.json["error"]
    assert "turned that off" in site.ask("/play", accept="text/html").text


def test_league_that_is_not_public_lets_nobody_play_or_watch_without_a_key(private: Served) -> None:
    assert Person(private).post("/api/play", {"bot": "uniform_random@1"}).status == 401
    person = Person(private, private.invite()[0])
    game = person.begin("uniform_random@1")
    person.place()
    private.until(lambda: "A person against uniform_" in person.get("/live").text)
    assert game not in person.get("/live").text
    for path in ("/live", "/live/salvos", "/api/live"):
        assert private.get(path).status == 401


@pytest.fixture
def games(league: Path) -> Iterator[HumanGames]:
    with Database(league):
        pass
    with HumanGames(league) as found:
        yield found


def act(games: HumanGames, game: HumanGame, rules: Rules) -> None:
    """Do what a game asks of its person, if it does: place a fleet, or shoot at untried cells."""
    sight = sight_of(game, rules)
    request, action = sight.state.request, None
    if request is not None and request.seat == game.seat:
        match request:
            case PlaceRequest():
                action = Place(name_layout(rules, draw(rules, Random(1))))
            case ShootRequest(shots=shots):
                free = [cell for cell in range(rules.cells) if cell not in sight.chart.marks]
                action = Shoot(tuple(free[:shots]))
    if action is not None:
        games.append(game.id, game.number, as_line(action), person=True)


def test_game_whose_process_is_killed_between_record_and_end_is_recorded_once(
    games: HumanGames, league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, killed = tmp_path / "record.sqlite3", tmp_path / "killed"
    with Database(league) as db:
        record_into(db, record, "Ada")
    finish = HumanGames.finish

    def killed_once(self: HumanGames, *words: Any, **more: Any) -> None:  # noqa: ANN401 - as they come
        if not killed.exists():  # the process that plays the game, which is forked, is here
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        finish(self, *words, **more)

    monkeypatch.setattr(HumanGames, "finish", killed_once)
    game = games.begin(bot="hunt_target@1", seat="first", player="x", address="192.0.2.1", places=9)
    rules, deadline = preset("ramesh-1"), time.monotonic() + 300
    with Hosts(league, choose(AUTO)) as hosts:
        while (found := games.find(game)) is not None and found.state == "open":
            assert time.monotonic() < deadline
            act(games, found, rules)
            hosts.look_after(0.05)
    assert killed.exists()
    assert found is not None
    assert (found.state, found.reason) == ("over", "")
    with Store(record, create=False) as store:
        [name] = store.tournament_names()
        [once] = store.games(name)
    assert once.fixture.id == game  # by which its person finds it in both places
    assert found.game is not None
    assert once.steps == found.game.steps


def begin(
    games: HumanGames, address: str = "192.0.2.1", places: int = 100, author: int | None = None
) -> str:
    return games.begin(
        bot="b@1",
        seat="first",
        player=secrets.token_hex(),
        address=address,
        places=places,
        author=author,
    )


def test_places_are_bounded_in_all_and_for_an_address(games: HumanGames) -> None:
    for _ in range(human_games._OF_ADDRESS):
        begin(games)
    with pytest.raises(Refusal, match="from this address"):
        begin(games)
    begin(games, "192.0.2.2")
    with pytest.raises(Refusal, match="13 people play at this moment"):
        begin(games, "192.0.2.3", places=13)


def test_games_begun_and_left_count_towards_the_hour_and_the_day(games: HumanGames) -> None:
    for _ in range(human_games.RIVALS_A_DAY):
        games.leave(begin(games, author=1))
    with pytest.raises(Refusal, match="rivals 10 times"):
        begin(games, "192.0.2.2", author=1)
    begin(games, author=2)
    for _ in range(human_games._OF_ADDRESS_AN_HOUR - human_games.RIVALS_A_DAY - 1):
        games.leave(begin(games))
    with pytest.raises(Refusal, match="from this address"):
        begin(games)


def test_quiet_game_gives_its_place_up_and_takes_it_again(games: HumanGames) -> None:
    quiet = begin(games)
    games.execute("UPDATE games SET touched = touched - ?", (human_games.QUIET_S,))
    assert quiet not in games.in_play()
    begin(games, places=1)
    with pytest.raises(Refusal, match="1 people play"):
        games.touch(quiet, "192.0.2.1", 1)
    games.touch(quiet, "192.0.2.1", 2)
    assert quiet in games.in_play()


def test_rivals_are_met_by_authors_in_the_league_where_the_charter_says_so_until_it_closes(
    league: Path,
) -> None:
    with Database(league) as db:
        new_invite(db, "Ada"), new_invite(db, "Bob"), new_invite(db, "Cy")
        db.execute("INSERT INTO names (name, invite) VALUES ('hunt_target', 1)")
        db.execute("INSERT INTO names (name, invite) VALUES ('uniform_random', 2)")
        ada = Visitor((Key(1, "submit", "Ada", "hunt_target"),))

        def met(visitor: Visitor, closed: str = "", **changes: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - fields
            home = open_league(league)
            home.charter = replace(read_charter(league / CHARTER), **changes)
            return [(one.name, one.kind) for one in opponents(db, home, visitor, closed=closed)]

        own, rival = ("hunt_target", "own"), ("uniform_random", "rival")
        assert met(Visitor()) == []
        assert met(ada) == [own]
        assert met(ada, rivals=True) == [own, rival]
        assert met(Visitor(), rivals=True) == []
        refused = Visitor((Key(3, "submit", "Cy", "never_accepted"),))
        assert met(refused, rivals=True) == []
        assert met(ada, rivals=True, closed="no sandbox") == []
        past = {"closes": datetime(2020, 1, 1, tzinfo=UTC)}
        assert met(ada, rivals=True, **past) == [own]
        db.execute("UPDATE names SET banned = 1 WHERE name = 'uniform_random'")
        assert met(ada, rivals=True) == [own]
        db.execute("UPDATE names SET banned = (name = 'hunt_target')")
        assert met(ada, rivals=True) == []


@pytest.fixture(scope="module")
def analysed(
    tmp_path_factory: pytest.TempPathFactory, serve_folder: Callable[..., Served]
) -> Served:
    """Return a league by whose rules choices can be judged."""
    folder = tmp_path_factory.mktemp("analysed") / "league"
    rules = replace(preset("ramesh-5"), sinkings="named")
    league = League(folder, Charter(rules=rules, seed="12345", layouts=2), bundled_bots())
    with league.candidate(bundled_bots()["hunt_target"], "hunt_target") as candidate:
        league.admit(candidate)
    return serve_folder(folder, "--public")


def replay_in(page: str) -> dict[str, Any]:
    """Return the game that a page plays."""
    [data] = re.findall(r'<script type="application/json" data-replay="\w+">(.*?)</script>', page)
    found: dict[str, Any] = json.loads(data)
    return found


def test_analysis_of_a_game_is_that_of_the_commands(
    analysed: Served, salvo: Callable[..., Any], tmp_path: Path
) -> None:
    path = "/api/games?bot=hunt_target"
    games = analysed.until(lambda: analysed.get(path).json["games"])
    game = games[0]["id"]
    page = f"/games/{game}/analysis"
    assert "Not analysed yet" in analysed.get(page).text
    assert analysed.post(f"/api/games/{game}/analyse", {}).status == 200
    shown = replay_in(analysed.until(lambda: "data-replay" in (p := analysed.get(page).text) and p))
    words = ("replay", game, "--db", str(analysed.league / "salvo.sqlite3"), "--posterior")
    assert salvo(*words, "--html", str(tmp_path / "page.html")).code == 0
    told = replay_in((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert shown == told
    assert any(frame["cost"] > 0 for frame in shown["frames"])
    with Store(analysed.league / "salvo.sqlite3", create=False) as store:
        record, rules = store.game(game)
    luck = luck_of_game(rules, record).turns  # what `salvo solo --adjusted` keeps
    summed = f"luck {'gave' if luck <= 0 else 'took'} {abs(luck):.1f},"
    assert any(summed in note for note in shown["notes"])


def test_coach_says_what_is_known_what_a_salvo_cost_and_alone_what_was_luck(
    analysed: Served,
) -> None:
    person = Person(analysed)
    game = person.begin("")

    def coached() -> dict[str, Any]:
        found: dict[str, Any] = analysed.until(
            lambda: (
                told if (told := person.post(f"/api/play/{game}/coach", {}).json)["done"] else None
            )
        )
        return found

    person.shoot(1)
    told = coached()
    assert sum(told["cells"]) == pytest.approx(6000, abs=10)  # ship cells
    assert told["told"][0].startswith("Your last salvo. Cost: ")
    assert person.shoot()["state"] == "over"
    assert coached()["told"][0].startswith("You needed ")


def test_coach_is_for_who_plays_alone(analysed: Served) -> None:
    person, other = Person(analysed), Person(analysed)
    game = person.begin("hunt_target@1")
    other.begin("hunt_target@1")
    assert other.post(f"/api/play/{game}/coach", {}).status == 403
    assert analysed.post(f"/api/games/{game}/analyse", {}).status == 404
