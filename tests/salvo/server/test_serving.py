"""The server takes what it needs of the machine."""

import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from salvo.server.database.server_database import Database, folder_of
from salvo.server.serving import _connections, bound, only_one
from salvo.server.work import resting
from salvo.server.work.resting import (
    SERVED,
    beside_workers,
    is_served_now,
    must_rest,
    role_of,
    without_workers,
)

PROGRAM = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 512))
from salvo.server.serving import _connections
print(_connections(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_fewer_connections_are_served_than_files_can_be_opened() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    connections, files = map(int, done.stdout.split())
    assert files == 512
    assert 0 < connections < files


@pytest.mark.parametrize(
    ("limits", "raised", "connections"),
    [
        ((64, 512), (512, 512), 256),
        ((100, 800), (800, 800), 400),
        ((2399, 2399), (2399, 2399), 1999),
        ((2400, 2400), None, 2000),
        ((1024, 4096), (2400, 4096), 2000),
        ((1024, resource.RLIM_INFINITY), (2400, resource.RLIM_INFINITY), 2000),
    ],
)
def test_files_are_left_for_what_is_not_a_connection(
    monkeypatch: pytest.MonkeyPatch,
    limits: tuple[int, int],
    raised: tuple[int, int] | None,
    connections: int,
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: asked.append(wanted))
    assert _connections() == connections
    assert asked == ([] if raised is None else [raised])


@pytest.mark.parametrize(("host", "family"), [("127.0.0.1", socket.AF_INET), ("::1", None)])
def test_port_that_is_taken_is_a_mistake_in_one_line(
    host: str, family: socket.AddressFamily | None
) -> None:
    if family is None and not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    with bound(host, 0) as listening:
        assert listening.family == (family or socket.AF_INET6)
        port = listening.getsockname()[1]
        with pytest.raises(UserError) as error:
            bound(host, port)
    assert str(error.value) == (
        f"--host {host} --port {port}: cannot be listened at: {os.strerror(98)}; choose another "
        "port, or 0 for any that is free"
    )


def test_league_is_served_once(tmp_path: Path) -> None:
    with Database(tmp_path):
        pass
    assert not is_served_now(tmp_path)
    with only_one(tmp_path):
        assert is_served_now(tmp_path)
        told = f"league folder {tmp_path}: another `salvo serve` serves it; end that first"
        with pytest.raises(UserError) as error, only_one(tmp_path):
            pass
        assert str(error.value) == told
        with without_workers(tmp_path):  # the server itself goes on
            assert must_rest(tmp_path)
    assert not is_served_now(tmp_path)


def test_workers_rest_while_somebody_has_all_their_roles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resting, "_PATIENCE_S", -1.0)
    with Database(tmp_path):
        pass
    with role_of(tmp_path, "play"), role_of(tmp_path, "rate"):
        assert not must_rest(tmp_path)
        with pytest.raises(UserError) as error, without_workers(tmp_path):
            pass
    assert str(error.value).startswith(f"league folder {tmp_path}: the process that does '")
    assert str(error.value).endswith("run the same command again")
    with without_workers(tmp_path):
        assert must_rest(tmp_path)
    with beside_workers(tmp_path):
        assert not must_rest(tmp_path)
    locks = {path.name for path in folder_of(tmp_path).glob("*.lock")}
    assert locks == {"play.lock", "rate.lock"}
    assert SERVED not in locks
