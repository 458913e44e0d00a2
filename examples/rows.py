#!/usr/bin/env python3
"""A bot with the standard library alone: one ship per row, random shots."""

import json
import random
import sys


def say(**answer: object) -> None:
    """Answer the arena, at once."""
    print(json.dumps(answer), flush=True)


for line in sys.stdin:
    match json.loads(line):
        case {"type": "hello"}:
            say(type="hello", protocol=1, name="Rows")
        case {"type": "game", "rules": rules, "seed": seed}:
            rows, columns = rules["rows"], rules["columns"]
            untried = random.Random(seed).sample(range(rows * columns), rows * columns)
        case {"type": "place", "id": request}:
            ships = {}
            for row, ship in enumerate(rules["fleet"]):
                ships[ship["name"]] = [row * columns + n for n in range(ship["length"])]
            say(type="layout", id=request, ships=ships)
        case {"type": "shoot", "id": request, "shots": count}:
            say(type="shots", id=request, cells=[untried.pop() for _ in range(count)])
        case {"type": "bye"}:
            break
