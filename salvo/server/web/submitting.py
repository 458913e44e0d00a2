"""`POST /api/bots`: a bot comes as the body of a request, and waits to be checked."""

import os
import secrets
from pathlib import Path

from anyio import to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from salvo.server.database.keys import Visitor, find_key
from salvo.server.database.ownership import claim, invite_of
from salvo.server.database.queue import Submitted, submit
from salvo.server.database.server_database import folder_of
from salvo.server.errors import Refusal
from salvo.server.web.authentication import Authentication
from salvo.server.web.guard import Policy
from salvo.server.web.handling import Source, address_of, answer
from salvo.server.web.rate_limits import RateLimit
from salvo.server.work.unpacking import suffix_of

_AT_ONCE = 8
"""Uploads that are received at the same time."""

_AN_HOUR, _BURST = 60, 10
"""Uploads by one invite, in the long run and at once."""

_TO_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Submitting:
    """Receives uploads.

    Args:
        league: The league's folder.
        authentication: Who may what.
        policy: How large they may be.
        closed: Why there are none to be received; empty if there are.
    """

    def __init__(
        self, league: Path, authentication: Authentication, policy: Policy, closed: str
    ) -> None:
        self._source, self._policy, self._closed = Source(league, authentication), policy, closed
        self._receiving: set[int] = set()
        self._rates = RateLimit(_AN_HOUR / 3600, _BURST)

    def routes(self) -> list[Route]:
        """Return what this answers."""
        return [Route("/api/bots", self.post, methods=["POST"])]

    async def post(self, request: Request) -> Response:
        """Take a bot in."""
        if self._closed:
            raise Refusal(503, f"nothing can be submitted here: {self._closed}")
        visitor = await to_thread.run_sync(self._source.authentication.visitor, request)
        name = request.query_params.get("name", "")
        suffix = suffix_of(request.query_params.get("file", ""))
        who = await to_thread.run_sync(self._may, visitor, name)
        if who in self._receiving:
            raise Refusal(429, "another bot of yours comes in at this moment; wait for it")
        if len(self._receiving) >= _AT_ONCE:
            raise Refusal(503, "too many bots come in at this moment; try again in a minute")
        part = folder_of(self._source.folder) / "uploads" / f".{secrets.token_hex(8)}"
        self._receiving.add(who)
        try:
            await self._receive(request, part)
            address = request.scope["address"]
            done = await to_thread.run_sync(self._queue, visitor, name, suffix, address, part)
        finally:
            self._receiving.discard(who)
            part.unlink(missing_ok=True)
        response = answer(self._told(request, done), 202)
        if done.key is not None:
            await to_thread.run_sync(self._remember, request, response, done.key)
        return response

    def _may(self, visitor: Visitor, name: str) -> int:
        """Refuse before anything is received what would be refused afterwards.

        Returns:
            The invite that it counts for.

        Raises:
            Refusal: If the visitor may not submit under this name, or does so too often.
        """
        with self._source.database() as db, db.writing():
            claim(db, self._source.folder, visitor, name, take=False)
            who = invite_of(db, visitor, name)
        if not self._rates.take(str(who)):
            raise Refusal(429, "too many bots come from you; wait some minutes")
        return who

    async def _receive(self, request: Request, part: Path) -> None:
        descriptor = os.open(part, _TO_MAKE, 0o600)
        size = 0
        with os.fdopen(descriptor, "wb") as file:
            try:
                async for chunk in request.stream():
                    size += len(chunk)
                    await to_thread.run_sync(file.write, chunk)
            except ClientDisconnect:
                raise Refusal(400, "the upload was broken off") from None
        if not size:
            raise Refusal(400, "the body is empty; send the file of the bot as the body")

    def _queue(
        self, visitor: Visitor, name: str, suffix: str, address: str, part: Path
    ) -> Submitted:
        with self._source.database() as db:
            return submit(
                db,
                self._source.folder,
                visitor,
                name=name,
                file=suffix,
                address=address,
                upload=part,
            )

    def _told(self, request: Request, done: Submitted) -> dict[str, str | None]:
        here = address_of(request)
        return {
            "id": done.id,
            "page": f"{here}/submissions/{done.id}",
            "state": f"{here}/api/submissions/{done.id}",
            "link": None if done.key is None else f"{here}/enter?key={done.key}",
        }

    def _remember(self, request: Request, response: Response, key: str) -> None:
        """Let a browser that submitted a bot be its author."""
        if request.headers.get("cookie") is None:
            return
        with self._source.database() as db:
            found = find_key(db, key)
        if found is not None:
            self._source.authentication.give(request, response, found)
