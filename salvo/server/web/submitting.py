"""Receives bots: each is the body of a `POST /api/bots`, and waits to be checked."""

import os
import secrets
from functools import partial
from pathlib import Path

from anyio import to_thread
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from salvo.server.database.challenges import Challenges
from salvo.server.database.keys import Visitor, find_key
from salvo.server.database.ownership import invite_of, reserve_name
from salvo.server.database.queue import Submitted, new_identifier, submit
from salvo.server.database.server_database import folder_of
from salvo.server.dates import dates_of, is_late_allowed
from salvo.server.errors import Refusal
from salvo.server.web.endpoints import Endpoint, Name
from salvo.server.web.handling import Context, address_of, answer
from salvo.server.web.opponents import opponents
from salvo.server.web.rate_limits import RateLimit
from salvo.server.work.unpacking import suffix_of

_AT_ONCE = 8  # uploads that are received at the same time
_AN_HOUR, _BURST = 60, 10  # uploads by one invite, in the long run and at once
_TO_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Received(Struct):
    """A bot that waits to be checked: where to follow that, and the secret link of a new name."""

    id: str
    page: str
    state: str
    link: str | None


class Submitting:
    """Receives uploads."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._receiving: set[int] = set()
        self._rates = RateLimit(_AN_HOUR / 3600, _BURST)

    def endpoint(self) -> Endpoint:
        """Return the endpoint that receives uploads."""
        return Endpoint(
            path="/api/bots",
            handler=self.post,
            body=bytes,
            answers=Received,
            parameters={"name": Name, "file": str, "draft": str},
            required=("name",),
            status=202,
        )

    async def post(self, request: Request) -> Response:
        """Submit a bot: the body is the file; `file` is its name, whose suffix says what it is.

        A `draft` against another bot, named so, is checked and plays a challenge, but not entered.
        """
        if self._context.closed:
            raise Refusal(503, f"nothing can be submitted here: {self._context.closed}")
        visitor = await to_thread.run_sync(self._context.authentication.visitor, request)
        name = request.query_params.get("name", "")
        suffix = suffix_of(request.query_params.get("file", ""))
        who = await to_thread.run_sync(self._may, visitor, name)
        draft = request.query_params.get("draft")
        if draft is not None:
            await to_thread.run_sync(self._refuse_opponent, visitor, draft)
        if who in self._receiving:
            raise Refusal(429, "another bot of yours comes in at this moment; wait for it")
        if len(self._receiving) >= _AT_ONCE:
            raise Refusal(503, "too many bots come in at this moment; try again in a minute")
        part = folder_of(self._context.folder) / "uploads" / f".{secrets.token_hex(8)}"
        self._receiving.add(who)
        try:
            await self._receive(request, part)
            address = request.scope["address"]
            queue = partial(self._queue, visitor, name, author=who, draft=draft)
            done = await to_thread.run_sync(queue, suffix, address, part)
        finally:
            self._receiving.discard(who)
            part.unlink(missing_ok=True)
        here = address_of(request)
        page, state = f"{here}/submissions/{done.id}", f"{here}/api/submissions/{done.id}"
        link = None if done.key is None else f"{here}/enter?key={done.key}"
        response = answer(Received(done.id, page, state, link), 202)
        if done.key is not None and request.headers.get("cookie") is not None:
            await to_thread.run_sync(self._remember, request, response, done.key)
        return response

    def _may(self, visitor: Visitor, name: str) -> int:
        """Refuse before anything is received what would be refused afterwards."""
        with self._context.database() as db, db.writing():
            reserve_name(db, self._context.folder, visitor, name, take=False)
            who = invite_of(db, visitor, name)
            refusal = dates_of(self._context.league().charter).refusal
            if refusal and not is_late_allowed(db, who):
                raise Refusal(403, refusal)
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

    def _refuse_opponent(self, visitor: Visitor, draft: str) -> None:
        with self._context.database() as db:
            met = opponents(db, self._context.league(), visitor, closed=self._context.closed)
        if draft not in {one.bot for one in met if one.kind != "own"}:
            raise Refusal(403, f"draft: {draft[:60]!a} cannot be challenged; see /challenge")

    def _queue(  # noqa: PLR0913 - who submits what, from where, and against whom
        self,
        visitor: Visitor,
        name: str,
        suffix: str,
        address: str,
        part: Path,
        *,
        author: int,
        draft: str | None,
    ) -> Submitted:
        folder = self._context.folder
        identifier = new_identifier()
        if draft is not None:  # before the submission, which may be checked at once
            with Challenges(folder) as challenges:
                challenges.begin(author, f"{name}@draft", draft, identifier)
        with self._context.database() as db:
            return submit(
                db,
                folder,
                visitor,
                name=name,
                file=suffix,
                address=address,
                upload=part,
                identifier=identifier,
            )

    def _remember(self, request: Request, response: Response, key: str) -> None:
        with self._context.database() as db:
            found = find_key(db, key)
        if found is not None:
            self._context.authentication.add_to_session(request, response, found)
