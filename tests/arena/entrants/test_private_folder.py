"""Folders for copies of bots, made by several processes at once."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.entrants import private_folder
from arena.entrants.hashed_files import write

MANY = """
import sys
from pathlib import Path
from arena.entrants import private_folder
for _ in range(200):
    with private_folder(Path(sys.argv[1])) as folder:
        assert folder.exists()
"""


def test_processes_that_make_folders_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MANY, str(tmp_path)]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    told = [process.communicate()[1] for process in running]
    assert told == [""] * 4
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_takes_for_abandoned_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = tempfile.mkdtemp
    made: list[str] = []

    def make_and_lose(prefix: str, dir: Path) -> str:  # noqa: A002 - as it is called
        made.append(folder := make(prefix=prefix, dir=dir))
        if len(made) == 1:  # as another process would that looks just now
            with private_folder(dir):
                assert not Path(folder).exists()
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_lose)
    with private_folder(tmp_path) as folder:
        assert str(folder) == made[-1]
        assert folder.stat().st_mode & 0o777 == 0o711


def test_abandoned_folders_alone_are_removed(tmp_path: Path) -> None:
    place, mine = tmp_path / "temporary", tmp_path / "mine"
    abandoned = place / "salvo-bots-abandoned" / "bot"
    for folder in (abandoned, mine, place / "others"):
        folder.mkdir(parents=True)
        (folder / "file").touch()
    abandoned.chmod(0o555)
    mine.chmod(0o755)
    (place / "salvo-bots-link").symlink_to(mine)
    (place / "salvo-bots-file").touch()
    with private_folder(place) as first, private_folder(place) as second:
        there = {"others", "salvo-bots-link", "salvo-bots-file", first.name, second.name}
        assert {path.name for path in place.iterdir()} == there
    assert mine.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in mine.iterdir()] == ["file"]


@pytest.mark.parametrize("taken", ["a file", "a link", "a link to a file"])
def test_nothing_is_written_where_something_is(tmp_path: Path, taken: str) -> None:
    place, elsewhere = tmp_path / "place", tmp_path / "elsewhere"
    if taken == "a link to a file":
        elsewhere.write_bytes(b"before")
    if taken == "a file":
        place.write_bytes(b"before")
    else:
        place.symlink_to(elsewhere)
    with pytest.raises(FileExistsError):
        write(place, [b"after"])
    with pytest.raises(FileExistsError):
        write(place, [], link="somewhere")
    assert elsewhere.exists() == (taken == "a link to a file")
    assert taken == "a link" or place.read_bytes() == b"before"
