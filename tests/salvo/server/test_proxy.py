"""Whose word is believed on where a request comes from."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from salvo.server.web.guard import Guard, Policy


def origin(client: str, trusted: tuple[str, ...], **headers: str | list[str]) -> tuple[str, bool]:
    """Return the address that a request is taken to come from, and whether by TLS."""
    seen: dict[str, Any] = {}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        seen.update(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        del message

    named = [("host", "here")]
    for name, lines in headers.items():
        told = [lines] if isinstance(lines, str) else lines
        named += [(name.replace("_", "-"), line) for line in told]
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "scheme": "http",
        "client": (client, 1234),
        "headers": [(name.encode(), value.encode()) for name, value in named],
    }
    guard = Guard(app, Policy(hosts=frozenset({"here"}), trusted=trusted), lambda _: b"")
    asyncio.run(guard(scope, receive, send))
    return seen["address"], seen["secure"]


@pytest.mark.parametrize(
    ("client", "told", "found"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),  # what its client said is not believed
        ("10.0.0.1", "203.0.113.9, 10.0.0.7", "203.0.113.9"),  # a chain of proxies
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),  # it came by a socket of IPv6
        ("10.0.0.1", "203.0.113.9, ::ffff:10.0.0.7", "203.0.113.9"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("203.0.113.5", "1.2.3.4", "203.0.113.5"),  # somebody who is no proxy
    ],
)
def test_forwarded_address_is_believed_from_trusted_proxies_alone(
    client: str, told: str, found: str
) -> None:
    assert origin(client, ("10.0.0.0/8",), x_forwarded_for=told)[0] == found


def test_line_that_a_proxy_adds_counts_and_not_that_of_its_client() -> None:
    lines = ["1.2.3.4", "203.0.113.9"]
    assert origin("10.0.0.1", ("10.0.0.0/8",), x_forwarded_for=lines)[0] == "203.0.113.9"


def test_nobody_is_believed_unless_told_so() -> None:
    assert origin("127.0.0.1", (), x_forwarded_for="1.2.3.4", x_forwarded_proto="https") == (
        "127.0.0.1",
        False,
    )


def test_proxy_says_whether_a_request_came_by_tls() -> None:
    assert origin("127.0.0.1", ("127.0.0.1",), x_forwarded_proto="https")[1]
    assert not origin("127.0.0.1", ("127.0.0.1",), x_forwarded_proto="http")[1]


def test_proxy_named_as_an_address_of_ipv6_is_trusted_by_its_own() -> None:
    trusted = ("::ffff:10.0.0.1",)
    assert origin("10.0.0.1", trusted, x_forwarded_for="203.0.113.9")[0] == "203.0.113.9"
    assert origin("10.0.0.2", trusted, x_forwarded_for="203.0.113.9")[0] == "10.0.0.2"
