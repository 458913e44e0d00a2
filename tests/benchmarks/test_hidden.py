"""`python -m benchmarks hidden`, small."""

import json
from pathlib import Path

import pytest

from arena.errors import UserError
from benchmarks import hidden
from benchmarks.hidden import SHOOTERS, Settings, run


def test_goes_on_from_its_file_and_plays_each_layout_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "hidden.json"
    list(run(Settings(layouts=2, workers=1, out=out)))
    first = json.loads(out.read_bytes())
    *_, table, outcome = run(Settings(layouts=3, workers=1, out=out))
    assert first.items() < json.loads(out.read_bytes()).items()
    assert json.loads(outcome)["adjusted"].keys() == SHOOTERS.keys()
    assert table.count("`value_search`") == 3

    def none_missing(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(hidden, "game_at", none_missing)
    *_, again, _ = run(Settings(layouts=3, workers=1, out=out))
    assert again == table


def test_a_file_that_is_none_of_what_was_found_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("not JSON", encoding="ascii")
    with pytest.raises(UserError, match="give another file"):
        list(run(Settings(layouts=2, workers=1, out=out)))
    assert out.read_text(encoding="ascii") == "not JSON"
