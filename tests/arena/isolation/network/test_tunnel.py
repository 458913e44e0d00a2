"""The proxy's answers, to the letter; nothing is started, and no network is asked."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from arena.isolation.network import addresses, parse_address, proxy

ALL = ("b.example:443", "a.example:80", "[::1]:9")
ALLOWED = frozenset(map(parse_address, ALL))
NUMBERS = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]


class Writer:
    """Takes what is written to one end of a connection."""

    def __init__(self) -> None:
        self.written = b""
        self.ended = 0
        self.closed = 0

    def write(self, data: bytes) -> None:
        self.written += data

    async def drain(self) -> None:
        pass

    def write_eof(self) -> None:
        self.ended += 1

    def close(self) -> None:
        self.closed += 1


def reader(data: bytes) -> asyncio.StreamReader:
    made = asyncio.StreamReader(limit=proxy.MAX_HEAD_BYTES)
    made.feed_data(data)
    made.feed_eof()
    return made


def answer(head: bytes) -> str:
    """Return what the proxy says to a bot."""

    async def ask() -> str:
        writer: Any = Writer()
        await proxy._tunnel(reader(head), writer, ALLOWED)
        return str(writer.written.decode())

    return asyncio.run(ask())


def refusal(status: str, why: str) -> str:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(why) + 1}\r\n"
        f"Connection: close\r\n\r\n{why}\n"
    )


KNOWS = refusal("405 Method not allowed", "this proxy knows CONNECT HOST:PORT only")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("GET a.example:80 HTTP/1.1", KNOWS),
        ("CONNECT a.example:80 HTTP/2", KNOWS),
        ("CONNECT a.example:80", KNOWS),
        ("CONNECT a.example:80 HTTP/1.1 more", KNOWS),
        ("CONNECT a.example HTTP/1.1", refusal("400 Bad request", "this is no HOST:PORT")),
        ("CONNECT \xe4.example:80 HTTP/1.1", refusal("400 Bad request", "this is no HOST:PORT")),
        (
            "CONNECT a.example:443 HTTP/1.0",
            refusal(
                "403 Forbidden", "this bot may reach [::1]:9, a.example:80, b.example:443 only"
            ),
        ),
    ],
)
def test_request_that_is_not_allowed_is_told_what_is(line: str, told: str) -> None:
    assert answer(f"{line}\r\nHost: x\r\n\r\n".encode("latin-1")) == told


def test_head_of_a_request_is_bounded() -> None:
    head = b"GET / HTTP/1.1\r\nX: "
    most = head + b"x" * (proxy.MAX_HEAD_BYTES - len(head))
    assert answer(most + b"\r\n\r\n") == KNOWS
    large = refusal("431 Too large", "a request has 8192 bytes at most")
    assert answer(most + b"x\r\n\r\n") == large


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    """Return what has a name lead to three numbers, of which some answer."""

    def use(answering: str | None, said: bytes = b"") -> list[Any]:
        met: list[Any] = []

        async def open_connection(number: str, port: int) -> Any:  # noqa: ANN401 - two streams
            met.append((number, port))
            if number != answering:
                raise ConnectionRefusedError("nobody is there")
            met.append(Writer())
            return reader(said), met[-1]

        monkeypatch.setattr(proxy.asyncio, "open_connection", open_connection)
        monkeypatch.setattr(proxy, "resolve", lambda _: NUMBERS)
        return met

    return use


@pytest.mark.parametrize("place", [0, 1, 2])
def test_numbers_of_a_name_are_tried_in_turn_and_what_is_said_is_passed_on(
    connect: Callable[..., list[Any]], place: int
) -> None:
    met = connect(NUMBERS[place], b"from there")
    told = answer(b"CONNECT a.example:80 HTTP/1.1\r\n\r\nfrom here")
    *tried, there = met
    assert tried == [(number, 80) for number in NUMBERS[: place + 1]]
    assert told == "HTTP/1.1 200 Connection established\r\n\r\nfrom there"
    assert (there.written, there.ended, there.closed) == (b"from here", 1, 1)


def test_name_that_is_not_reached_is_told_why(
    connect: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    met = connect(None)
    ask = b"CONNECT b.example:443 HTTP/1.1\r\n\r\n"
    why = "b.example:443 is not reached: "
    assert answer(ask) == refusal("502 Bad gateway", f"{why}nobody is there")
    assert met == [(number, 443) for number in NUMBERS]

    def take_long(_: addresses.Address) -> list[str]:
        raise TimeoutError

    monkeypatch.setattr(proxy, "resolve", take_long)
    assert answer(ask) == refusal("502 Bad gateway", f"{why}it takes too long")
