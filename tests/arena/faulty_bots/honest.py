"""An honest bot in the standard library alone; the faulty ones beside it are cut from it."""

import json
import sys
from collections.abc import Callable

Message = dict
fired: list[int] = []
"""The cells that were shot in this game."""


def hello(message: Message) -> Message:
    """Introduce the bot."""
    return {"type": "hello", "protocol": message["protocol"], "name": "honest"}


def layout(message: Message) -> Message:
    """Place each ship at the left of a row of its own, the first on the last row."""
    rows, columns = rules["rows"], rules["columns"]
    rows = range(rows - 1, 0, -1)
    ships = {
        ship["name"]: list(range(row * columns, row * columns + ship["length"]))
        for row, ship in zip(rows, rules["fleet"], strict=False)
    }
    return {"type": "layout", "id": message["id"], "ships": ships}


def shots(message: Message) -> Message:
    """Shoot at one cell after another."""
    cells = [len(fired) + number for number in range(message["shots"])]
    fired.extend(cells)
    return {"type": "shots", "id": message["id"], "cells": cells}


rules: Message = {}
_HONEST = {"hello": hello, "place": layout, "shoot": shots}


def line(message: object) -> bytes:
    """Return a message as it goes over the wire."""
    return json.dumps(message).encode() + b"\n"


def write(data: bytes) -> None:
    """Write bytes to the arena, now."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def third(fault: Callable[[Message], object]) -> Callable[[Message], object]:
    """Shoot honestly twice, then do ``fault``."""
    return lambda message: fault(message) if len(fired) >= 2 * 2 else shots(message)


def play(**instead: Callable[[Message], object]) -> None:
    """Play honestly, but answer the messages of a type as ``instead`` says."""
    for text in sys.stdin.buffer:
        message = json.loads(text)
        if message["type"] == "game":
            fired.clear()
            rules.update(message["rules"])
        answer = {**_HONEST, **instead}.get(message["type"])
        reply = answer(message) if answer else None
        if isinstance(reply, bytes):
            write(reply)
        elif reply is not None:
            write(line(reply))


if __name__ == "__main__":
    play()
