"""Workers of a server are started again when they end, and leave nothing behind."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import children_of
from arena.league import amend

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the names")

Served = Any
MakeServer = Callable[..., Served]

GAMES = 10
"""Of the league in the end: six of both bots, and two of each alone."""
ROLES = ("challenge", "check", "coach", "host", "play", "rate")


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def forks_of(server: Served) -> int:
    """Return the process that forks the workers."""
    found: int = server.until(
        lambda: next((pid for pid in children_of(server.process.pid) if children_of(pid)), None)
    )
    return found


def workers_of(server: Served) -> dict[str, int]:
    """Return all workers, as soon as each is there."""

    def found() -> dict[str, int] | None:
        named = {name_of(pid).removeprefix("salvo "): pid for pid in children_of(forks_of(server))}
        return named if sorted(named) == list(ROLES) else None

    workers: dict[str, int] = server.until(found)
    return workers


def log_of(server: Served) -> str:
    return str(server.get("/api/operate", server.key).json["log"])


@pytest.fixture(scope="module")
def server(serve: Callable[..., Served]) -> Served:
    """Return a league that is paused at first, and goes on whatever is killed."""
    return serve(paused=True)


def games_of(server: Served) -> int:
    return len(server.get("/api/games?limit=1000", server.key).json["games"])


def test_all_are_started_again_when_what_forks_them_was_killed(server: Served) -> None:
    before, forks = workers_of(server), forks_of(server)
    os.kill(forks, signal.SIGKILL)
    server.until(lambda: "the workers ended with code -9; they are started again" in log_of(server))
    after = workers_of(server)
    assert not set(after.values()) & set(before.values())
    assert not any(name_of(pid).startswith("salvo ") for pid in before.values())
    server.post("/api/operate/resume", {}, server.key)
    server.until(lambda: server.get("/api/standings", server.key).json["missing_games"] == 0)


def test_worker_that_was_killed_is_started_again_alone_and_the_operator_is_told(
    server: Served,
) -> None:
    before = workers_of(server)
    os.kill(before["play"], signal.SIGKILL)
    server.until(lambda: "'play' ended with code -9; it is started again" in log_of(server))
    after = workers_of(server)
    assert after.pop("play") != before.pop("play")
    assert after == before
    server.post("/api/operate/resume", {}, server.key)
    amend(server.league, "games", ["6"])
    server.until(lambda: games_of(server) == GAMES)


def test_no_worker_outlives_a_server_that_ends(
    paused_league: Path, make_server: MakeServer
) -> None:
    server = make_server(paused_league)
    workers = [*workers_of(server).values(), forks_of(server)]
    server.stop()
    assert [name_of(pid) for pid in workers] == [""] * len(workers)
