"""The benchmark of self_play; `tox -e deep` has PyTorch."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from benchmarks.__main__ import bench


def test_self_play_is_trained_by_each_seed_once_and_plays_others(tmp_path: Path) -> None:
    words = ["self-play", "--games", "12", "--seeds", "2", "--pairs", "2", "--workers", "1"]
    words += ["--against", "hunt_target", "--out", str(tmp_path / "out")]
    words += ["--db", str(tmp_path / "games.sqlite3")]
    first, again = (CliRunner().invoke(bench, words, catch_exceptions=False) for _ in range(2))
    assert "training by seed 2" in first.stderr
    assert "training" not in again.stderr
    assert first.stdout == again.stdout
    outcome = json.loads(first.stdout.splitlines()[-1])
    assert len(outcome["won"]["hunt_target"]) == 2
    assert "| `hunt_target` | 2      | 4 " in first.stdout
