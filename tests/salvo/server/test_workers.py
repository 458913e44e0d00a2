"""Workers of a server are started again when they end, and leave nothing behind."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import children_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the names")

Served = Any
MakeServer = Callable[..., Served]

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


def test_worker_that_was_killed_is_started_again_alone_and_the_operator_is_told(
    league: Path, make_server: MakeServer
) -> None:
    server = make_server(league)
    before = workers_of(server)
    os.kill(before["rate"], signal.SIGKILL)
    server.until(lambda: "'rate' ended with code -9; it is started again" in log_of(server))
    after = workers_of(server)
    assert after.pop("rate") != before.pop("rate")
    assert after == before
    server.until(lambda: server.get("/api/standings", server.key).json["missing_games"] == 0)


def test_all_are_started_again_when_what_forks_them_was_killed(
    league: Path, make_server: MakeServer
) -> None:
    server = make_server(league)
    before, forks = workers_of(server), forks_of(server)
    os.kill(forks, signal.SIGKILL)
    server.until(lambda: "the workers ended with code -9; they are started again" in log_of(server))
    after = workers_of(server)
    assert not set(after.values()) & set(before.values())
    assert not any(name_of(pid).startswith("salvo ") for pid in before.values())
    server.until(lambda: server.get("/api/standings", server.key).json["missing_games"] == 0)


def test_no_worker_outlives_a_server_that_ends(league: Path, make_server: MakeServer) -> None:
    server = make_server(league)
    workers = [*workers_of(server).values(), forks_of(server)]
    server.stop()
    assert [name_of(pid) for pid in workers] == [""] * len(workers)
