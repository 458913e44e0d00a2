"""`salvo serve` and `salvo operate`: what is refused, and what works while nothing is served."""

import contextlib
import json
import re
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import Choice, Level
from arena.league import League
from salvo.cli import serve
from salvo.cli.serve import _address, _open_to_all
from salvo.server import serving
from salvo.server.database.server_database import Database
from salvo.server.serving import only_one
from tests.golden import compare

Salvo = Callable[..., Any]
EVERY = "0.0.0.0"  # noqa: S104 - nothing listens there


@pytest.fixture
def league(league_of_one: Path, tmp_path: Path) -> Path:
    """Return a league that was served before."""
    shutil.copytree(league_of_one, tmp_path / "league")
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


def test_league_that_was_never_served_is_not_operated(
    salvo: Salvo, league_of_one: Path, tmp_path: Path
) -> None:
    shutil.copytree(league_of_one, tmp_path / "league")
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


class Machine:
    """A machine on which nothing is served, and what would have been."""

    def __init__(self) -> None:
        self.cores = 4
        self.choice = Choice(Level.SANDBOX, ())
        self.served: list[Any] = []

    @contextlib.contextmanager
    def bound(self, host: str, port: int) -> Iterator[Any]:
        yield SimpleNamespace(getsockname=lambda: (host, port))

    @property
    def policy(self) -> Any:  # noqa: ANN401 - that of the last that was served
        return self.served[-1][1]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(serve, "cores", lambda: machine.cores)
    monkeypatch.setattr(serve, "choose", lambda _: machine.choice)
    monkeypatch.setattr(serving, "bound", machine.bound)
    monkeypatch.setattr(serving, "run", lambda *given: machine.served.append(given))
    return machine


def workers_of(folder: str) -> str:
    with Database(Path(folder)) as db:
        return db.setting("workers", "")


def test_new_league_has_two_bots_and_is_its_owners_alone(
    salvo: Salvo, machine: Machine, tmp_path: Path
) -> None:
    ran = salvo("serve", "--rules", "ramesh-1")
    assert ran.err.splitlines() == [
        "salvo: a new league in league: hunt_target@1 is entered",
        "salvo: a new league in league: uniform_random@1 is entered",
    ]
    assert ran.out.startswith("http://127.0.0.1:8000/enter?key=")
    assert (tmp_path / "league").stat().st_mode & 0o777 == 0o700
    charter = League(tmp_path / "league").charter
    assert (charter.anchor.bot, charter.rules.name) == ("hunt_target@1", "ramesh-1")  # type: ignore[union-attr]
    [(folder, policy, closed, _, roles)] = machine.served
    assert (folder, closed) == (tmp_path / "league", "")
    assert roles == ("check", "challenge", "play", "rate", "host", "coach")
    assert (policy.public, policy.trusted, policy.upload_mb) == (False, (), 16)
    assert policy.hosts == {"localhost", "127.0.0.1", "[::1]"}
    # It is there now, and what it is made of stays.
    assert salvo("serve", "--rules", "ramesh-1").err == ""
    assert "has ramesh-1; see its league.toml" in salvo("serve", "--rules", "salvo").mistake
    told = salvo("serve", "--grant", str(tmp_path)).mistake
    assert "--grant: league folder league has none; change that with `salvo operate set" in told
    assert [entry.name for entry in League(tmp_path / "league").entries] == [
        *("hunt_target", "uniform_random")
    ]


def test_what_every_bot_may_read_is_that_of_a_new_league(
    salvo: Salvo, machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "shared").mkdir()
    assert salvo("serve", "--grant", "shared").code == 0
    assert League(tmp_path / "league").charter.terms.grants == (str(tmp_path / "shared"),)
    assert salvo("serve", "--grant", "shared").code == salvo("serve").code == 0
    assert f"has {tmp_path / 'shared'}; change" in salvo("serve", "--grant", "league").mistake
    assert len(machine.served) == 3


def test_one_core_is_left_to_the_pages_unless_workers_are_asked_for(
    salvo: Salvo, machine: Machine
) -> None:
    for cores, words, workers in (
        *((4, (), "3"), (8, (), "3")),  # as last time
        *((8, ("--workers", "2"), "2"), (8, (), "2")),
    ):
        machine.cores = cores
        assert salvo("serve", *words).code == 0
        assert workers_of("league") == workers


def test_machine_with_one_core_has_one_worker(salvo: Salvo, machine: Machine) -> None:
    machine.cores = 1
    assert salvo("serve").code == 0
    assert workers_of("league") == "1"


def test_where_there_is_no_sandbox_no_bots_are_taken(salvo: Salvo, machine: Machine) -> None:
    machine.choice = Choice(Level.LIMITS, (), ("no 'sandbox'", "no 'lite'"))
    assert salvo("serve").err.endswith("salvo: bots cannot be submitted: no 'sandbox'\n")
    [(_, _, closed, _, roles)] = machine.served
    assert (closed, roles) == ("no 'sandbox'", ("play", "rate", "host", "coach"))


def test_names_by_which_it_is_called_are_its_own_and_those_it_is_told(
    salvo: Salvo, machine: Machine
) -> None:
    words = ("--host-name", "Arena.edu", "--trusted-proxy", "10.0.0.0/8", "--max-upload", "3")
    ran = salvo("serve", "--host", EVERY, "--public", *words)
    assert ran.out.startswith("https://Arena.edu/enter?key=")
    assert "whoever reaches this port passes by the proxy" in ran.err
    own = {"localhost", "127.0.0.1", "[::1]"}
    assert machine.policy.hosts == own | {EVERY, "arena.edu"}
    assert (machine.policy.public, machine.policy.upload_mb) == (True, 3)
    assert machine.policy.trusted == ("10.0.0.0/8",)
    assert salvo("serve", "--host", "fe80::1").err == ""
    assert machine.policy.hosts == own | {"[fe80::1]"}


OPERATED = """
operate people 0
operate people 200
operate workers 64
operate pause
operate resume
operate invite
operate invite Ada
operate invite --from roster.csv
operate invite Zoe --from roster.csv
operate leave-out hunt_target uniform_random
operate leave-out uniform_random hunt_target
operate count hunt_target uniform_random
operate set games 40
operate set games 200
operate tournament cup 2099-12-12T10:00+01:00 --games 20 --looks 10
operate tournament cup 2099-12-13T10:00+01:00 --games 20 --looks 1
operate tournament cup 2099-12-14T10:00+01:00
operate call-off cup
operate call-off cup
operate forget
operate forget hunt_target --invite 1
operate forget --invite 9 --yes
operate forget uniform_random --yes
operate ban nobody
operate grades
operate backup copy
operate backup copy
"""
SECRET = (
    (re.compile(r"[0-9a-z]{5}(-[0-9a-z]{5}){3}"), "(code)"),
    (re.compile(r"[0-9a-f]{32}"), "(fingerprint)"),
)


@pytest.mark.usefixtures("machine")
def test_what_the_operator_does_reads_as_it_did(salvo: Salvo, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("label\nAda\nBob\nCy\n", encoding="utf-8")
    assert salvo("serve").code == 0
    told = ""
    for words in OPERATED.strip().splitlines():
        ran = salvo(*words.split())
        said = "".join(f"! {line}\n" for line in ran.err.splitlines())
        told += f"$ salvo {words}\n{ran.out}{said}"
    for pattern, shown in SECRET:
        told = pattern.sub(shown, told)
    compare(told, Path(__file__).parent / "printed" / "operate.txt")
