"""Decodes what a bot may say the long way round: the oracle for the strict decoder.

It goes by PROTOCOL.md with the standard library alone: text first, then values, then each field.
"""

import json
from collections.abc import Callable
from typing import Any, NoReturn

MOST = 2**53


class Refused(Exception):  # noqa: N818 - the oracle's verdict
    """The line is no message."""


def decode(line: bytes) -> dict[str, Any] | None:
    """Return the message of a line with all its fields, or None if it is none."""
    try:
        value = json.loads(
            line.decode("utf-8", "strict"),
            object_pairs_hook=_object,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
        return _message(value)
    except (Refused, ValueError, RecursionError):
        return None


def _refuse(_: object = None) -> NoReturn:
    raise Refused


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        _refuse()
    return dict(pairs)


def _text(most: int) -> Callable[[object], bool]:
    def holds(value: object) -> bool:
        if not isinstance(value, str):
            return False
        value.encode("utf-8", "strict")  # half a surrogate pair is no text: a ValueError
        return len(value) <= most

    return holds


def _integer(value: object) -> bool:
    return type(value) is int and -MOST <= value <= MOST


def _boolean(value: object) -> bool:
    return type(value) is bool


def _cells(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 4096 and all(map(_integer, value))


def _ships(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= 256
        and all(map(_text(200), value))
        and all(map(_cells, value.values()))
    )


def _name_or_null(value: object) -> bool:
    return value is None or _text(200)(value)


REQUIRED: dict[str, dict[str, Callable[[object], bool]]] = {
    "hello": {"protocol": _integer, "name": _text(200)},
    "layout": {"id": _text(64), "ships": _ships},
    "shots": {"id": _text(64), "cells": _cells},
    "move": {"id": _text(64), "ship": _name_or_null},
    "answer": {"id": _text(64), "hits": _cells},
}
OPTIONAL: dict[str, dict[str, tuple[Callable[[object], bool], object]]] = {
    "hello": {
        "author": (_text(200), ""),
        "version": (_text(200), ""),
        "plays": (_boolean, True),
        "default_field": (_boolean, False),
    },
    "move": {"cells": (_cells, [])},
}


def _message(value: object) -> dict[str, Any]:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        _refuse()
    kind = value["type"]
    if kind not in REQUIRED:
        _refuse()
    required, optional = REQUIRED[kind], OPTIONAL.get(kind, {})
    if not {"type", *required} <= set(value) <= {"type", *required, *optional}:
        _refuse()
    for key, holds in [*required.items(), *((key, rule[0]) for key, rule in optional.items())]:
        if key in value and not holds(value[key]):
            _refuse()
    return {**{key: default for key, (_, default) in optional.items()}, **value}
