"""Damaged shards: no merged game differs from the one that was played, and the file is named."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import bench
from benchmarks.damage import (
    BY_CHECKSUM,
    BY_SQLITE,
    KINDS,
    WRONG,
    _outcome,
    damage_and_use,
    play_shards,
)


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return play_shards(tmp_path_factory.mktemp("shards"))


@pytest.mark.parametrize(("kind", "number"), list(zip(KINDS, (70, 8, 8), strict=True)))
def test_damaged_shard_comes_to_what_was_played_or_is_named(
    shards: list[Path], kind: str, number: int
) -> None:
    found = Counter[str]()
    for seed in range(number):
        for how, outcome in damage_and_use(shards, kind, f"test {kind} {seed}").items():
            assert outcome.what != WRONG, f"{seed} {how}: {outcome.why}"
            found[outcome.what] += 1
    assert found[BY_SQLITE]
    assert found[BY_CHECKSUM] or kind != "overwritten"


def test_other_games_and_another_error_than_one_line_count_as_wrong() -> None:
    hit = Path("hit")

    def fail() -> bool:
        raise KeyError(1)

    assert _outcome(lambda: False, hit, []).what == WRONG
    assert _outcome(fail, hit, []).what == WRONG


def test_benchmark_prints_the_counts() -> None:
    result = CliRunner().invoke(bench, ("damage", "--shards", "3"), catch_exceptions=False)
    *text, last = result.stdout.splitlines()
    assert any(line.startswith("overwritten, merged") for line in text)
    assert json.loads(last)["wrong"] == 0
