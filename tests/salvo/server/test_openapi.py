"""The description of the API names every route, and its limits are those that hold."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request
from starlette.routing import Route, Router

from salvo import server
from salvo.server.database.server_database import MOST_WORKERS
from salvo.server.errors import Refusal
from salvo.server.web.api import Api
from salvo.server.web.app import make_app
from salvo.server.web.endpoints import Endpoint, describe
from salvo.server.web.guard import Policy
from salvo.server.web.handling import Context
from salvo.server.web.operating import MOST_INVITES, endpoints

POLICY = Policy(hosts=frozenset({"here"}), public=True)


@pytest.fixture
def context(league: Path) -> Context:
    return Context(league, POLICY, "")


def resolved(description: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema, or the one that it refers to."""
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = description["components"]["schemas"][schema["$ref"].split("/")[-1]]
    return found


def test_every_route_of_the_api_is_described(league: Path) -> None:
    app, _ = make_app(league, POLICY, "")
    router = app._app
    assert isinstance(router, Router)
    routes = {
        (route.path, method.lower())
        for route in router.routes
        if isinstance(route, Route) and route.path.startswith(("/api/", "/data/"))
        for method in route.methods or ()
        if method != "HEAD"
    }
    [answer] = [
        route.endpoint
        for route in router.routes
        if isinstance(route, Route) and route.path == "/api/openapi.json"
    ]
    described = msgspec.json.decode(answer(None).body)["paths"]
    assert ("/api/leave", "post") in routes
    assert routes - {("/api/openapi.json", "get")} == {
        (path, method) for path, methods in described.items() for method in methods
    }


def test_every_status_of_a_refusal_is_described(context: Context) -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(server.__path__[0]).rglob("*.py")]
    raised = {status for text in sources for status in re.findall(r"Refusal\(\s*(\d+)", text)}
    bugs = {"500"}
    for path in describe(endpoints(context))["paths"].values():
        for told in path.values():
            assert {status for status in told["responses"] if status >= "400"} == raised - bugs


@pytest.mark.parametrize(
    ("action", "field", "bound", "most"),
    [
        ("workers", "count", "maximum", MOST_WORKERS),
        ("invites", "labels", "maxItems", MOST_INVITES),
        ("revoke", "invite", "maximum", 2**53),
        ("ban", "name", "maxLength", 40),
    ],
)
def test_described_limit_of_a_body_is_the_one_that_holds(
    context: Context, action: str, field: str, bound: str, most: int
) -> None:
    [one] = [one for one in endpoints(context) if one.path == f"/api/operate/{action}"]
    description = describe([one])
    body = description["paths"][one.path]["post"]["requestBody"]["content"]["application/json"]
    assert resolved(description, body["schema"])["properties"][field][bound] == most

    def value(size: int) -> object:
        return size if bound == "maximum" else ["a"] * size if bound == "maxItems" else "a" * size

    msgspec.convert({field: value(most)}, one.body)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({field: value(most + 1)}, one.body)


@pytest.mark.parametrize("name", ["limit", "before"])
def test_described_limit_of_the_query_is_the_one_that_holds(context: Context, name: str) -> None:
    [games] = [one for one in Api(context).endpoints() if one.path == "/api/games"]
    parameters = describe([games])["paths"]["/api/games"]["get"]["parameters"]
    [most] = [one["schema"]["maximum"] for one in parameters if one["name"] == name]

    def asked(number: int) -> object:
        query = f"{name}={number}".encode()
        return games.handler(Request({"type": "http", "query_string": query, "headers": []}))

    asked(most)
    for number in (0, most + 1):
        with pytest.raises(Refusal, match="is not a whole number from 1 to"):
            asked(number)


def test_summary_is_that_of_the_handler_unless_another_is_given() -> None:
    def handler(_request: Request) -> dict[str, int]:
        """Return nothing."""
        return {}

    one = Endpoint(path="/api/x", handler=handler, answers=dict[str, int])
    assert describe([one])["paths"]["/api/x"]["get"]["summary"] == "Return nothing"
