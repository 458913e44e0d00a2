"""A league that is served, as `salvo serve` does it."""

import contextlib
import functools
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.isolation import AUTO, Level, choose
from arena.league import Anchor, Charter, League
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.server.database.server_database import Database

IN_ORDER = """
from arena import Bot, run


class InOrder(Bot):
    author = "A. Student"

    def choose_shots(self, count):
        return self.untried[:count]


run(InOrder)
"""
OCTETS = "application/octet-stream"


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON has any shape
        return json.loads(self.body)


class Served:
    """`salvo serve` in a process of its own."""

    bot = IN_ORDER
    within: tuple[str, ...] = ()
    """A command that starts it, with what follows as its arguments."""

    @staticmethod
    def bearer(key: str | None) -> dict[str, str]:
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    @staticmethod
    def key_of(submitted: Answer) -> str:
        """Return the author's key of a submission."""
        key: str = submitted.json["link"].partition("key=")[2]
        return key

    def __init__(self, league: Path, *options: str) -> None:
        self.league, self.options = league, options
        self.start()

    def start(self, port: int = 0) -> None:
        command = (sys.executable, "-m", "salvo", "serve", "--league", str(self.league))
        words = (*self.within, *command, "--port", str(port), *self.options)
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        self.key = self.link.partition("key=")[2]
        self.port = int(self.link.split("/")[2].rpartition(":")[2])
        self.host = f"127.0.0.1:{self.port}"

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(300)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send a request as it stands; a header that is None is left out."""
        sent = {"Host": self.host} | dict(headers or {})
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(line) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None and "Content-Length" not in sent:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            if body is not None:
                # It may be refused before all of it has come.
                with contextlib.suppress(ConnectionError):
                    connection.send(body)
            answer = connection.getresponse()
            told: dict[str, str] = {}
            for name, value in answer.getheaders():
                former = told.get(name.lower())
                told[name.lower()] = value if former is None else f"{former}, {value}"
            return Answer(answer.status, told, answer.read())

    def get(self, path: str, key: str | None = None, **headers: str) -> Answer:
        return self.request("GET", path, headers=headers | self.bearer(key))

    def post(self, path: str, data: object, key: str | None = None) -> Answer:
        body = json.dumps(data).encode()
        return self.request(
            "POST", path, body, {"Content-Type": "application/json", **self.bearer(key)}
        )

    def submit(
        self, name: str, data: bytes, key: str | None, file: str = "bot.py", **headers: str
    ) -> Answer:
        path = f"/api/bots?name={name}&file={file}"
        return self.request(
            "POST", path, data, {"Content-Type": OCTETS} | self.bearer(key) | headers
        )

    def invite(self, *labels: str) -> list[str]:
        told = self.post("/api/operate/invites", {"labels": labels or ["somebody"]}, self.key).json
        return [one["code"] for one in told["invites"]]

    def until(self, is_so: Callable[[], Any]) -> Any:  # noqa: ANN401 - what it returned
        """Wait until something is so; the time is there for a machine that stands still."""
        deadline = time.monotonic() + 300
        while not (found := is_so()):
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.1)
        return found

    def checked(self, submitted: Answer) -> dict[str, Any]:
        """Return how the check of a submission ended."""
        assert submitted.status == 202, submitted
        path = f"/api/submissions/{submitted.json['id']}"

        def ended() -> dict[str, Any] | None:
            told: dict[str, Any] = self.get(path, self.key).json
            return None if told["state"] in ("queued", "checking") else told

        found: dict[str, Any] = self.until(ended)
        return found


def make_league(
    folder: Path, *, games: int = 4, block_games: int = 4, paused: bool = False
) -> Path:
    """Return a league of two bundled bots and few games, which are soon played unless paused."""
    charter = Charter(
        rules=preset("ramesh-1"),
        seed="1234567890123456789",
        games=games,
        layouts=2,
        block_games=block_games,
        anchor=Anchor(bot="hunt_target@1"),
    )
    league = League(folder, charter, bundled_bots())
    for name in ("hunt_target", "uniform_random"):
        with league.candidate(bundled_bots()[name], name) as candidate:
            league.admit(candidate)
    if paused:
        with Database(folder) as db:
            db.settle("paused", "yes")
    return folder


def remove(folder: Path) -> None:
    """Delete a league; what played for it may write on until it notices that the server ended."""
    deadline = time.monotonic() + 300
    while folder.exists():
        assert time.monotonic() < deadline
        shutil.rmtree(folder, ignore_errors=True)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Return a league that nobody serves."""
    return make_league(tmp_path / "league")


@pytest.fixture
def paused_league(tmp_path: Path) -> Path:
    """Return a league like ``league`` whose games are paused."""
    return make_league(tmp_path / "league", paused=True)


@pytest.fixture
def league_of(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that makes a league like ``league``, of more games or blocks a pairing."""
    return functools.partial(make_league, tmp_path / "league")


@pytest.fixture(scope="session")
def _sandbox() -> None:
    """Skip what starts bots where they cannot be kept apart."""
    choice = choose(AUTO)
    if choice.level is not Level.SANDBOX:
        missing = f"this test submits bots, which needs the sandbox: {choice.steps_down[0]}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.fixture(scope="module")
def serve_folder(_sandbox: None) -> Iterator[Callable[..., Served]]:
    """Return a function that serves the league in a folder, which is removed in the end."""
    running: list[Served] = []

    def start(folder: Path, *options: str) -> Served:
        running.append(Served(folder, *options))
        return running[-1]

    yield start
    for server in running:
        server.stop()
        remove(server.league)


@pytest.fixture
def make_server(_sandbox: None) -> Iterator[Callable[..., Served]]:
    """Return a function that serves a league; what still serves is ended with the test."""
    running: list[Served] = []

    def start(league: Path, *options: str) -> Served:
        running.append(Served(league, *options))
        return running[-1]

    yield start
    for server in running:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="module")
def serve(
    tmp_path_factory: pytest.TempPathFactory, serve_folder: Callable[..., Served]
) -> Callable[..., Served]:
    """Return a function that serves a league with two bundled bots; see ``make_league``."""

    def start(*options: str, paused: bool = False) -> Served:
        folder = make_league(tmp_path_factory.mktemp("served") / "league", paused=paused)
        return serve_folder(folder, *options)

    return start


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    """Return a league that everybody may read, for the tests of a file."""
    return serve("--public", "--host-name", "arena.edu")


@pytest.fixture(scope="module")
def paused(serve: Callable[..., Served]) -> Served:
    """Return a league like ``served`` for tests that need no games: none is begun."""
    return serve("--public", "--host-name", "arena.edu", paused=True)
