"""`salvo serve` and `salvo operate`: what is refused, and what works while nothing is served."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salvo.cli.serve import _address, _open_to_all
from salvo.server.database.server_database import Database
from salvo.server.serving import only_one

Salvo = Callable[..., Any]
EVERY = "0.0.0.0"  # noqa: S104 - nothing listens there
SMALL = ("--rules", "ramesh-1", "--games", "4", "--layouts", "3", "--isolation", "none")


@pytest.fixture
def league(salvo: Salvo, tmp_path: Path) -> Path:
    """Return a league that was served before."""
    assert salvo("submit", "hunt_target", *SMALL).code == 0
    with Database(tmp_path / "league"):
        return tmp_path / "league"


def test_port_that_is_taken_is_named(salvo: Salvo, league: Path) -> None:
    del league
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"--port {port}: cannot be listened at" in salvo("serve", "--port", port).mistake


def test_league_that_is_served_is_not_served_twice(salvo: Salvo, league: Path) -> None:
    with only_one(league):
        assert "another `salvo serve` serves it" in salvo("serve", "--port", "0").mistake


def test_rules_are_those_of_a_new_league(salvo: Salvo, league: Path) -> None:
    del league
    told = salvo("serve", "--port", "0", "--rules", "ramesh-5").mistake
    assert "--rules: league folder league has ramesh-1" in told


def test_operator_works_in_the_folder(salvo: Salvo, league: Path) -> None:
    del league
    assert salvo("operate", "pause").out.startswith("paused")
    assert salvo("operate", "workers", "3").out == "3 workers\n"
    label, code = salvo("operate", "invite", "Ada").out.strip().split("\t")
    state = json.loads(salvo("operate", "state").out)
    assert (state["paused"], state["workers"]) == (True, 3)
    assert [one["label"] for one in state["invites"]] == [label] == ["Ada"]
    disk = state["disk"]
    assert 0 < disk["bots"] < disk["league"]
    assert disk["most_bots"] == 4096 * 10**6
    assert disk["free"] > 0
    assert code not in json.dumps(state)
    assert "is the anchor" in salvo("operate", "ban", "hunt_target").mistake
    assert salvo("submit", "uniform_random", "--isolation", "none").code == 0
    assert salvo("operate", "ban", "uniform_random").out == (
        "uniform_random@1 is withdrawn, and banned\n"
    )
    assert salvo("operate", "resume").out == "resumed\n"


def test_league_that_was_never_served_is_not_operated(salvo: Salvo) -> None:
    assert salvo("submit", "hunt_target", *SMALL).code == 0
    assert "it was never served" in salvo("operate", "pause").mistake


def test_invites_are_printed_with_their_links(salvo: Salvo, league: Path) -> None:
    with Database(league) as db:
        db.settle("address", "http://192.0.2.17:8000")
    _, code, link = salvo("operate", "invite", "Ada").out.strip().split("\t")
    assert link == f"http://192.0.2.17:8000/enter?key={code}"


@pytest.mark.parametrize(
    ("host", "names", "proxies", "address"),
    [
        ("127.0.0.1", ("arena.edu",), ("127.0.0.1",), "https://arena.edu"),
        ("127.0.0.1", ("arena.edu",), (), "http://127.0.0.1:8000"),
        (EVERY, ("192.0.2.17",), (), "http://192.0.2.17:8000"),
        (EVERY, (), (), "http://127.0.0.1:8000"),
        ("::", (), (), "http://127.0.0.1:8000"),
        ("::1", (), (), "http://[::1]:8000"),
    ],
)
def test_address_is_one_by_which_browsers_call_the_server(
    host: str, names: tuple[str, ...], proxies: tuple[str, ...], address: str
) -> None:
    assert _address(host, 8000, names, proxies) == address


def test_server_at_every_address_says_what_is_missing_or_unsafe() -> None:
    assert "--host-name ADDRESS" in _open_to_all((), ())
    assert "without TLS" in _open_to_all(("192.0.2.17",), ())
    assert "passes by the proxy" in _open_to_all(("arena.edu",), ("10.0.0.1",))


def test_book_of_another_version_names_the_folder_to_move(salvo: Salvo, league: Path) -> None:
    with Database(league) as db:
        db.execute("PRAGMA user_version = 99")
    told = salvo("operate", "pause").mistake
    assert "book.sqlite3: it was written by another version" in told
    assert "move the folder league/serve away" in told


@pytest.mark.parametrize("name", ["arena.edu:443", "arena.edu/league", ""])
def test_name_with_more_than_a_name_is_refused(salvo: Salvo, name: str) -> None:
    assert "give the name alone" in salvo("serve", "--port", "0", "--host-name", name).mistake
