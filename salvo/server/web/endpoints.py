"""Defines the endpoints of the API: each is both a route and its own description by OpenAPI."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from anyio import to_thread
from msgspec import Meta, Struct
from msgspec.json import schema_components
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.entrants.bot_names import NAME
from salvo.server.web.guard import ARCHIVES
from salvo.server.web.handling import answer, body_of
from salvo.server.web.responses import JSON

Name = Annotated[str, Meta(pattern=f"^{NAME.pattern}$", max_length=40)]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
LAST_BLOCK = 10**15 - 1
_REFUSALS = (400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 429, 503, 507)


class Nothing(Struct, forbid_unknown_fields=True):
    """An empty object."""


class Done(Struct):
    """A confirmation, in words."""

    done: str


class Error(Struct):
    """The reason for a refusal, in words."""

    error: str


class Endpoint(Struct, frozen=True, kw_only=True):
    """An address of the API.

    Attributes:
        access: Raises a `Refusal` for whoever may not.
        handler: Returns the answer, given the request and, of a POST, its body.
        body: Type of the JSON in a POST; None for a GET; bytes for an upload, which the handler,
            then asynchronous, receives itself.
        summary: Its description; that of the handler by default.
        parameters: Types of what stands in the path and, behind it, in the query.
        required: The parameters of the query that may not be left out.
    """

    path: str
    handler: Callable[..., Any]
    access: Callable[[Request], object] = lambda _request: None
    body: Any = None
    answers: Any = dict[str, Any]
    summary: str = ""
    parameters: Mapping[str, Any] = {}
    required: Sequence[str] = ()
    kind: str = JSON
    status: int = 200

    def route(self) -> Route:
        """Return the route that answers requests."""
        if self.body is None:
            return Route(self.path, self._get, methods=["GET"])
        upload = self.body is bytes
        return Route(self.path, self.handler if upload else self._post, methods=["POST"])

    def _get(self, request: Request) -> Response:
        self.access(request)
        return answer(self.handler(request))

    async def _post(self, request: Request) -> Response:
        # In threads: both may wait for others who write, and the loop that answers everybody
        # must not.
        await to_thread.run_sync(self.access, request)
        asked = await body_of(request, self.body)
        return answer(await to_thread.run_sync(self.handler, request, asked))

    def described(self, schema: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the description of this endpoint, given what returns the schema of a type."""
        in_path = re.findall(r"{(\w+)}", self.path)
        done = {"description": "done", "content": {self.kind: {"schema": schema(self.answers)}}}
        refused = {"description": "why not", "content": {JSON: {"schema": schema(Error)}}}
        told: dict[str, Any] = {
            "summary": self.summary or (self.handler.__doc__ or "").partition(".")[0],
            "parameters": [
                {
                    "name": name,
                    "in": "path" if name in in_path else "query",
                    "required": name in in_path or name in self.required,
                    "schema": schema(kind),
                }
                for name, kind in self.parameters.items()
            ],
            "responses": {str(self.status): done, **{str(code): refused for code in _REFUSALS}},
        }
        if self.body is not None:
            kinds = ARCHIVES if self.body is bytes else (JSON,)
            content = {kind: {"schema": schema(self.body)} for kind in kinds}
            told["requestBody"] = {"required": True, "content": content}
        return {"get" if self.body is None else "post": told}


def describe(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """Return the description of endpoints by OpenAPI."""
    types = [Error]
    for one in endpoints:
        types += [one.answers, *one.parameters.values(), *([one.body] if one.body else [])]
    schemas, components = schema_components(types, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        described = one.described(lambda kind: schemas[types.index(kind)])
        paths.setdefault(one.path, {}).update(described)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "A league of Salvo",
            "version": "1",
            "description": (
                "Who has no session sends a key: `Authorization: Bearer KEY`, an invite code, the "
                "key at the end of a secret link, or the operator's."
            ),
        },
        "components": {
            "schemas": components,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}, {}],
        "paths": paths,
    }
