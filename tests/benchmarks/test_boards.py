"""`python -m benchmarks boards`, small."""

import json
from pathlib import Path

import pytest

from benchmarks.boards import BOARDS, Settings, _verdict, rules_of, run
from benchmarks.games.estimates import Estimate


def test_there_are_twenty_boards_from_4x4_to_12x12() -> None:
    assert len(BOARDS) == 20
    sizes = [rules_of(name).cells for name in BOARDS]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (16, 144)


def test_both_bots_play_the_same_layouts(tmp_path: Path) -> None:
    settings = Settings(("4x4: 3 2",), layouts=40, workers=1, db=tmp_path / "b.sqlite3")
    *_, table, outcome = run(settings)
    assert "| 4x4: 3 2       | 250       |" in table  # as many cells as on 40 boards of 10x10
    (names,) = [value for value in json.loads(outcome).values() if isinstance(value, list)]
    assert names == ["4x4: 3 2"]
    assert list(run(settings))[-2:] == [table, outcome]  # from the record


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [
        (-0.05, 0.04, "better"),
        (0.0, 0.01, "as good"),
        (0.0, 0.05, "undecided"),
        (0.1, 0.05, "worse"),
    ],
)
def test_it_may_be_worse_by_a_fiftieth_of_a_turn(value: float, half: float, verdict: str) -> None:
    assert _verdict(Estimate(value, half)) == verdict
