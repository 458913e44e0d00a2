"""What may come on a connection, to the byte, and when it is ended; without a server."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from salvo.server.web import connections
from salvo.server.web.connections import HEAD_S, Connection, abort

HERE = ("192.0.2.1", 5000)


@pytest.fixture(autouse=True)
def _nobody_else() -> Iterator[None]:
    Connection.open.clear()
    Connection.peers.clear()
    yield
    Connection.open.clear()
    Connection.peers.clear()


class Timer:
    """What is to happen later, when a test says so."""

    def __init__(self, delay_s: float, call: Callable[[], None]) -> None:
        self.delay_s, self.call, self.is_cancelled = delay_s, call, False

    def cancel(self) -> None:
        self.is_cancelled = True


class Loop:
    """A loop that answers no request: each waits as long as a test wants."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def call_later(self, delay_s: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(delay_s, call))
        return self.timers[-1]

    def create_task(self, answering: Coroutine[Any, Any, None], **_: object) -> "Loop":
        answering.close()
        return self

    def add_done_callback(self, _: object) -> None: ...


class Line:
    """The other side of a connection: what it is sent, and whether it was ended."""

    def __init__(self, client: tuple[str, int] | None) -> None:
        self._client = client
        self.said = b""
        self.is_closed = self.is_aborted = False

    def get_extra_info(self, name: str) -> object:
        return self._client if name == "peername" else None

    def write(self, data: bytes) -> None:
        self.said += data

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_aborted = True

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Connected:
    """A connection with both its sides."""

    def __init__(
        self,
        client: tuple[str, int] | None = HERE,
        peer_of: Callable[[str], str | None] = lambda address: address,
    ) -> None:
        async def app(scope: object, receive: object, send: object) -> None: ...

        config = uvicorn.Config(app, ws="none", lifespan="off", log_config=None)
        self.loop, self.line = Loop(), Line(client)
        settings: dict[str, Any] = {"_loop": self.loop}
        self.connection = Connection(
            peer_of=peer_of, config=config, server_state=ServerState(), app_state={}, **settings
        )
        self.connection.connection_made(self.line)  # type: ignore[arg-type]

    def hear(self, data: bytes) -> None:
        self.connection.data_received(data)

    def has_answered(self) -> None:
        self.connection.cycle.response_complete = True

    @property
    def waits(self) -> list[Timer]:
        return [timer for timer in self.loop.timers if not timer.is_cancelled]


def refusal(status: str, reason: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\nconnection: close\r\n"
        f"content-length: {len(reason) + 1}\r\n\r\n{reason}\n"
    ).encode()


LARGE = refusal(
    "431 Request Header Fields Too Large", "the head of a request has at most 16,384 bytes"
)
PIECES = refusal("400 Bad Request", "the body comes in too many small pieces; send it as a whole")
BESIDE = refusal("400 Bad Request", "too much comes beside the body; send it as a whole")
AHEAD = refusal("400 Bad Request", "a request was sent before the one before it was answered")

GET = b"GET / HTTP/1.1\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
SIZED = b"POST / HTTP/1.1\r\nContent-Length: 999999\r\n\r\n"


def begins(more: int) -> bytes:
    """Return a head that does not end, of 16,384 bytes and some more."""
    return b"GET / HTTP/1.1\r\na: ".ljust(16_384 + more, b"b")


def test_head_has_so_many_bytes_of_address_and_headers() -> None:
    for address, value in ((16_384, None), (16_000, 379), (100, 16_279)):
        header = b"" if value is None else b"a: " + value * b"b" + b"\r\n"
        heads = [
            b"GET /" + (address - 1 + more) * b"a" + b" HTTP/1.0\r\n" + header + b"\r\n"
            for more in (0, 1)
        ]
        whole, larger = Connected(), Connected()
        whole.hear(heads[0])
        assert (whole.line.said, whole.line.is_closed) == (b"", False)
        assert whole.connection.scope["method"] == "GET"
        larger.hear(heads[1])
        assert (larger.line.said, larger.line.is_closed) == (LARGE, True)


def test_head_that_does_not_end_has_no_more_also_of_a_later_request() -> None:
    for more, said in ((0, b""), (1, LARGE)):
        first = Connected()
        first.hear(begins(more)[:9000])
        assert first.line.said == b""
        first.hear(begins(more)[9000:])
        assert first.line.said == said
        later = Connected()
        later.hear(GET[:-2])
        later.hear(b"\r\n")
        later.has_answered()
        later.hear(begins(more))
        assert later.line.said == said


def test_addresses_and_headers_of_earlier_requests_count_for_nothing() -> None:
    one = Connected()
    for _ in range(3):
        one.hear(b"GET /" + 9_000 * b"a" + b" HTTP/1.1\r\na: " + 7_378 * b"b" + b"\r\n\r\n")
        assert one.line.said == b""
        one.has_answered()


def test_body_comes_in_so_many_packets_and_one_more_for_each_256_bytes() -> None:
    one = Connected()
    one.hear(SIZED)
    one.hear(bytes(25_600))
    for _ in range(2107):  # 2,000 packets, and 108 for 27,707 bytes
        one.hear(b"x")
    assert one.line.said == b""
    one.hear(b"x")
    assert (one.line.said, one.line.is_closed) == (PIECES, True)


def test_body_of_a_later_request_is_counted_anew() -> None:
    one = Connected()
    for _ in range(2):
        one.hear(b"POST / HTTP/1.1\r\nContent-Length: 2007\r\n\r\n")
        for _ in range(2007):
            one.hear(b"x")
        assert one.line.said == b""
        one.has_answered()


@pytest.mark.parametrize(("chunks", "said"), [(2006, b""), (2007, PIECES)])
def test_chunks_are_pieces_beside_the_packet_that_has_them(chunks: int, said: bytes) -> None:
    one = Connected()
    one.hear(CHUNKED)
    one.hear(b"1\r\nx\r\n" * chunks)
    assert one.line.said == said


@pytest.mark.parametrize(("more", "said"), [(0, b""), (1, BESIDE)])
def test_so_much_comes_beside_a_body_and_some_for_each_piece(more: int, said: bytes) -> None:
    one = Connected()
    one.hear(CHUNKED)
    one.hear(b"1;")
    one.hear(b"e" * 9_000)
    one.hear((16_384 + 3 * 16 - 9_002 + more) * b"e")
    assert one.line.said == said


def test_request_is_answered_before_the_next_may_begin() -> None:
    one = Connected()
    one.hear(GET)
    one.has_answered()
    one.hear(GET)
    assert one.line.said == b""
    one.hear(GET)
    assert (one.line.said, one.line.is_closed) == (AHEAD, True)


def test_what_is_no_request_is_answered_unless_an_answer_has_begun() -> None:
    one = Connected()
    one.hear(b"nonsense\r\n\r\n")
    assert one.line.said == refusal("400 Bad Request", "Invalid HTTP request received.")
    for has_begun in (False, True):
        other = Connected()
        other.hear(CHUNKED)
        other.connection.cycle.response_started = has_begun
        other.hear(b"nonsense\r\n")
        assert other.line.is_aborted == has_begun
        assert other.line.is_closed != has_begun
        assert bool(other.line.said) != has_begun


def test_header_behind_a_body_is_not_heard() -> None:
    one = Connected()
    one.hear(CHUNKED)
    one.hear(b"0\r\nAuthorization: Bearer key\r\n\r\n")
    assert one.connection.headers == [(b"transfer-encoding", b"chunked")]


def test_head_is_waited_for_once_and_only_while_nothing_is_answered() -> None:
    one = Connected()
    [timer] = one.waits
    assert timer.delay_s == HEAD_S
    one.hear(GET[:5])
    assert one.waits == [timer]
    one.hear(GET[5:])
    assert one.waits == []
    timer.call()  # it was on its way
    assert not one.line.is_aborted
    one.has_answered()
    one.hear(GET[:5])
    [timer] = one.waits
    timer.call()
    assert one.line.is_aborted


def test_nothing_is_waited_for_on_a_connection_that_ended() -> None:
    one = Connected()
    one.connection.connection_lost(None)
    assert one.waits == []


def test_connection_is_ended_by_its_other_side_as_long_as_it_is_open() -> None:
    one, other = Connected(), Connected(("192.0.2.1", 5001))
    for nobody in (None, ("192.0.2.1", 5002)):
        abort(nobody)
    abort(HERE)
    assert (one.line.is_aborted, other.line.is_aborted) == (True, False)
    one.connection.connection_lost(None)
    assert list(Connection.open) == [("192.0.2.1", 5001)]
    assert Connection.peers == {"192.0.2.1": 1}
    other.connection.connection_lost(None)
    assert (Connection.open, Connection.peers) == ({}, {})


def test_address_has_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_OF_PEER", 2)
    first, second, third = (Connected(("192.0.2.1", port)) for port in (1, 2, 3))
    assert (first.line.said, second.line.said) == (b"", b"")
    reason = "too many connections come from this address; close some"
    again = b"retry-after: 10\r\nconnection"
    assert third.line.said == refusal("429 Too Many Requests", reason).replace(
        b"connection", again, 1
    )
    assert third.line.is_closed
    assert third.waits == []
    assert Connected(("192.0.2.2", 1)).line.said == b""
    for one in (third, first):
        one.connection.connection_lost(None)
    assert Connected(("192.0.2.1", 4)).line.said == b""


@pytest.mark.parametrize("client", [HERE, None])
def test_connections_of_a_proxy_or_without_an_address_are_not_counted(
    client: tuple[str, int] | None,
) -> None:
    one = Connected(client, lambda _: None)
    assert Connection.peers == {}
    assert list(Connection.open.values()) == ([] if client is None else [one.connection])
    one.hear(GET)
    assert one.line.said == b""
    one.connection.connection_lost(None)
    assert (Connection.open, Connection.peers) == ({}, {})
