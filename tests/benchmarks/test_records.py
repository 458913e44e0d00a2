"""Games of two records are compared by all that bots did."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.compared.records import compare_records

GAMES = 4
BOTS = ("uniform_random", "hunt_target")


def play(record: Path, *options: str) -> Path:
    command = [sys.executable, "-m", "salvo", "match", *BOTS, "--games", str(GAMES)]
    command += ["--rules", "ramesh-1", "--isolation", "none", "--workers", "1"]
    command += ["--db", str(record), "--tournament", "compared", *options]
    subprocess.run(command, cwd=record.parent, check=True, capture_output=True)
    return record


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return play(tmp_path / "one.sqlite3")


def test_a_record_played_again_is_the_same(record: Path) -> None:
    found = compare_records(record, play(record.with_name("again.sqlite3")))
    assert (found.games, found.differing, list(found.lines())) == (GAMES, {}, [])


def test_other_shots_are_told_with_who_played(record: Path) -> None:
    found = compare_records(record, play(record.with_name("other.sqlite3"), "--seed", "2"))
    assert len(found.differing) == GAMES
    assert {frozenset(bots) for bots in found.differing.values()} == {frozenset(BOTS)}
    *_, last = found.lines()
    assert last in {
        f"games that differ: {GAMES} of {one}, {GAMES} of {other}"
        for one, other in (BOTS, BOTS[::-1])
    }


def test_missing_games_differ(record: Path) -> None:
    less = play(record.with_name("less.sqlite3"), "--games", "2")
    for pair in ((record, less), (less, record)):
        found = compare_records(*pair)
        assert (found.games, len(found.differing)) == (GAMES, GAMES - 2)
