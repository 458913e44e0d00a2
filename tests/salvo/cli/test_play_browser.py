"""`salvo play --browser`: one person, one bot, one command."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store

PATIENCE_S = 300
BOARD = 'name = "odd"\nrows = 4\ncolumns = 4\n'
FLEET = """
fleet = [{ name = "Long", length = 3, shots = 2 }, { name = "Short", length = 2 }]
"""


class Visitor:
    """A browser without pages, at the address that was printed."""

    def __init__(self, link: str) -> None:
        self.host, _, self.path = link.removeprefix("http://").partition("/")
        self.cookies: dict[str, str] = {}

    def send(self, path: str, data: object = None, host: str = "") -> tuple[int, str]:
        connection = HTTPConnection(self.host, timeout=60)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Host": host or self.host, "Origin": f"http://{self.host}"}
        if data is None:
            connection.request("GET", path, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            connection.request("POST", path, json.dumps(data), headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def json(self, path: str, data: object = None) -> Any:  # noqa: ANN401 - JSON has any shape
        return json.loads(self.send(path, data)[1])

    def play(self, bot: str) -> str:
        """Play a whole game, and return its id."""
        page: str = self.json("/api/play", {"bot": f"{bot}@1"})["page"]
        address, deadline = f"/api{page}", time.monotonic() + PATIENCE_S
        while (view := self.json(address))["state"] == "open":
            assert time.monotonic() < deadline
            match view["asked"]:
                case {"kind": "place"}:
                    ships = self.json(f"{address}/layout")["ships"]
                    action: dict[str, Any] = {"type": "layout", "ships": ships}
                case {"kind": "shoot", "shots": shots}:
                    free = [cell for cell, mark in enumerate(view["theirs"]) if mark == "w"]
                    # Where ships move, what was missed may hold one now.
                    again = [cell for cell, mark in enumerate(view["theirs"]) if mark != "w"]
                    action = {"type": "shots", "cells": [*free, *again][:shots]}
                case {"kind": "move", "moves": [move, *_]}:
                    action = {"type": "move", "ship": move["ship"], "cells": move["cells"]}
                case {"kind": "move"}:
                    action = {"type": "move", "ship": None}
                case {"kind": "answer", "hits": hits}:
                    action = {"type": "answer", "hits": hits}
                case _:
                    time.sleep(0.05)
                    continue
            told = self.json(address, {"number": view["number"], "action": {"id": "", **action}})
            assert "error" not in told, (told, view)
        assert (view["state"], view["outcome"] != "") == ("over", True), view
        return page.rpartition("/")[2]


@contextlib.contextmanager
def page(folder: Path, bot: str, rules: str) -> Iterator[Visitor]:
    """Run the command, and end it by Ctrl-C."""
    words = ["play", "--browser", bot, "--rules", rules, "--isolation", "none", "--name", "Ada"]
    command = [sys.executable, "-m", "salvo", *words]
    environment = {**os.environ, "BROWSER": "true"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=folder, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield Visitor(process.stdout.readline().strip())
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0


def test_game_is_played_on_a_page_of_ones_own_and_recorded(tmp_path: Path) -> None:
    with page(tmp_path, "hunt_target", "ramesh-1") as visitor:
        stranger = Visitor(f"http://{visitor.host}/")
        assert stranger.send("/play")[0] == 401
        assert visitor.send(f"/{visitor.path}", host="evil.example")[0] == 421
        assert visitor.send(f"/{visitor.path}")[0] == 303
        assert stranger.send(f"/{visitor.path}")[0] == 403
        assert "hunt_target" in visitor.send("/play")[1]
        game = visitor.play("hunt_target")
        assert visitor.send(f"/games/{game}")[0] == 200
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        [name] = store.tournament_names()
        assert name.startswith("play-")
        [played] = store.recent_games(name, most=9)
        assert {played.first, played.second} == {"Ada", "hunt_target"}
        assert played.id == game
    # Coverage, where it is measured, leaves files of its own.
    left = [one for one in tmp_path.iterdir() if not one.name.startswith(".coverage")]
    assert left == [tmp_path / "salvo.sqlite3"]


@pytest.mark.long("whole games by one rule after the other")
@pytest.mark.parametrize(
    "rules",
    [
        'told = "count-by-ship"\nshots = "by-ship"\nsinkings = "silent"\n',
        'fleet_known = false\nsinkings = "silent"\ntouching = "corners"\n',
        'hits_named = true\nsunk_cells = true\nagain = true\nend = "equal-turns"\n',
        'moves = true\nreshoot = true\nlies = 2\nsinkings = "unnamed"\nturn_limit = 20\n',
    ],
)
def test_game_by_unusual_rules_is_played_to_its_end(tmp_path: Path, rules: str) -> None:
    (tmp_path / "odd.toml").write_text(f"{BOARD}{rules}{FLEET}", encoding="utf-8")
    with page(tmp_path, "uniform_random", "odd.toml") as visitor:
        visitor.send(f"/{visitor.path}")
        game = visitor.play("uniform_random")
        for path in ("/play", f"/play/{game}", f"/games/{game}", f"/games/{game}/analysis"):
            assert visitor.send(path)[0] == 200, path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "1"], "--seed: with --browser the page asks"),
        (["--rated", "--name", "Ada"], "--rated: with --browser the page asks"),
        (["node missing.js"], "no bundled bot, file or folder"),
    ],
)
def test_what_the_page_cannot_do_is_refused(tmp_path: Path, words: list[str], told: str) -> None:
    command = [sys.executable, "-m", "salvo", "play", "--browser", "--rules", "ramesh-1", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
