"""The description of the API as OpenAPI has it: what `/api/openapi.json` answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from salvo.server.web.guard import ARCHIVES
from salvo.server.web.responses import JSON

_NAME = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$"}
_ID = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_ANY: dict[str, Any] = {"type": "object"}
_ERROR = {"type": "object", "required": ["error"], "properties": {"error": _TEXT}}
_DONE = {"type": "object", "required": ["done"], "properties": {"done": _TEXT}}
_LINK = {"type": "object", "required": ["link"], "properties": {"link": _TEXT}}
_NOTHING = {"type": "object", "additionalProperties": False}
_REFUSED = ("400", "401", "403", "404", "405", "408", "413", "415", "421", "429", "503")


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return a shape that has all these fields."""
    return {"type": "object", "required": list(properties), "properties": properties}


def _strict(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return a shape that has these fields and no other."""
    return {**_object(**properties), "additionalProperties": False}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _answers(shape: Mapping[str, Any], status: str = "200", kind: str = JSON) -> dict[str, Any]:
    refused = {
        code: {"description": "why not", "content": {JSON: {"schema": _ERROR}}} for code in _REFUSED
    }
    return {status: {"description": "done", "content": {kind: {"schema": shape}}}, **refused}


def _query(name: str, schema: Mapping[str, Any], *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema}


def _part(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _get(
    summary: str,
    shape: Mapping[str, Any],
    parameters: Sequence[Mapping[str, Any]] = (),
    kind: str = JSON,
) -> dict[str, Any]:
    told = {"summary": summary, "parameters": list(parameters)}
    return {"get": {**told, "responses": _answers(shape, kind=kind)}}


def _post(
    summary: str,
    body: Mapping[str, Any],
    shape: Mapping[str, Any],
    parameters: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    return {
        "post": {
            "summary": summary,
            "parameters": list(parameters),
            "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
            "responses": _answers(shape),
        }
    }


_SUBMIT = {
    "summary": "Submit a bot: the body is the file; `file` is its name, whose end says what it is",
    "parameters": [_query("name", _NAME, required=True), _query("file", _TEXT)],
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in ARCHIVES},
    },
    "responses": _answers(
        _object(id=_TEXT, page=_TEXT, state=_TEXT, link={"type": ["string", "null"]}), "202"
    ),
}
_LABEL = {"type": "string", "maxLength": 80}
_LABELS = {"type": "array", "items": _LABEL, "minItems": 1, "maxItems": 200}
_OPERATE = {
    "pause": ("Finish the games in play, and begin none", _NOTHING, _DONE),
    "resume": ("Go on playing", _NOTHING, _DONE),
    "workers": (
        "How many blocks of games are played at once",
        _strict(count={"type": "integer", "minimum": 1, "maximum": 64}),
        _DONE,
    ),
    "ban": ("Withdraw a bot for good", _strict(name=_NAME), _DONE),
    "withdraw": ("Withdraw a bot", _strict(name=_NAME), _DONE),
    "leave-out": (
        "Leave the games of two bots out of the ratings",
        _strict(bot=_NAME, opponent=_NAME),
        _DONE,
    ),
    "count": (
        "Let the games of two bots count in the ratings again",
        _strict(bot=_NAME, opponent=_NAME),
        _DONE,
    ),
    "invites": (
        "Make invites: their codes are answered once",
        _strict(labels=_LABELS),
        _object(invites=_list(_object(label=_TEXT, code=_TEXT, link=_TEXT))),
    ),
    "revoke": (
        "Let nobody submit by an invite any more",
        _strict(invite={"type": "integer", "minimum": 1, "maximum": 2**53}),
        _DONE,
    ),
    "link": ("A new secret link for a name; the old one is void", _strict(name=_NAME), _LINK),
    "reader": ("A new link for readers; the old one is void", _NOTHING, _LINK),
}

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "A league of Salvo",
        "version": "1",
        "description": (
            "Who has no session sends a key: `Authorization: Bearer KEY`, an invite code, the key "
            "at the end of a secret link, or the operator's."
        ),
    },
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    "security": [{"key": []}, {}],
    "paths": {
        "/api/league": _get("What is played, and whether bots can be submitted", _ANY),
        "/api/standings": _get(
            "Both leaderboards",
            _object(at=_TEXT, games=_COUNT, elo=_list(_ANY), turns=_list(_ANY), notes=_list(_TEXT)),
        ),
        "/api/bots": {
            **_get(
                "Every version that was ever entered",
                _list(_object(name=_NAME, version=_COUNT, state=_TEXT, bot=_TEXT)),
            ),
            "post": _SUBMIT,
        },
        "/api/bots/{name}": _get("What is known of one bot", _ANY, [_part("name", _NAME)]),
        "/api/bots/{name}/withdraw": _post(
            "Withdraw a bot, for its author", _NOTHING, _DONE, [_part("name", _NAME)]
        ),
        "/api/games": _get(
            "Games, newest first",
            _object(games=_list(_ANY), before={"type": ["integer", "null"]}),
            [
                _query("bot", _NAME),
                _query("limit", {"type": "integer", "minimum": 1, "maximum": 1000}),
                _query("before", {"type": "integer", "minimum": 1, "maximum": 10**15}),
            ],
        ),
        "/api/games/{id}": _get("A whole game", _ANY, [_part("id", _ID)]),
        "/api/queue": _get(
            "What waits to be checked, and what was", _object(waiting=_list(_ANY), done=_list(_ANY))
        ),
        "/api/submissions/{id}": _get(
            "How far a submission is", _object(state=_TEXT, steps=_list(_ANY)), [_part("id", _TEXT)]
        ),
        "/api/operate": _get("How things stand, for the operator", _ANY),
        **{
            f"/api/operate/{name}": _post(summary, body, shape)
            for name, (summary, body, shape) in _OPERATE.items()
        },
        "/data/elo.csv": _get("The leaderboard of two-player games", _TEXT, kind="text/csv"),
        "/data/turns.csv": _get("The leaderboard of solo games", _TEXT, kind="text/csv"),
        "/data/games.csv": _get("Every game, one a row", _TEXT, kind="text/csv"),
    },
}
