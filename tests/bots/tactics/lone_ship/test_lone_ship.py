"""The only ship of a game: its length, and how to follow its line."""

import pytest

from arena.rules import Rules, Ship, view
from bots.tactics.lone_ship import length_of_lone_ship, outwards

THREE = Ship("three", 3)


@pytest.mark.parametrize(
    ("fields", "length"),
    [
        ({}, 3),
        ({"fleet": (THREE, Ship("two", 2))}, None),
        ({"shots": 2}, None),
        ({"shots": "afloat"}, 3),
        ({"shots": "by-ship"}, 3),
        ({"shots": "by-ship", "fleet": (Ship("two", 2, shots=2),)}, None),
        ({"reshoot": True}, 3),
        ({"again": True, "sinkings": "silent"}, 3),
        ({"lies": 1}, None),
        ({"moves": True, "reshoot": True}, None),
        ({"fleet_known": False, "sinkings": "silent"}, None),
    ],
)
def test_length_is_known_of_one_ship_that_stays_and_is_shot_at_one_by_one(
    fields: dict[str, object], length: int | None
) -> None:
    rules = Rules(**{"name": "lone", "rows": 6, "columns": 6, "fleet": (THREE,)} | fields)  # type: ignore[arg-type]
    assert length_of_lone_ship(view(rules)) == length


@pytest.mark.parametrize(
    ("shot", "hits", "cell"),
    [
        ([4], [4], 3),
        ([4, 3], [4, 3], 2),
        ([4, 3], [4], 5),
        ([4, 3, 5], [4, 5], 6),
        ([1, 0], [1, 0], 2),
        ([0], [0], 1),
        ([1], [1], 0),
    ],
)
def test_goes_towards_the_start_until_a_miss_or_the_edge_then_towards_the_end(
    shot: list[int], hits: list[int], cell: int
) -> None:
    assert outwards(range(9), shot, hits) == cell


def test_goes_along_any_line() -> None:
    assert outwards(range(2, 50, 10), [22], [22]) == 12
