"""`python -m benchmarks hidden`, small."""

import json
from pathlib import Path

import pytest

from benchmarks import hidden
from benchmarks.hidden import SHOOTERS, Settings, run


def test_goes_on_from_its_file_and_plays_each_layout_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "hidden.jsonl"
    list(run(Settings(layouts=2, workers=1, out=out)))
    first = out.read_bytes()
    *_, table, outcome = run(Settings(layouts=3, workers=1, out=out))
    assert out.read_bytes().startswith(first)
    assert out.read_bytes().count(b"\n") == 3 * len(SHOOTERS)
    assert json.loads(outcome)["adjusted"].keys() == SHOOTERS.keys()
    assert table.count("`value_search`") == 3

    def none_missing(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(hidden, "game_for_two", none_missing)
    *_, again, _ = run(Settings(layouts=3, workers=1, out=out))
    assert again == table
