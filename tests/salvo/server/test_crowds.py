"""One address takes nothing from the others, however much it opens or asks for."""

import contextlib
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from salvo.server.database.server_database import Database
from salvo.server.web.connections import MOST_OF_PEER
from salvo.server.web.rate_limits import RateLimit, one_address

Served = Any
EACH = 100
"""Streams of one address."""


@pytest.fixture(scope="module")
def proxied(serve: Any) -> Served:  # noqa: ANN401 - the fixture's function
    """Return a league behind a proxy, at whose word this test comes from several addresses."""
    return serve("--public", "--trusted-proxy", "127.0.0.2", paused=True)


def test_cookie_of_tls_is_for_this_host_alone(proxied: Served) -> None:
    with socket.create_connection(
        ("127.0.0.1", proxied.port), timeout=60, source_address=("127.0.0.2", 0)
    ) as line:
        head = f"GET /enter?key={proxied.key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        line.sendall(f"{head}X-Forwarded-Proto: https\r\n\r\n".encode())
        with line.makefile("r", encoding="latin-1") as answer:
            cookies = [one for one in answer if one.lower().startswith("set-cookie:")]
    for cookie, name in zip(cookies, ("salvo_session", "salvo_held"), strict=True):
        assert cookie.split()[1].startswith(f"__Host-{name}=")
        assert "secure" in cookie.lower()


@contextlib.contextmanager
def stream(served: Served, address: str, path: str = "/events") -> Iterator[bytes]:
    """Open a stream by the proxy and keep it; yield how its answer begins."""
    with socket.create_connection(
        ("127.0.0.1", served.port), timeout=60, source_address=("127.0.0.2", 0)
    ) as line:
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n\r\n"
        line.sendall(head.encode())
        yield line.recv(12)


def test_streams_of_one_address_are_limited_and_others_have_theirs(proxied: Served) -> None:
    with contextlib.ExitStack() as opened:
        for _ in range(EACH):
            assert opened.enter_context(stream(proxied, "203.0.113.1")).endswith(b"200")
        assert opened.enter_context(stream(proxied, "203.0.113.1")).endswith(b"429")
        assert opened.enter_context(stream(proxied, "203.0.113.2")).endswith(b"200")

    def is_free() -> bool:
        with stream(proxied, "203.0.113.1") as begun:
            return begun.endswith(b"200")

    proxied.until(is_free)


def test_connections_of_one_peer_are_limited_and_others_have_theirs(proxied: Served) -> None:
    with contextlib.ExitStack() as opened:

        def connect() -> socket.socket:
            return opened.enter_context(
                socket.create_connection(("127.0.0.1", proxied.port), timeout=60)
            )

        for _ in range(MOST_OF_PEER):
            connect()
        assert connect().recv(12).endswith(b"429")
        assert opened.enter_context(stream(proxied, "203.0.113.3", "/")).endswith(b"200")
    assert proxied.until(lambda: proxied.get("/").status == 200)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2%eth0", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("unknown", "unknown"),
    ],
)
def test_network_of_an_ipv6_address_counts_as_one(address: str, counted: str) -> None:
    assert one_address(address) == counted


def test_rate_is_kept_while_very_many_addresses_come(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monkeypatch.setattr("salvo.server.web.rate_limits.time.monotonic", lambda: now_s)
    rates = RateLimit(0.5, 2)
    assert [rates.take("fast") for _ in range(3)] == [True, True, False]
    for number in range(20_001):
        assert rates.take(str(number))
    assert not rates.take("fast")
    now_s = 1.9  # all but "fast" are back to a full burst
    for number in range(20_001):
        rates.take(f"again {number}")
    assert not rates.take("fast")
    now_s = 2.0
    assert [rates.take("fast") for _ in range(2)] == [True, False]


def test_request_that_waits_for_others_who_write_makes_nobody_else_wait(proxied: Served) -> None:
    with Database(proxied.league) as db, ThreadPoolExecutor(1) as pool, db.writing():
        waiting = pool.submit(proxied.post, "/api/operate/pause", {}, proxied.key)
        time.sleep(1)  # it has come by then; if not, nothing is tried, and nothing fails
        began = time.monotonic()
        assert proxied.get("/static/server.css").status == 200
        # A request that waits for others gives up after thirty seconds.
        assert not waiting.done() or time.monotonic() - began > 20
    assert proxied.post("/api/operate/pause", {}, proxied.key).status == 200
