"""Requests that come in pieces, or not at all: they cost the server little, and others nothing."""

import contextlib
import http.client
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Served = Any
PUSHERS = 20
PIECES = b"1\r\nx\r\n" * 2730
ENOUGH = 8 << 20
"""Bytes, more than the buffers of a connection hold."""

OCTETS = "application/octet-stream"


@pytest.fixture(scope="module")
def served(paused: Served) -> Served:
    return paused


def used_s(served: Served) -> float:
    """Return the processor time that the server took, without its worker processes."""
    fields = Path(f"/proc/{served.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def line(served: Served) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", served.port), timeout=120) as connection:
        yield connection


def head(served: Served, request: str, *headers: str) -> bytes:
    lines = (f"{request} HTTP/1.1", f"Host: {served.host}", *headers)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def said(connection: socket.socket) -> bytes:
    """Return what the server says until it closes the connection."""
    answer = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            answer += part
    return answer


def status(answer: bytes) -> int:
    return int(answer.split()[1])


def pushed(served: Served, begun: bytes) -> int:
    """Begin a request and send chunks of a byte until the connection is closed; return how many."""
    sent = 0
    with line(served) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(begun)
        while sent < ENOUGH:
            connection.sendall(PIECES)
            sent += len(PIECES)
    return sent


@pytest.mark.parametrize("accepted", [False, True])
def test_chunks_of_a_byte_end_the_connection_and_cost_nobody_else(
    served: Served,
    accepted: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    codes = served.invite(*map(str, range(PUSHERS)))
    requests = [
        head(
            served,
            f"POST /api/bots?name=pusher{number}&file=a.py" if accepted else "POST /nothing",
            f"Content-Type: {OCTETS if accepted else 'application/json'}",
            "Transfer-Encoding: chunked",
            *([f"Authorization: Bearer {code}"] if accepted else []),
        )
        for number, code in enumerate(codes)
    ]
    sent: list[int] = []
    pushers = [
        threading.Thread(target=lambda one=one: sent.append(pushed(served, one)))
        for one in requests
    ]
    before = used_s(served)
    for pusher in pushers:
        pusher.start()
    assert served.get("/").status == 200
    for pusher in pushers:
        pusher.join()
    assert served.get("/").status == 200
    assert max(sent) < ENOUGH
    # A second for each megabyte, of which the buffers of each connection hold some, were too much.
    assert used_s(served) - before < PUSHERS / 5


CHUNKED = "Transfer-Encoding: chunked"
JSON = "Content-Type: application/json"


@pytest.mark.parametrize(
    ("begun", "more"),
    [
        (("GET /",), b"a"),
        (("GET /",), b"a: b\r\n"),
        (("GET /", "a: "), b"b"),
        (("POST /api/leave", JSON, CHUNKED, "", "1;"), b"e"),
        (("POST /api/leave", JSON, CHUNKED, "", "0"), b"a: b\r\n"),
        (("GET /events", ""), b"\r\n"),
    ],
    ids=["name", "headers", "value", "extension", "trailers", "lines"],
)
def test_what_has_no_end_ends_the_connection(
    served: Served, begun: tuple[str, ...], more: bytes
) -> None:
    request, *lines = begun
    with line(served) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(head(served, request, *lines)[:-2].removesuffix(b"\r\n"))
        for _ in range(ENOUGH // 65_536):
            connection.sendall(more * (65_536 // len(more)))
        pytest.fail("it took everything")


@pytest.mark.parametrize(
    ("lines", "body", "found"),
    [
        (("GET / ",), b"", 200),
        ((f"GET /{'a' * 20_000}",), b"", 431),
        (("GET /", *(f"a{number}: b" for number in range(5000))), b"", 431),
        (("GET /", "Content-Length: 1"), b"x", 400),
        (("HEAD /", CHUNKED), b"0\r\n\r\n", 400),
        (("POST /nothing", JSON, CHUNKED, "Content-Length: 1"), b"x", 400),
        (("POST /nothing", JSON, "Content-Length: 1", "Content-Length: 1"), b"x", 400),
        (("POST /nothing", JSON, "Content-Length: 9", "Expect: 100-continue"), b"", 404),
        (("POST /nothing", JSON, "Content-Length: 9"), b"", 404),
        (("CONNECT other:80",), b"", 400),
        (("OPTIONS *",), b"", 405),
        (("GET /nothing", "", "GET /nothing"), b"", 400),
    ],
)
def test_odd_requests_are_answered_once_and_end_the_connection(
    served: Served, lines: tuple[str, ...], body: bytes, found: int
) -> None:
    request, *headers = lines
    with line(served) as connection:
        connection.sendall(head(served, request, *headers, "Connection: close") + body)
        answer = said(connection)
    assert status(answer) == found
    assert answer.count(b"HTTP/1.1 ") == 1


def test_one_who_speaks_an_old_version_is_answered(served: Served) -> None:
    with line(served) as connection:
        connection.sendall(f"GET / HTTP/1.0\r\nHost: {served.host}\r\n\r\n".encode())
        assert status(said(connection)) == 200


def test_requests_follow_one_another_on_a_connection(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=120)
    for path in ("/nothing", "/api/league", "/api/queue"):
        connection.request("GET", path, headers={"Host": served.host})
        answer = connection.getresponse()
        assert not answer.will_close
        answer.read()
    connection.close()


def test_whoever_sends_all_of_a_refused_upload_reads_why(served: Served) -> None:
    answer = served.submit("nobody", bytes(12 << 20), None)
    assert answer.status == 403
    assert "invite" in answer.text
    assert answer.headers["connection"] == "close"


def test_header_that_follows_the_body_is_not_heard(served: Served) -> None:
    trailer = f"Authorization: Bearer {served.key}".encode()
    with line(served) as connection:
        connection.sendall(head(served, "POST /api/operate/pause", JSON, CHUNKED))
        connection.sendall(b"2\r\n{}\r\n0\r\n" + trailer + b"\r\n\r\n")
        assert status(said(connection)) == 403
