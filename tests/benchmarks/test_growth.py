"""Growth is measured, small, and its slopes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import bench
from benchmarks.costs.growing import Cost
from benchmarks.growth import _ladder, _slope

SMALL = ("--games", "200", "--bots", "4", "--cells", "100", "--workers", "2")


def test_table_and_figure_have_every_kind_of_growth(tmp_path: Path) -> None:
    html = tmp_path / "growth.html"
    result = CliRunner().invoke(
        bench, ("growth", *SMALL, "--html", str(html)), catch_exceptions=False
    )
    *text, last = result.stdout.splitlines()
    kinds = {
        "recording games": "record",
        "rating recorded games": "rate",
        "entering and beginning": "begin",
        "rating bots": "rate-bots",
        "a game in this process": "play",
        "wall time a block of 0.5 s": "employ",
    }
    page = html.read_text(encoding="utf-8")
    for what in kinds:
        assert any(line.startswith(what) for line in text)
        assert what in page
    assert json.loads(last)["slopes"].keys() == set(kinds.values())


def test_slope_is_that_of_the_largest_sizes() -> None:
    costs = [
        Cost(size, seconds=5 + size**2 / 100, memory_mb=30)
        for size in (1, 2, 4, 10**3, 10**4, 10**5)
    ]
    assert _slope(costs, "seconds") == pytest.approx(2, abs=0.01)
    assert _slope(costs, "memory_mb") == 0


def test_sizes_grow_by_a_factor_and_end_with_the_largest() -> None:
    assert _ladder(2, 500, 4) == (2, 8, 32, 128, 500)
    assert _ladder(1, 64, 2) == (1, 2, 4, 8, 16, 32, 64)
    assert _ladder(5, 5, 2) == (5,)
