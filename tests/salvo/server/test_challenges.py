"""Authors challenge other bots, all watch the same; drafts are tried and not entered."""

import time
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from selenium import webdriver

from arena.league import Charter, League
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.server.database import challenges as database
from salvo.server.database.challenges import Challenges
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.web.channels import Channel, Progress

Served = Any
PATIENCE_S = 300


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, serve_folder: Callable[..., Served]) -> Served:
    """Return a league of very short games, with the bot of an author."""
    folder = tmp_path_factory.mktemp("challenged") / "league"
    charter = Charter(rules=preset("row-5-3"), seed="12345", games=2, layouts=0)
    league = League(folder, charter, bundled_bots())
    for name in ("hunt_target", "uniform_random"):
        with league.candidate(bundled_bots()[name], name) as candidate:
            league.admit(candidate)
    with Database(folder) as db:
        db.settle("paused", "yes")  # challenges are played all the same
    served = serve_folder(folder, "--public")
    [code] = served.invite("Ada")
    submitted = served.submit("ada", served.bot.encode(), code)
    served.checked(submitted)
    served.code = code
    return served


def score(served: Served, page: str) -> dict[str, Any]:
    """Return how a challenge ended."""

    def done() -> dict[str, Any] | None:
        told: dict[str, Any] = served.get(f"/api{page}").json
        return told if told["state"] in ("done", "failed") else None

    found: dict[str, Any] = served.until(done)
    return found


def test_ten_games_are_played_and_not_rated(served: Served) -> None:
    asked = {"bot": "ada", "opponent": "hunt_target@1"}
    begun = served.post("/api/challenges", asked, served.code)
    assert begun.status == 200, begun
    told = score(served, begun.json["page"])
    assert (told["state"], told["games"]) == ("done", 10)
    assert told["won"] + told["lost"] == 10
    page = served.get(begun.json["page"]).text
    game = page.split('href="/games/')[1][:16]
    assert served.get(f"/games/{game}").status == 200
    assert game not in served.get("/api/games?limit=1000").text


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"bot": "hunt_target", "opponent": "uniform_random@1"}, "no bot of yours"),
        ({"bot": "ada", "opponent": "ada@1"}, "cannot be challenged"),
        ({"bot": "ada", "opponent": "nobody@1"}, "cannot be challenged"),
    ],
)
def test_only_own_bots_meet_and_only_those_that_may_be_met(
    served: Served, asked: dict[str, str], why: str
) -> None:
    refused = served.post("/api/challenges", asked, served.code)
    assert refused.status == 403
    assert why in refused.json["error"]
    assert served.post("/api/challenges", asked).status == 403


def test_draft_is_checked_and_plays_but_takes_nobodys_place(served: Served) -> None:
    before = served.get("/api/bots").json
    body = served.bot.replace("[:count]", "[-count:]").encode()
    refused = served.submit("ada", body, served.code, file="bot.py&draft=ada@1")
    assert refused.status == 403
    submitted = served.submit("ada", body, served.code, file="bot.py&draft=hunt_target@1")
    told = served.checked(submitted)
    assert (told["state"], told["entry"]) == ("accepted", "ada@draft")
    page = served.get(f"/submissions/{submitted.json['id']}").text
    challenge = "/challenges/" + page.split('href="/challenges/')[1][:16]
    found = score(served, challenge)
    assert (found["state"], found["games"], found["bot"]) == ("done", 10, "ada@draft")
    assert served.get("/api/bots").json == before


def test_draft_that_fails_its_check_plays_nothing(served: Served) -> None:
    submitted = served.submit("ada", b"1 / 0", served.code, file="bot.py&draft=hunt_target@1")
    assert served.checked(submitted)["state"] == "refused"
    page = served.get(f"/submissions/{submitted.json['id']}").text
    challenge = "/challenges/" + page.split('href="/challenges/')[1][:16]
    assert score(served, challenge) | {"reason": ""} == {
        "bot": "ada@draft",
        "opponent": "hunt_target@1",
        "state": "failed",
        "reason": "",
        "games": 0,
        "won": 0,
        "lost": 0,
    }


@pytest.mark.long("two browsers watch whole games")
def test_challenge_is_watched_live_to_its_end_by_two_browsers(
    served: Served, browser: webdriver.Chrome, start_chrome: Callable[[], webdriver.Chrome]
) -> None:
    asked = {"bot": "ada", "opponent": "uniform_random@1"}
    page = served.post("/api/challenges", asked, served.code).json["page"]
    browsers = (browser, start_chrome())
    seen: tuple[set[tuple[str, str]], ...] = (set(), set())
    for one in browsers:
        one.get(f"http://{served.host}{page}")
    shown = """
        const of = document.querySelector("[data-on-air]")?.dataset.of;
        const number = document.getElementById("game-number")?.innerText;
        const lines = document.querySelector("#player-lines strong")?.innerText;
        return of && lines ? [of, number, lines] : null
    """
    deadline = time.monotonic() + PATIENCE_S
    ended: set[int] = set()
    while len(ended) < 2:
        assert time.monotonic() < deadline, seen
        for place, watcher in enumerate(browsers):
            now = watcher.execute_script(shown)
            if now is not None:
                game, number, line = now
                seen[place].add((number, game))
                last, _, most = line.removeprefix("Salvo ").partition(":")[0].partition(" of ")
                if number == "Game 10 of 10" and last == most:
                    ended.add(place)
        time.sleep(0.05)
    first, other = seen
    assert "Game 10 of 10" in dict(first)
    assert "Game 10 of 10" in dict(other)
    for number, game in first:
        assert dict(other).get(number, game) == game
    assert score(served, page)["games"] == 10


def test_channel_shows_each_game_once_and_the_same_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    games: list[str] = []
    channel = Channel(
        lambda: games, lambda _: Progress(10, "over"), salvo_s=1, longest_s=5, pause_s=2
    )
    assert channel.now() is None
    games += ["a", "b"]
    now += 2
    first = channel.now()
    assert first is not None
    assert (first.game, first.at_s, first.salvo_s) == ("a", 0, 0.5)
    now += 3
    again = channel.now()
    assert again is not None
    assert (again.game, again.at_s) == ("a", 3)
    now += 5
    following = channel.now()
    assert following is not None
    assert (following.game, following.at_s) == ("b", 0)
    now += 100
    last = channel.now()
    assert last is not None
    assert (last.game, last.at_s) == ("b", 100)  # until there is another


def test_challenges_are_bounded_by_day_and_queue(
    league: Any,  # noqa: ANN401 - a path
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Database(league):
        pass
    with Challenges(league) as challenges:
        first = challenges.begin(1, "a@1", "b@1")
        for _ in range(database.A_DAY - 1):
            challenges.begin(1, "a@1", "b@1")
        with pytest.raises(Refusal, match="10 challenges within a day"):
            challenges.begin(1, "a@1", "b@1")
        monkeypatch.setattr(database, "_MOST_WAITING", 12)
        challenges.begin(2, "c@1", "b@1")
        challenges.begin(2, "c@1", "b@1")
        with pytest.raises(Refusal, match="too many challenges"):
            challenges.begin(2, "c@1", "b@1")
        challenges.execute("UPDATE challenges SET at = at - 8 * 86400 WHERE id = ?", (first,))
        challenges.execute("UPDATE challenges SET state = 'done'")
        challenges.begin(2, "c@1", "b@1")
        assert challenges.find(first) is None


@pytest.mark.long("each page in a browser, in light and dark")
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_pages_of_games_and_challenges_are_fit_for_everybody(
    served: Served, browser: webdriver.Chrome, width: int, scheme: str
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    served.post("/api/operate/resume", {}, served.key)
    game = served.until(lambda: served.get("/api/games").json["games"])[0]["id"]
    page = served.post(
        "/api/challenges", {"bot": "ada", "opponent": "hunt_target@1"}, served.code
    ).json["page"]
    score(served, page)
    served.post(f"/api/games/{game}/analyse", {})
    analysis = f"/games/{game}/analysis"
    served.until(lambda: "data-replay" in served.get(analysis).text)
    browser.get(f"http://{served.host}/enter?key={served.code}")
    for path in ("/live", page, "/challenge", f"/games/{game}", analysis, f"/embed/{game}"):
        browser.get(f"http://{served.host}{path}")
        script = "return document.documentElement.scrollWidth"
        assert browser.execute_script(script) <= width, path
        axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        browser.set_script_timeout(PATIENCE_S)
        found = browser.execute_async_script(
            axe + "; const done = arguments[0]; axe.run().then((found) => done(found.violations))"
        )
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], path
        assert browser.get_log("browser") == [], path
