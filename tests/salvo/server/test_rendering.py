"""Small pictures that pages draw by themselves."""

import re

import pytest

from salvo.server.web.rendering import _history

Point = tuple[int, float, float, float]


@pytest.mark.parametrize(
    "points",
    [
        [(1, 0.0, -50.0, 50.0)],
        [(1, 0.0, 0.0, 0.0), (2, 0.0, 0.0, 0.0)],
        [(1, -900.0, -1_400.0, -700.0), (2, 10.0, -20.0, 30.0), (4, 35.0, 30.0, 40.0)],
    ],
)
def test_history_of_versions_lies_in_its_picture(points: list[Point]) -> None:
    drawn = str(_history(points))
    [(wide, high)] = re.findall(r'viewBox="0 0 (\d+) (\d+)"', drawn)
    across = re.findall(r' c?x="([^"]+)"', drawn)
    down = re.findall(r' c?y="([^"]+)"', drawn)
    for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", drawn):
        across.append(x)
        down.append(y)
    assert all(0 < float(x) < int(wide) for x in across)
    assert all(0 < float(y) < int(high) for y in down)
    assert re.findall(r">(\d+)</text>", drawn)[: len(points)] == [str(one) for one, *_ in points]


def test_history_of_versions_goes_to_the_right_and_better_is_higher() -> None:
    drawn = str(_history([(1, 0.0, -50.0, 50.0), (2, 100.0, 60.0, 140.0)]))
    (x, y), (further, higher) = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert float(further) > float(x)
    assert float(higher) < float(y)
