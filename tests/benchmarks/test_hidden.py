"""`python -m benchmarks hidden`, small."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import hidden
from benchmarks.hidden import SHOOTERS, Settings, run


def test_goes_on_from_its_file_and_plays_each_layout_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "hidden.npz"
    list(run(Settings(layouts=2, workers=1, out=out)))
    with np.load(out) as first:
        short = {name: first[name].tolist() for name in first.files}
    *_, table, outcome = run(Settings(layouts=3, workers=1, out=out))
    with np.load(out) as second:
        assert {name: second[name].tolist()[:2] for name in second.files} == short
    assert json.loads(outcome)["adjusted"].keys() == SHOOTERS.keys()
    assert table.count("`value_search`") == 3

    def none_missing(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(hidden, "game_at", none_missing)
    *_, again, _ = run(Settings(layouts=3, workers=1, out=out))
    assert again == table
