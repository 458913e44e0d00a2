"""Folders for copies of bots, made by several processes at once."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.entrants import private_folder

MANY = """
import sys
from pathlib import Path
from arena.entrants import private_folder
for _ in range(500):
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
