"""What is let through to the pages, and what is answered instead; without a server."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from salvo.server.errors import Refusal
from salvo.server.web import bodies, responses
from salvo.server.web.bodies import Body
from salvo.server.web.concurrency import ConcurrencyLimit, LimitedStream
from salvo.server.web.connections import Connection
from salvo.server.web.guard import Guard, Policy
from salvo.server.web.page_cache import CachedPage, PageCache
from salvo.server.web.rate_limits import RateLimit, one_address, plain_network
from tests.salvo.server.conftest import Clock

CLIENT = ("192.0.2.1", 5000)
POLICY = Policy(hosts=frozenset({"here", "arena.edu"}), upload_mb=2)
JSON = {"content-type": "application/json"}
OCTETS = {"content-type": "application/octet-stream"}
CLOSED = {"connection": "close"}
AGAIN = {"retry-after": "10", "connection": "close"}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: str


class Visit:
    """One request after another to an application behind a guard."""

    def __init__(self, policy: Policy = POLICY, error: Exception | None = None) -> None:
        self.guard = Guard(self._app, policy, lambda refusal: f"a page: {refusal}".encode())
        self.error, self.begins_first = error, False
        self.scope: Scope = {}
        self.heard = b""

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope, self.heard = scope, b""
        if self.begins_first:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        more = scope["method"] == "POST"
        while more:
            message = await receive()
            self.heard += message.get("body", b"")
            more = message.get("more_body", False)
        if self.error is not None:
            raise self.error
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    def ask(  # noqa: PLR0913 - what a request has
        self,
        path: str = "/",
        method: str = "GET",
        parts: Sequence[bytes] = (),
        *,
        hosts: Sequence[str] = ("here",),
        scheme: str = "http",
        client: tuple[str, int] | None = CLIENT,
        **headers: str,
    ) -> Answer:
        named = [("host", host) for host in hosts]
        named += [(name.replace("_", "-"), value) for name, value in headers.items()]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "scheme": scheme,
            "client": client,
            "headers": [(name.encode(), value.encode()) for name, value in named],
        }
        coming = list(parts) or [b""]
        sent: list[Message] = []

        async def receive() -> Message:
            body = coming.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(coming)}

        async def send(message: Message) -> None:
            sent.append(message)

        asyncio.run(self.guard(scope, receive, send))
        if not sent:
            return Answer(0, {}, "")
        start, *rest = sent
        told = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(
            start["status"], told, b"".join(one.get("body", b"") for one in rest).decode()
        )

    def post(self, path: str = "/api/x", *parts: bytes, **headers: str) -> Answer:
        told = {"content-length": str(sum(map(len, parts)))} | JSON | headers
        return self.ask(path, "POST", parts or (b"",), **told)


def picked(answer: Answer, *names: str) -> dict[str, str]:
    return {name: answer.headers[name] for name in names if name in answer.headers}


EVERYWHERE = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


def test_every_answer_has_its_headers_and_those_of_embedded_pages_others() -> None:
    visit = Visit()
    assert visit.ask("/embed") == (200, EVERYWHERE, "done")
    embedded = EVERYWHERE | {"cross-origin-resource-policy": "cross-origin"}
    policy = embedded["content-security-policy"].replace("ancestors 'none'", "ancestors *")
    del embedded["x-frame-options"]
    assert visit.ask("/embed/1").headers == embedded | {"content-security-policy": policy}


def test_connection_is_closed_where_a_body_was_not_taken_whole() -> None:
    visit = Visit()
    assert "connection" not in visit.post("/api/x", b"{}").headers
    visit.begins_first = True
    assert visit.post("/api/x", b"{}").headers["connection"] == "close"


@pytest.mark.parametrize(
    ("hosts", "status"),
    [
        (["here"], 200),
        (["HERE.:80"], 200),
        (["arena.edu:443"], 200),
        (["[::1]:80"], 421),
        (["elsewhere"], 421),
        (["here:http"], 421),
        ([":80"], 421),
        ([], 421),
        (["here", "here"], 421),
    ],
)
def test_host_is_named_once_and_by_a_name_of_the_server(hosts: list[str], status: int) -> None:
    assert Visit().ask(hosts=hosts).status == status


def test_refusal_is_json_for_programs_and_a_page_for_browsers() -> None:
    visit = Visit(error=Refusal(403, "not you"))
    html = {"accept": "text/html,*/*"}
    assert visit.ask("/a").body == '{"error": "not you"}'
    assert visit.ask("/api/a", **html).body == '{"error": "not you"}'
    page = visit.ask("/a", **html)
    assert page == (
        403,
        {"content-type": "text/html; charset=utf-8", "content-length": "15"} | EVERYWHERE,
        "a page: not you",
    )


@pytest.mark.parametrize(
    ("error", "status", "told", "more"),
    [
        (HTTPException(404), 404, "there is no such page", {}),
        (HTTPException(405), 405, "this address does not take that method", {}),
        (HTTPException(400, "why not"), 400, "why not", {}),
        (
            ValueError("a secret"),
            500,
            "the server failed, which is a bug in it; its operator can see why",
            {},
        ),
        (Refusal(408, "late"), 408, "late", AGAIN),
        (Refusal(413, "large"), 413, "large", AGAIN),
        (Refusal(429, "often"), 429, "often", AGAIN),
        (Refusal(503, "busy"), 503, "busy", {}),
    ],
)
def test_whatever_goes_wrong_is_told_in_words(
    error: Exception, status: int, told: str, more: dict[str, str]
) -> None:
    answer = Visit(error=error).ask()
    assert (answer.status, answer.body) == (status, f'{{"error": "{told}"}}')
    assert picked(answer, "retry-after", "connection") == more


class Ended:
    """A connection that notes that it is ended."""

    def __init__(self) -> None:
        self.transport, self.is_ended = self, False

    def abort(self) -> None:
        self.is_ended = True


@pytest.mark.parametrize(
    ("error", "begins_first", "is_ended"),
    [
        (TimeoutError(), False, True),
        (ConnectionResetError(), False, True),
        (ClientDisconnect(), False, False),
        (Refusal(503, "busy"), True, True),
        (ValueError(), True, True),
    ],
)
def test_connection_is_ended_where_nothing_can_be_said_any_more(
    error: Exception,
    begins_first: bool,  # noqa: FBT001 - a case
    is_ended: bool,  # noqa: FBT001 - a case
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = Ended()
    monkeypatch.setattr(Connection, "open", {CLIENT: line})
    visit = Visit(error=error)
    visit.begins_first = begins_first
    assert visit.ask().status == (200 if begins_first else 0)
    assert line.is_ended == is_ended


ARCHIVES = ("application/octet-stream", "application/zip", "application/gzip")
OTHER_SITE = "this request comes from a page of another site"
NO_WORD = (
    "a browser says where a request comes from, and this one does not; programs send a key, as "
    "'Authorization: Bearer KEY', and no cookie"
)


@pytest.mark.parametrize(
    ("path", "headers", "found"),
    [
        ("/api/x", JSON, None),
        ("/api/x", {"content-type": "Application/JSON ; charset=utf-8"}, None),
        ("/api/x", JSON | {"origin": "http://here"}, None),
        ("/api/x", JSON | {"origin": "https://here"}, None),
        ("/api/x", JSON | {"origin": "http://elsewhere"}, (403, OTHER_SITE)),
        ("/api/x", JSON | {"sec-fetch-site": "same-origin"}, None),
        ("/api/x", JSON | {"sec-fetch-site": "none"}, (403, OTHER_SITE)),
        ("/api/x", JSON | {"origin": "http://here", "sec-fetch-site": "a"}, (403, OTHER_SITE)),
        ("/api/x", JSON | {"cookie": "a=b"}, (403, NO_WORD)),
        ("/api/x", JSON | {"cookie": "a=b", "origin": "http://here"}, None),
        ("/api/x", JSON | {"cookie": "a=b", "sec-fetch-site": "same-origin"}, None),
        ("/api/x", OCTETS, (415, "content-type: it must be application/json")),
        ("/api/bots", OCTETS, None),
        ("/api/bots", {"content-type": "application/zip"}, None),
        ("/api/bots", {"content-type": "application/gzip"}, None),
        (
            "/api/bots",
            JSON,
            (
                415,
                f"content-type: it must be {' or '.join(ARCHIVES)}",
            ),
        ),
    ],
)
def test_what_changes_something_comes_from_a_page_of_this_server_or_from_none(
    path: str, headers: dict[str, str], found: tuple[int, str] | None
) -> None:
    answer = Visit().post(path, **headers)
    status, told = found or (200, "")
    assert (answer.status, answer.body) == (status, f'{{"error": "{told}"}}' if told else "done")


def test_other_methods_are_named() -> None:
    visit = Visit()
    assert visit.ask(method="HEAD").status == 200
    answer = visit.ask(method="PUT", **JSON)
    told = '{"error": "use GET, or POST where something is changed"}'
    assert (answer.status, answer.body) == (405, told)


def large(most: str) -> str:
    return f'{{"error": "the body is larger than {most} bytes, which is the limit here"}}'


@pytest.mark.parametrize(
    ("path", "headers", "most", "told"),
    [
        ("/api/x", JSON, 65_536, "65,536"),
        ("/api/bots", OCTETS, 2_097_152, "2,097,152"),
        ("/api/bots/ada", JSON, 65_536, "65,536"),
    ],
)
def test_body_has_so_many_bytes(path: str, headers: dict[str, str], most: int, told: str) -> None:
    visit = Visit()
    assert visit.post(path, bytes(most - 1), b"x", **headers).status == 200
    assert len(visit.heard) == most
    length = {"content-length": str(most + 1)}
    assert visit.post(path, **headers, **length)[::2] == (413, large(told))
    chunked = headers | {"transfer-encoding": "chunked"}
    assert visit.ask(path, "POST", (bytes(most), b""), **chunked).status == 200
    answer = visit.ask(path, "POST", (bytes(most), b"x"), **chunked)
    assert answer[::2] == (413, large(told))
    assert len(visit.heard) == most


def test_body_is_refused_that_is_not_to_be_there_or_has_an_odd_length() -> None:
    visit = Visit()
    for method in ("GET", "HEAD"):
        for headers in ({"content-length": "1"}, {"transfer-encoding": "chunked"}):
            answer = visit.ask(method=method, parts=(b"x",), **headers)
            told = f'{{"error": "{method} requests have no body here"}}'
            assert answer[::2] == (400, told)
        assert visit.ask(method=method, **{"content-length": "0"}).status == 200
    assert visit.post(**{"content-length": "-1"}).status == 413


def body(*parts: bytes, most: int = 65_536, **headers: str) -> tuple[Body, list[bytes]]:
    """Return a body, and the parts of it that have not come yet."""
    coming = list(parts)

    async def receive() -> Message:
        if not coming:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": coming.pop(0), "more_body": True}

    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Body(receive, Headers(named), most), coming


def test_body_has_its_time_and_of_a_large_one_a_second_for_each_64_kib(
    clock: Clock,
) -> None:
    for most, seconds in ((65_536, 21), (10 * 65_536, 30)):
        slow, left = body(b"x", most=most, content_length="9")
        clock.now += seconds - 1
        asyncio.run(slow.receive())
        assert left == []
        clock.now += 1
        with pytest.raises(Refusal, match="the body comes too slowly") as refusal:
            asyncio.run(slow.receive())
        assert refusal.value.status == 408


def test_rest_of_a_refused_body_is_taken_up_to_a_limit_where_its_length_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "_DROPPED_BYTES", 3)
    known, left = body(b"ab", b"c", b"d", content_length="9")
    asyncio.run(known.drop())
    assert left == [b"d"]
    unknown, left = body(b"ab", transfer_encoding="chunked")
    asyncio.run(unknown.drop())
    assert left == [b"ab"]
    whole, left = body(b"ab", content_length="0")
    asyncio.run(whole.drop())
    assert left == [b"ab"]


def test_who_does_not_take_an_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "SEND_S", 0.0)
    line = Ended()
    monkeypatch.setattr(Connection, "open", {CLIENT: line})

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(_: Message) -> None:
        await asyncio.Event().wait()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "client": CLIENT,
        "headers": [(b"host", b"here")],
    }
    asyncio.run(Guard(app, POLICY, lambda _: b"")(scope, receive, send))
    assert line.is_ended


def test_what_is_no_request_is_not_answered() -> None:
    visit = Visit()

    async def nothing(*_: Any) -> Any:  # noqa: ANN401 - it is never called
        raise AssertionError

    asyncio.run(visit.guard({"type": "websocket"}, nothing, nothing))
    assert visit.scope == {}


def test_address_and_tls_are_those_of_the_connection_unless_a_proxy_is_trusted() -> None:
    trusted = Policy(hosts=POLICY.hosts, trusted=("10.0.0.0/8", "::ffff:192.0.2.0/120"))
    forwarded = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": " https "}
    for policy, client, scheme, found in (
        (POLICY, ("10.0.0.1", 1), "http", ("10.0.0.1", False)),
        (POLICY, ("10.0.0.1", 1), "https", ("10.0.0.1", True)),
        (POLICY, None, "http", ("unknown", False)),
        (trusted, None, "http", ("unknown", False)),
        (trusted, ("10.0.0.1", 1), "http", ("203.0.113.9", True)),
        (trusted, ("192.0.2.77", 1), "http", ("203.0.113.9", True)),
        (trusted, ("192.0.3.1", 1), "http", ("192.0.3.1", False)),
        (trusted, ("2001:db8:0:1::9", 1), "http", ("2001:db8:0:1::/64", False)),
    ):
        visit = Visit(policy)
        assert visit.ask(client=client, scheme=scheme, **forwarded).status == 200
        assert (visit.scope["address"], visit.scope["secure"]) == found
    visit = Visit(trusted)
    visit.ask(client=("10.0.0.1", 1), scheme="https")
    assert (visit.scope["address"], visit.scope["secure"]) == ("10.0.0.1", False)


def test_connections_of_all_but_trusted_proxies_are_counted() -> None:
    guard = Visit(Policy(hosts=POLICY.hosts, trusted=("10.0.0.0/8",))).guard
    assert guard.peer_of("10.1.2.3") is None
    assert guard.peer_of("::ffff:10.1.2.3") is None
    assert guard.peer_of("11.1.2.3") == "11.1.2.3"
    assert guard.peer_of("2001:db8::1") == "2001:db8::/64"
    assert guard.peer_of("a socket") == "a socket"
    assert Visit().guard.peer_of("10.1.2.3") == "10.1.2.3"


def test_too_many_requests_of_an_address_are_refused(clock: Clock) -> None:
    clock.now += 0
    visit = Visit(Policy(hosts=POLICY.hosts, rate=2.0, burst=3.0))
    assert [visit.ask().status for _ in range(4)] == [200, 200, 200, 429]
    assert visit.ask(client=("192.0.2.2", 1)).status == 200
    clock.now += 0.5
    assert [visit.ask().status for _ in range(2)] == [200, 429]
    told = '{"error": "too many requests come from this address; wait a little"}'
    assert visit.ask().body == told


def test_rate_fills_up_to_a_burst_and_no_further(clock: Clock) -> None:
    rates = RateLimit(0.5, 2)
    assert [rates.take("a") for _ in range(3)] == [True, True, False]
    clock.now += 1.0
    assert not rates.take("a")
    clock.now += 1.0
    assert [rates.take("a") for _ in range(2)] == [True, False]
    clock.now += 1000.0
    assert [rates.take("a") for _ in range(3)] == [True, True, False]


def test_addresses_are_forgotten_once_there_is_no_room_and_they_may_have_a_whole_burst(
    clock: Clock,
) -> None:
    rates = RateLimit(1.0, 2)
    rates._room = rates._LEAST_ROOM = 3
    for address in "abc":
        rates.take(address)
    clock.now += 1.0
    rates.take("c")
    rates.take("d")  # a and b are back to two
    assert sorted(rates._left) == ["c", "d"]
    for address in "efghij":
        rates.take(address)
    assert (len(rates._left), rates._room) == (8, 12)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("10.0.0.1", "10.0.0.1/32"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("::ffff:0:0/95", None),
        ("2001:db8::/32", "2001:db8::/32"),
        ("2001:db8::1", "2001:db8::1/128"),
    ],
)
def test_network_of_ipv4_that_is_written_as_of_ipv6_is_what_it_is(
    written: str, meant: str | None
) -> None:
    if meant is None:
        with pytest.raises(ValueError, match="host bits"):
            plain_network(written)
    else:
        assert str(plain_network(written)) == meant
    assert one_address("2001:db8:1:2:3::4") == "2001:db8:1:2::/64"


def test_limit_of_an_address_and_of_all_is_told_and_places_are_given_back() -> None:
    limit = ConcurrencyLimit(each=1, most=2, what="downloads")
    with limit.taken("a"):
        with pytest.raises(Refusal) as own, limit.taken("a"):
            pass
        with limit.taken("b"), pytest.raises(Refusal) as others, limit.taken("c"):
            pass
        assert limit._taken == {"a": 1}
    assert str(own.value) == "this address has 1 downloads already; end one, or try later"
    assert str(others.value) == "others have 2 downloads; try again in a minute"
    assert limit._taken == {}


def test_stream_takes_a_place_while_it_lasts_and_none_for_its_head_alone() -> None:
    limit = ConcurrencyLimit(each=1, most=1, what="streams")
    taken: list[int] = []

    def parts() -> Any:  # noqa: ANN401 - an iterator
        taken.append(limit._taken.total())
        yield "a part"

    def asked(method: str) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            await asyncio.Event().wait()
            return {}

        scope = {"type": "http", "method": method, "address": "a"}
        stream = LimitedStream(parts(), limit, "text/csv", {"x": "y"})
        asyncio.run(stream(scope, receive, send))
        return sent

    headers = [(b"x", b"y"), (b"content-type", b"text/csv; charset=utf-8")]
    start = {"type": "http.response.start", "status": 200, "headers": headers}
    assert asked("HEAD") == [start, {"type": "http.response.body"}]
    assert taken == []
    assert [one.get("body") for one in asked("GET")] == [None, b"a part", b""]
    assert taken == [1]
    assert limit._taken == {}


def test_page_is_sent_packed_unpacked_or_not_at_all() -> None:
    page = CachedPage(1, b"page" * 100)

    def asked(**headers: str) -> Any:  # noqa: ANN401 - a response
        named = [(name.replace("_", "-").encode(), told.encode()) for name, told in headers.items()]
        return page.answer(Request({"type": "http", "headers": named}))

    plain = asked()
    assert (plain.status_code, plain.body) == (200, b"page" * 100)
    assert "content-encoding" not in plain.headers
    assert len(plain.headers["etag"]) == 18
    packed = asked(accept_encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < 100
    again = asked(if_none_match=plain.headers["etag"])
    assert (again.status_code, again.body) == (304, b"")
    assert asked(if_none_match='"other"').status_code == 200


def test_page_of_another_time_is_made_anew_and_takes_no_second_place() -> None:
    cache = PageCache(2)
    for name, rated in (("a", 1), ("b", 1), ("a", 2)):
        cache.get(name, rated, lambda: b"page")
    assert cache.find("a", 1) is None
    assert cache.find("a", 2) is not None
    assert cache.find("b", 1) is not None
