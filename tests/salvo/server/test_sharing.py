"""Games are shared: pictures for links, drawings to keep, and a page that others embed."""

import http.server
import io
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By

from leaderboards.display.replay_frames import Frame, Replay
from salvo.server.web.rendering import Rendering
from tests.salvo.server.asking import Site

Served = Any
PATIENCE_S = 300


@pytest.fixture(scope="module")
def game(served: Served) -> str:
    path = "/api/games?bot=hunt_target"

    def of_two() -> str | None:
        games = served.get(path).json["games"]
        return next((one["id"] for one in games if one["second"]), None)

    return str(served.until(of_two))


def test_page_of_a_game_names_a_picture_for_links(served: Served, game: str) -> None:
    page = served.get(f"/games/{game}").text
    found = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert found["url"].endswith(f":{served.port}/games/{game}")
    assert " against " in found["title"]
    assert "wins" in found["description"]
    picture = served.get(f"/games/{game}/picture.png")
    assert found["image"].endswith(f"/games/{game}/picture.png")
    assert picture.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(picture.body)).size == (1200, 630)


@pytest.mark.parametrize("can_draw", [True, False])
def test_no_picture_is_named_that_previews_of_links_cannot_show(
    league: Path, *, can_draw: bool
) -> None:
    replay = Replay("game", "", "a against b", ["a", "b"], ["b wins"], [], [], [Frame([], [])])
    page = Rendering(league, "", "1").page(
        "game.html.j2",
        id="0" * 16,
        replays=[replay],
        watched=[],
        public=True,
        shared_at="https://arena.edu",
        can_draw=can_draw,
    )
    text = bytes(page.body).decode()
    assert ("og:image" in text) is can_draw
    assert "og:title" in text


@pytest.mark.parametrize(
    ("name", "kind"),
    [("picture.svg", "image/svg+xml"), ("game.svg", "image/svg+xml"), ("game.gif", "image/gif")],
)
def test_game_is_drawn_to_be_kept(served: Served, game: str, name: str, kind: str) -> None:
    drawn = served.get(f"/games/{game}/{name}")
    assert (drawn.status, drawn.headers["content-type"]) == (200, kind)
    if kind == "image/gif":
        image = Image.open(io.BytesIO(drawn.body))
        assert getattr(image, "n_frames", 1) > 1
    else:
        assert drawn.text.startswith("<svg ")
        assert drawn.text.rstrip().endswith("</svg>")
    assert served.get(f"/games/0000000000000000/{name}").status == 404


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of another site, which embeds what it is asked for."""

    def do_GET(self) -> None:
        body = f'<!DOCTYPE html><title>x</title><iframe src="{self.path[1:]}"></iframe>'.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def embedded(browser: webdriver.Chrome, elsewhere: str, address: str) -> str:
    """Return what is seen in a frame of another site."""
    browser.get(f"{elsewhere}/{address}")
    browser.switch_to.frame(browser.find_element(By.TAG_NAME, "iframe"))
    deadline = time.monotonic() + PATIENCE_S
    text = "return document.body?.innerText ?? ''"
    while not (found := browser.execute_script(text)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    browser.switch_to.default_content()
    return str(found)


def test_one_page_alone_is_embedded_by_other_sites(
    served: Served, game: str, browser: webdriver.Chrome, elsewhere: str
) -> None:
    here = f"http://{served.host}"
    assert "hunt_target@1" in embedded(browser, elsewhere, f"{here}/embed/{game}")
    browser.get_log("browser")
    assert "refused to connect" in embedded(browser, elsewhere, f"{here}/games/{game}")
    loose = served.get(f"/embed/{game}").headers
    assert "frame-ancestors *" in loose["content-security-policy"]
    assert "script-src 'self'" in loose["content-security-policy"]
    assert "x-frame-options" not in loose
    for path in (
        "/",
        f"/games/{game}",
        "/play",
        "/live",
        f"/embeds/{game}",
        f"/games/embed/{game}",
    ):
        strict = served.get(path).headers
        assert "frame-ancestors 'none'" in strict["content-security-policy"], path
        assert strict["x-frame-options"] == "DENY", path


def test_page_to_embed_knows_no_cookie(served: Served, game: str) -> None:
    path = f"/embed/{game}"
    plain = served.get(path)
    assert "set-cookie" not in plain.headers
    cookies = f"salvo_session_{served.port}=x; salvo_player_{served.port}=y"
    assert served.get(path, Cookie=cookies).body == plain.body


def test_games_of_a_league_that_is_not_public_are_not_shared(served: Served, game: str) -> None:
    private = Site(served.league, public=False)
    assert private.ask(f"/embed/{game}", key=served.key).status == 403
    assert private.ask(f"/games/{game}/picture.svg").status == 401
    page = private.ask(f"/games/{game}", key=served.key).text
    assert "og:image" not in page
    assert "iframe" not in page


def test_what_was_played_live_is_the_same_for_all_who_ask(served: Served, game: str) -> None:
    del game  # there is one
    first, second = (served.get("/api/live").json for _ in range(2))
    assert first["game"] == second["game"]
    assert first["at_s"] <= second["at_s"]
    page = served.get("/live").text
    assert f'data-of="{first["game"]}"' in page or served.get("/api/live").json != first
    of_bot = served.get("/api/live?bot=uniform_random").json["game"]
    played = served.get(f"/api/games/{of_bot}").json
    assert "uniform_random@1" in (played["first"], played["second"])
    assert served.get("/api/live?bot=nobody").status == 404
