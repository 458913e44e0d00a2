"""`salvo play --browser`: one person, one bot, one command."""

import json
import os
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store

PATIENCE_S = 300


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

    def play(self) -> str:
        """Play a whole game, and return its id."""
        page: str = self.json("/api/play", {"bot": "hunt_target@1"})["page"]
        address, deadline = f"/api{page}", time.monotonic() + PATIENCE_S
        while (view := self.json(address))["state"] == "open":
            assert time.monotonic() < deadline
            match view["asked"]:
                case {"kind": "place"}:
                    ships = self.json(f"{address}/layout")["ships"]
                    action: dict[str, Any] = {"type": "layout", "id": "", "ships": ships}
                case {"kind": "shoot", "shots": shots}:
                    free = [cell for cell, mark in enumerate(view["theirs"]) if mark == "w"]
                    action = {"type": "shots", "id": "", "cells": free[:shots]}
                case _:
                    time.sleep(0.05)
                    continue
            self.json(address, {"number": view["number"], "action": action})
        assert view["state"] == "over"
        return page.rpartition("/")[2]


def test_game_is_played_on_a_page_of_ones_own_and_recorded(tmp_path: Path) -> None:
    words = ["play", "--browser", "hunt_target", "--rules", "ramesh-1", "--isolation", "none"]
    command = [sys.executable, "-m", "salvo", *words, "--name", "Ada"]
    environment = {**os.environ, "BROWSER": "true"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=tmp_path, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        visitor = Visitor(process.stdout.readline().strip())
        stranger = Visitor(f"http://{visitor.host}/")
        assert stranger.send("/play")[0] == 401
        assert visitor.send(f"/{visitor.path}", host="evil.example")[0] == 421
        assert visitor.send(f"/{visitor.path}")[0] == 303
        assert stranger.send(f"/{visitor.path}")[0] == 403
        assert "hunt_target" in visitor.send("/play")[1]
        game = visitor.play()
        assert visitor.send(f"/games/{game}")[0] == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        [name] = store.tournament_names()
        assert name.startswith("play-")
        [played] = store.recent_games(name, most=9)
        assert {played.first, played.second} == {"Ada", "hunt_target"}
    # Coverage, where it is measured, leaves files of its own.
    left = [one for one in tmp_path.iterdir() if not one.name.startswith(".coverage")]
    assert left == [tmp_path / "salvo.sqlite3"]


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
