"""A bot that is allowed an address reaches it in a tournament, and whoever looks is told."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import Extra, refused

Salvo = Callable[..., Any]

SMALL = ("--rules", "ramesh-1", "--games", "2", "--layouts", "2", "--seed", "1")

BOT = """
import os, socket, sys
from urllib.parse import urlsplit
from arena import Bot, run

ADDRESS = "{address}"


def advice():
    proxy = urlsplit(os.environ["HTTPS_PROXY"])
    with socket.create_connection((proxy.hostname, proxy.port), 5) as talker:
        talker.sendall(f"CONNECT {ADDRESS} HTTP/1.1\\r\\n\\r\\n".encode())
        assert talker.recv(4096).startswith(b"HTTP/1.1 200")
        talker.sendall(b"which end?\\n")
        return talker.recv(100)


class Advised(Bot):
    def choose_shots(self, count):
        return self.untried[-count:] if advice() == b"the last" else sys.exit(3)


run(Advised)
"""


class _Adviser(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        if self.rfile.readline():
            self.wfile.write(b"the last")


@pytest.fixture
def address() -> Iterator[str]:
    """Yield the address of a server that gives advice."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Adviser) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def advised(tmp_path: Path, address: str) -> Path:
    """Return a bot that asks for advice before each salvo."""
    folder = tmp_path / "advised"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.replace("{address}", address), encoding="utf-8")
    (folder / "bot.toml").write_text(f'network = ["{address}"]\n', encoding="utf-8")
    return folder


def test_bot_with_the_network_plays_a_tournament_in_the_sandbox(
    advised: Path, address: str, salvo: Salvo
) -> None:
    if why := refused(Extra.NETWORK):
        pytest.skip(f"no box has the network here: {why}")
    options = (*SMALL, "--isolation", "sandbox")
    result = salvo(
        "tournament", str(advised), "uniform_random", *options, "--allow-network", address
    )
    assert result.code == 0, result.err
    assert f"advised may reach {address}, as its TOML asks" in result.err
    assert "forfeit" not in result.out + result.err
    note = f"Had the network, and so may have been told what to play: advised ({address})."
    assert note in " ".join(salvo("standings").out.split())
    report = salvo("report", "--report", "report.html")
    assert report.code == 0, report.err
    assert f"--allow-network {address}" in Path("report.html").read_text(encoding="utf-8")


def test_level_that_keeps_no_bot_from_the_network_says_so(
    advised: Path, address: str, salvo: Salvo
) -> None:
    result = salvo(
        *("solo", str(advised), "--isolation", "lite", "--rules", "ramesh-1", "--layouts", "1"),
        *("--allow-network", address),
    )
    assert "advised has no network: isolation lite lets no bot reach it" in result.out + result.err


def test_address_that_is_none_is_refused_in_one_line(advised: Path, salvo: Salvo) -> None:
    result = salvo("check", str(advised), "--allow-network", "*.example.org:443")
    assert result.code == 2
    assert "'*.example.org' is no host" in " ".join(result.err.split())


@pytest.mark.long("a league is played with and without")
def test_league_gives_and_takes_the_network(
    advised: Path, address: str, tmp_path: Path, salvo: Salvo
) -> None:
    if why := refused(Extra.NETWORK):
        pytest.skip(f"no box has the network here: {why}")
    league = ("--league", str(tmp_path / "league"))
    small = (*SMALL, "--isolation", "sandbox")
    refusal = salvo("submit", str(advised), *league, *small)
    assert refusal.code == 2
    assert f"--allow-network {address}" in refusal.err
    entered = salvo("submit", str(advised), *league, *small, "--allow-network", address)
    assert entered.code == 0, entered.err
    assert salvo("submit", "uniform_random", *league, "--isolation", "sandbox").code == 0
    assert "Had the network" in " ".join(salvo("standings", *league).out.split())
    assert salvo("operate", "set", "network", "localhost:1", *league).code == 0
    left = salvo("submit", "hunt_parity", *league, "--isolation", "sandbox")
    assert left.code == 0, left.err
    assert f"asks to reach {address}" in left.err
