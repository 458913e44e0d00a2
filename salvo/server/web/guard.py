"""Refuses forged, misaddressed and too many requests before anything else sees them.

A server on localhost is within reach of every page that its user opens elsewhere: by requests sent
blindly, and by names that are made to lead here (DNS rebinding). So hosts are named beforehand;
what changes something must come from a page of this server, or with a key and from no page at all;
and its type must be one that a browser asks about first, which is never answered.
"""

import ipaddress
import logging
from collections.abc import Callable

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from salvo.server.errors import Refusal
from salvo.server.web.bodies import BODY_BYTES, Body
from salvo.server.web.connections import abort
from salvo.server.web.rate_limits import RateLimit, one_address, plain_address, plain_network
from salvo.server.web.responses import JSON, Sent

_log = logging.getLogger(__name__)

ARCHIVES = ("application/octet-stream", "application/zip", "application/gzip")
_SAFE = ("GET", "HEAD")
_IN_WORDS = {404: "there is no such page", 405: "this address does not take that method"}


class Policy(Struct, frozen=True, kw_only=True):
    """Says who and what is let in.

    Attributes:
        hosts: The names by which the server is called, without ports.
        public: Whether everybody may read.
        trusted: Addresses or networks of proxies whose word on addresses is believed.
        rate: Requests a second of one address, in the long run; ``burst`` come at once.
    """

    hosts: frozenset[str]
    public: bool = False
    trusted: tuple[str, ...] = ()
    upload_mb: int = 16
    rate: float = 100.0
    burst: float = 1000.0


class Guard:
    """Lets requests through to an application, or answers them itself.

    It sets ``scope["address"]``, where the request comes from (see ``one_address``), and
    ``scope["secure"]``, whether it came by TLS.
    """

    def __init__(self, app: ASGIApp, policy: Policy, page: Callable[[Refusal], bytes]) -> None:
        self._app, self._policy, self._page = app, policy, page
        self._trusted = [plain_network(one) for one in policy.trusted]
        self._rates = RateLimit(policy.rate, policy.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        body = Body(receive, headers, self._most(scope))
        sent = Sent(send, body, self._page, scope["path"])
        try:
            address, scope["secure"] = self._origin(scope, headers)
            scope["address"] = one_address(address)
            self._refuse_host(headers)
            self._refuse_flood(scope["address"])
            if scope["method"] not in _SAFE:
                self._refuse_forged(scope, headers)
            body.refuse_unwanted(scope["method"])
            scope["app"] = self  # then Starlette raises its refusals, instead of answering in text
            await self._app(scope, body.receive, sent)
        except Refusal as refusal:
            await sent.refuse(scope, headers, refusal)
        except HTTPException as error:
            reason = _IN_WORDS.get(error.status_code, error.detail)
            await sent.refuse(scope, headers, Refusal(error.status_code, reason))
        except ClientDisconnect:
            pass  # nobody is there to be answered
        except (TimeoutError, ConnectionError):
            abort(scope.get("client"))  # whoever does not read its answer gets no other
        except Exception:  # noqa: BLE001 - nobody outside is to see a traceback
            _log.exception("%s %s", scope["method"], scope["path"])
            bug = Refusal(500, "the server failed, which is a bug in it; its operator can see why")
            await sent.refuse(scope, headers, bug)

    def _most(self, scope: Scope) -> int:
        upload = scope["path"] == "/api/bots" and scope["method"] == "POST"
        return self._policy.upload_mb * 1_048_576 if upload else BODY_BYTES

    def _origin(self, scope: Scope, headers: Headers) -> tuple[str, bool]:
        """Return the address that a request comes from, and whether by TLS."""
        address = scope["client"][0] if scope.get("client") else "unknown"
        secure = scope.get("scheme") == "https"
        if not self._is_trusted(address):
            return address, secure
        secure = headers.get("x-forwarded-proto", "").strip() == "https"
        for told in reversed(",".join(headers.getlist("x-forwarded-for")).split(",")):
            hop = told.strip()
            if not _is_address(hop):
                break
            address = hop
            if not self._is_trusted(hop):
                break
        return address, secure

    def peer_of(self, address: str) -> str | None:
        """Return as what an address counts that connects here; None for a trusted proxy."""
        return None if self._is_trusted(address) else one_address(address)

    def _is_trusted(self, address: str) -> bool:
        if not self._trusted or not _is_address(address):
            return False
        known = plain_address(address)
        return any(known in network for network in self._trusted)

    def _refuse_host(self, headers: Headers) -> None:
        named = headers.getlist("host")
        if len(named) != 1 or _without_port(named[0]) not in self._policy.hosts:
            raise Refusal(
                421,
                "this server is not called by that name; its operator can add it with --host-name",
            )

    def _refuse_flood(self, address: str) -> None:
        if not self._rates.take(address):
            raise Refusal(429, "too many requests come from this address; wait a little")

    def _refuse_forged(self, scope: Scope, headers: Headers) -> None:
        """Refuse what another site's page may have sent, and what our own pages never send."""
        if scope["method"] != "POST":
            raise Refusal(405, "use GET, or POST where something is changed")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        host = headers["host"]
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Refusal(403, "this request comes from a page of another site")
        if site is not None and site != "same-origin":
            raise Refusal(403, "this request comes from a page of another site")
        if headers.get("cookie") and origin is None and site is None:
            raise Refusal(
                403,
                "a browser says where a request comes from, and this one does not; programs send a "
                "key, as 'Authorization: Bearer KEY', and no cookie",
            )
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        wanted = ARCHIVES if scope["path"] == "/api/bots" else (JSON,)
        if kind not in wanted:
            raise Refusal(415, f"content-type: it must be {' or '.join(wanted)}")


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).lower().rstrip(".")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
