"""Folders in memory are mounted over folders of the host that a bot does not see."""

from pathlib import Path

import pytest

from arena.isolation import temporary
from arena.isolation.temporary import InMemory, folders_in_memory


def test_each_is_mounted_over_a_folder_that_the_box_does_not_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    monkeypatch.setattr(temporary, "_PLACES", (str(first), "/no/such/folder", str(second)))
    both = [InMemory("/tmp", str(first), 16), InMemory("/dev/shm", str(second), 8)]  # noqa: S108 - in a box
    sizes_mb = {one.path: one.megabytes for one in both}
    assert folders_in_memory(sizes_mb, [str(tmp_path / "third")]) == both
    with pytest.raises(FileNotFoundError, match="too few are there to mount 2 folders over"):
        folders_in_memory(sizes_mb, [str(first / "bot.py")])
