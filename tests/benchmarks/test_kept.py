"""What a benchmark has found is read when the same command runs again."""

from pathlib import Path

import pytest

from arena.errors import UserError
from benchmarks import kept
from benchmarks.kept import Kept


def test_what_was_kept_is_found_by_its_words(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    one, two = Kept(path), Kept(path)  # two commands at once
    one.keep("a", [1.5, 2.5])
    two.keep("b", [3.5])
    assert one.get("a", list) == [1.5, 2.5]
    assert [Kept(path).get(words, list) for words in "abc"] == [[1.5, 2.5], [3.5], None]


def test_what_other_code_found_is_not_taken_for_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.jsonl"
    Kept(path).keep("a", 1)
    monkeypatch.setattr(kept, "source", lambda: "other")
    assert Kept(path).get("a", int) is None
    Kept(path).keep("a", 2)
    monkeypatch.undo()
    assert Kept(path).get("a", int) == 1


@pytest.mark.parametrize("content", [b"not JSON\n", b"{}\n", b'{"name": 1}', b'"\xff"\n', b"\n"])
def test_a_file_that_none_wrote_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"line 1: .*; give another file"):
        Kept(path)
    assert path.read_bytes() == content


def test_a_folder_that_does_not_exist_is_named_before_anything_is_found(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no folder"):
        Kept(tmp_path / "none" / "kept.jsonl")
