"""Requests that a page of somebody else, or somebody with bad intentions, may send."""

import contextlib
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salvo.server.database.keys import add_key, new_invite
from salvo.server.database.server_database import Database
from tests.salvo.server.asking import Site

Served = Any
OCTETS = "application/octet-stream"
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def served(paused: Served) -> Served:
    return paused


@pytest.fixture(scope="module")
def cookie(served: Served) -> str:
    """Return the cookie of a browser that opened the operator's link."""
    entered = served.get(f"/enter?key={served.key}")
    return entered.headers["set-cookie"].partition(";")[0]


def pause(served: Served, **headers: str | None) -> int:
    sent: dict[str, str | None] = {**JSON, **{k.replace("_", "-"): v for k, v in headers.items()}}
    return served.request("POST", "/api/operate/pause", b"{}", sent).status


def test_key_leaves_the_address_for_a_strict_cookie(served: Served) -> None:
    entered = served.get(f"/enter?key={served.key}")
    assert entered.status == 303
    assert entered.headers["location"] == "/entered/operate"
    kept = entered.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert word in kept
    assert served.key not in kept
    assert served.key not in entered.text


def test_page_of_this_server_may_change_something(served: Served, cookie: str) -> None:
    own = f"http://{served.host}"
    assert pause(served, Cookie=cookie, Origin=own) == 200
    assert pause(served, Cookie=cookie, Origin=own, Sec_Fetch_Site="same-origin") == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
        {},
    ],
)
def test_cookie_from_elsewhere_changes_nothing(
    served: Served, cookie: str, headers: dict[str, str]
) -> None:
    assert pause(served, Cookie=cookie, **headers) == 403


def test_key_with_the_origin_of_another_site_changes_nothing(served: Served) -> None:
    assert pause(served, **served.bearer(served.key), Origin="http://evil.example") == 403
    assert pause(served, **served.bearer(served.key)) == 200


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_type_that_no_browser_asks_about_first_is_refused(
    served: Served, cookie: str, kind: str | None
) -> None:
    headers = {"Cookie": cookie, "Origin": f"http://{served.host}", "Content-Type": kind}
    assert served.request("POST", "/api/operate/pause", b"{}", headers).status == 415
    headers = {**served.bearer(served.key), "Content-Type": kind}
    assert served.request("POST", "/api/bots?name=x", b"x", headers).status == 415


def test_browser_that_asks_first_is_not_answered(served: Served) -> None:
    asked = {
        "Origin": "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    answer = served.request("OPTIONS", "/api/bots", headers=asked)
    assert answer.status in (403, 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example"])
def test_name_that_was_made_to_lead_here_is_refused(served: Served, host: str) -> None:
    assert served.request("GET", "/", headers={"Host": host}).status in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "arena.edu", "ARENA.edu:443"])
def test_names_of_the_server_are_let_in(served: Served, host: str) -> None:
    assert served.request("GET", "/", headers={"Host": host}).status == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/api/standings", 405), ("GET", "/api/operate/ban", 405), ("GET", "/api/no", 404)],
)
def test_programs_are_refused_in_json(served: Served, method: str, path: str, status: int) -> None:
    body = b"{}" if method == "POST" else None
    answer = served.request(method, path, body, JSON | served.bearer(served.key))
    assert (answer.status, list(answer.json)) == (status, ["error"])


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert served.request(method, "/api/bots", headers=served.bearer(served.key)).status == 405


def test_every_answer_has_a_strict_policy(served: Served) -> None:
    for path in ("/", "/static/server.js", "/api/standings", "/nothing", "/api/operate"):
        headers = served.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"


def test_no_page_has_a_script_or_style_of_its_own(served: Served) -> None:
    pages = ("/", "/games", "/queue", "/submit", "/rules", "/write", "/data", "/enter", "/operate")
    for path in pages:
        text = served.get(path, served.key, Accept="text/html").text
        assert "<style" not in text
        assert " style=" not in text
        assert "javascript:" not in text
        assert " onclick" not in text
        assert text.count("<script") == text.count('<script src="/static/')


def test_body_beyond_the_limit_is_refused(served: Served) -> None:
    large = json.dumps({"labels": ["x" * 70_000]}).encode()
    headers = JSON | served.bearer(served.key)
    assert served.request("POST", "/api/operate/invites", large, headers).status == 413
    told = headers | {"Content-Length": "99999999999"}
    assert served.request("POST", "/api/operate/invites", b"", told).status == 413


def test_upload_beyond_the_limit_is_refused_and_leaves_nothing(served: Served) -> None:
    [code] = served.invite()
    headers = served.bearer(code) | {"Content-Type": OCTETS, "Content-Length": str(17 << 20)}
    assert served.request("POST", "/api/bots?name=big&file=b.py", b"x", headers).status == 413
    # Without its length told beforehand it is counted as it comes.
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as line:
        head = (
            f"POST /api/bots?name=big&file=b.py HTTP/1.1\r\nHost: {served.host}\r\n"
            f"Authorization: Bearer {code}\r\nContent-Type: {OCTETS}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n"
        )
        line.sendall(head.encode())
        chunk = b"10000\r\n" + bytes(0x10000) + b"\r\n"
        try:
            for _ in range(300):
                line.sendall(chunk)
            answer = line.recv(100)
        except ConnectionError:
            answer = b"HTTP/1.1 413"  # it was closed while more was sent
    assert answer.startswith(b"HTTP/1.1 413")
    assert served.until(lambda: not list((served.league / "serve" / "uploads").glob(".*")))


def test_upload_that_is_broken_off_leaves_nothing(served: Served) -> None:
    [code] = served.invite()
    with socket.create_connection(("127.0.0.1", served.port)) as line:
        head = (
            f"POST /api/bots?name=half&file=b.py HTTP/1.1\r\nHost: {served.host}\r\n"
            f"Authorization: Bearer {code}\r\nContent-Type: {OCTETS}\r\n"
            "Content-Length: 1000\r\n\r\n"
        )
        line.sendall(head.encode() + bytes(500))
        uploads = served.league / "serve" / "uploads"
        assert served.until(lambda: list(uploads.glob(".*")))
    assert served.until(lambda: not list(uploads.glob(".*")))
    assert "half" not in served.get("/api/queue").text


def test_one_who_never_ends_a_request_is_cut_off(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=120) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert line.recv(1000) == b""


def test_wrong_keys_cannot_be_tried_for_ever(served: Served) -> None:
    told = [served.get("/api/operate", f"wrong{number}").status for number in range(40)]
    assert told[0] == 401
    assert told[-1] == 429
    assert served.get("/api/operate", served.key).status == 200


def cookies_of(entered: Any) -> dict[str, str]:  # noqa: ANN401 - an answer
    """Return the cookies that a browser keeps, the session's and the other, by their names."""
    found = re.findall(r"((salvo_[a-z]+)_\d+=[^;]*);", entered.headers["set-cookie"])
    return {name: cookie for cookie, name in found}


def test_wrong_keys_beside_a_good_cookie_are_counted(league: Path) -> None:
    own = Site(league, public=False)
    with Database(league) as db:
        code = new_invite(db, "Ada")
    kept = own.ask(f"/enter?key={code}").cookies
    cookie = f"salvo_session_81={kept['salvo_session_81'][0]}"
    told = [own.ask("/api/league", key=f"wrong{number}", cookie=cookie) for number in range(40)]
    assert (told[0].status, told[-1].status) == (401, 429)
    assert own.ask("/api/league", cookie=cookie).status == 200


def test_invite_that_is_sent_twice_is_one(served: Served) -> None:
    [code] = served.invite()
    written = code.upper().replace("-", "")
    assert served.submit("twice", b"no bot", written).status == 202
    cookie = cookies_of(served.get(f"/enter?key={code}"))["salvo_session"]
    page = {"Cookie": cookie, "Origin": f"http://{served.host}"}
    assert served.submit("twice", b"no bot", code, **page).status in (202, 429)


def test_submissions_count_by_their_invite_whatever_comes_with_it(served: Served) -> None:
    [code] = served.invite()
    reader = served.post("/api/operate/reader", {}, served.key).json["link"].partition("key=")[2]
    others = [served.invite()[0], reader, served.key]
    sessions = [cookies_of(served.get(f"/enter?key={key}"))["salvo_session"] for key in others]
    told = []
    for number in range(24):
        combined = sessions[number % 3]
        page = {"Cookie": combined, "Origin": f"http://{served.host}"}
        told.append(served.submit("lots", b"", code, **page).status)
    assert told[0] == 400  # the body is empty
    assert told.count(400) < 15
    assert told[-1] == 429


def author_of(served: Served, name: str) -> str:
    """Return the key of the author of a bot."""
    with Database(served.league) as db:
        return add_key(db, "author", name=name)


def test_link_of_somebody_else_asks_the_operator_first(served: Served) -> None:
    kept = cookies_of(served.get(f"/enter?key={served.key}"))
    assert set(kept) == {"salvo_session", "salvo_held"}
    [code] = served.invite("Mallory")
    # A strict cookie is not sent where a link on another site is followed; a lax one is.
    for cookie in (kept["salvo_held"], "; ".join(kept.values())):
        asked = served.get(f"/enter?key={code}", Cookie=cookie)
        assert asked.status == 200
        assert "set-cookie" not in asked.headers
        assert "you are the operator" in asked.text
    own = {"Cookie": kept["salvo_session"], "Content-Type": "application/json"}
    body = json.dumps({"key": code}).encode()
    assert served.request("POST", "/api/enter", body, own).status == 403
    own["Origin"] = f"http://{served.host}"
    joined = served.request("POST", "/api/enter", body, own)
    assert joined.status == 200
    cookie = cookies_of(joined)["salvo_session"]
    assert served.get("/api/operate", Cookie=cookie).status == 200


def test_link_from_another_site_takes_no_place_of_a_session_unasked(served: Served) -> None:
    own, other = (author_of(served, name) for name in ("ours", "theirs"))
    kept = cookies_of(served.get(f"/enter?key={own}"))
    for key in (other, own, served.key, *served.invite()):
        asked = served.get(f"/enter?key={key}", Cookie=kept["salvo_held"])
        assert asked.status == 200
        assert "set-cookie" not in asked.headers
        assert "you are the author of a bot" in asked.text


def test_link_that_allows_more_is_added_at_once(served: Served) -> None:
    [code] = served.invite()
    kept = "; ".join(cookies_of(served.get(f"/enter?key={code}")).values())
    entered = served.get(f"/enter?key={code}", Cookie=kept)
    assert entered.status == 303
    kept = "; ".join(cookies_of(entered).values())
    assert served.get(f"/enter?key={served.key}", Cookie=kept).status == 303
    nonsense = f"salvo_held_{served.port}=nonsense"
    assert served.get(f"/enter?key={code}", Cookie=nonsense).status == 303


@pytest.mark.parametrize("path", ["/events", "/data/games.csv"])
def test_head_of_what_lasts_is_answered_at_once(served: Served, path: str) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=120) as connection:
        for _ in range(2):
            asked = f"HEAD {path} HTTP/1.1\r\nHost: {served.host}\r\n\r\n"
            connection.sendall(asked.encode())
            assert b" 200 " in connection.recv(10_000)


def test_reading_allows_no_more(served: Served) -> None:
    for path in ("/operate", "/api/operate", "/mine/hunt_target"):
        assert served.get(path).status == 403
    assert served.post("/api/bots/hunt_target/withdraw", {}).status == 403
    assert served.submit("mine", served.bot.encode(), None).status == 403


def test_invite_does_not_operate(served: Served) -> None:
    [code] = served.invite()
    assert served.get("/api/operate", code).status == 403
    assert served.post("/api/operate/ban", {"name": "hunt_target"}, code).status == 403
    assert served.post("/api/bots/hunt_target/withdraw", {}, code).status == 403
    assert served.submit("hunt_target", served.bot.encode(), code).status == 403
    assert served.submit("HUNT_target", served.bot.encode(), code).status == 403


def test_invite_that_was_revoked_is_no_key(served: Served) -> None:
    [code] = served.invite("gone")
    number = served.get("/api/operate", served.key).json["invites"][-1]["id"]
    assert served.post("/api/operate/revoke", {"invite": number}, served.key).status == 200
    assert served.submit("gone", served.bot.encode(), code).status in (401, 429)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"count": 0}', b'{"count": 1e9}', b'{"count": "1"}', b"[" * 60_000]
)
def test_body_of_another_shape_is_refused(served: Served, body: bytes) -> None:
    headers = JSON | served.bearer(served.key)
    answer = served.request("POST", "/api/operate/workers", body, headers)
    assert answer.status == 400
    assert "Traceback" not in answer.text


def test_secrets_lie_in_files_of_the_owner_alone_and_as_hashes(served: Served) -> None:
    folder = served.league / "serve"
    assert folder.stat().st_mode & 0o077 == 0
    [code] = served.invite()
    for path in folder.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0 or path.suffix == ".lock", path
        if path.is_file():
            data = path.read_bytes()
            assert served.key.encode() not in data
            assert code.encode() not in data


def test_session_that_was_planted_in_a_browser_gains_nothing(served: Served) -> None:
    entered = served.get(f"/enter?key={served.invite('Mallory')[0]}")
    planted = entered.headers["set-cookie"].partition(";")[0]
    entered = served.request("GET", f"/enter?key={served.key}", None, {"Cookie": planted})
    own = entered.headers["set-cookie"].partition(";")[0]
    assert served.request("GET", "/api/operate", None, {"Cookie": own}).status == 200
    assert served.request("GET", "/api/operate", None, {"Cookie": planted}).status == 403


def test_events_end_with_the_right_to_hear_them(serve: Callable[..., Served]) -> None:
    private = serve(paused=True)
    [code] = private.invite("gone")
    with socket.create_connection(("127.0.0.1", private.port), timeout=120) as line:
        head = f"GET /events HTTP/1.1\r\nHost: {private.host}\r\nAuthorization: Bearer {code}"
        line.sendall(f"{head}\r\n\r\n".encode())
        assert b" 200 " in line.recv(1000)
        number = private.get("/api/operate", private.key).json["invites"][-1]["id"]
        private.post("/api/operate/revoke", {"invite": number}, private.key)

        def ended() -> bool:
            private.post("/api/operate/pause", {}, private.key)  # an event, which would be heard
            return line.recv(100_000).endswith(b"0\r\n\r\n")

        assert private.until(ended)


def test_place_among_events_that_is_no_number_is_ignored(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        head = f"GET /events HTTP/1.1\r\nHost: {served.host}\r\nAuthorization: Bearer {served.key}"
        connection.sendall(f"{head}\r\nLast-Event-ID: \xb2\r\n\r\n".encode("latin-1"))
        assert b" 200 " in connection.recv(100)


def test_author_takes_one_of_the_places_for_uploads_at_a_time(served: Served) -> None:
    [code] = served.invite()
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        head = f"POST /api/bots?name=slow1&file=a.py HTTP/1.1\r\nHost: {served.host}\r\n"
        head += (
            f"Authorization: Bearer {code}\r\nContent-Type: {OCTETS}\r\nContent-Length: 9\r\n\r\n"
        )
        connection.sendall(head.encode())
        served.until(lambda: served.submit("slow2", b"", code).status == 429)
