"""Where something is to be written is looked at before hours of games."""

import os
from pathlib import Path
from typing import Any

import click
import pytest

from arena.errors import UserError
from salvo.cli.options.output_options import make_folder, refuse_table, to_write
from salvo.cli.terminal.output import echo_lines, write_page


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make one path that cannot be written, also where whoever tests may do anything."""
    path = Path("closed").absolute()
    access = os.access

    def refused(asked: Path, mode: int) -> bool:
        return access(asked, mode) and not (asked.absolute() == path and mode == os.W_OK)

    monkeypatch.setattr(os, "access", refused)
    return path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(path: str) -> Path | None:
    context: Any = None
    return to_write(context, click.Option(["--report"]), Path(path) if path else None)


def test_folder_is_made_with_those_above_it() -> None:
    for _ in range(2):
        make_folder(Path("one/two"), "--log")
        assert Path("one/two").is_dir()


def test_folder_that_cannot_be_made_or_written_is_refused(read_only: Path) -> None:
    Path("file").touch()
    with pytest.raises(UserError, match=r"^--log file/two: the folder cannot be made: Not a dir"):
        make_folder(Path("file/two"), "--log")
    read_only.mkdir()
    with pytest.raises(UserError, match=r"^--log closed: the folder cannot be written; name ano"):
        make_folder(Path("closed"), "--log")


def test_file_is_written_into_a_folder_that_is_there() -> None:
    assert written("") is None
    assert written("page.html") == Path("page.html")
    with pytest.raises(UserError, match=r"^--report none/page.html: there is no folder .*none; "):
        written("none/page.html")


def test_file_or_folder_that_cannot_be_written_is_refused(read_only: Path) -> None:
    told = "cannot be written; name another file"
    read_only.mkdir()
    with pytest.raises(UserError, match=f"^--report closed/page.html: {told}"):
        written("closed/page.html")
    Path("closed/page.html").touch()
    assert written("closed/page.html") == Path("closed/page.html")  # it is there already
    Path("closed/page.html").unlink()
    read_only.rmdir()
    read_only.touch()
    with pytest.raises(UserError, match=f"^--report closed: {told}"):
        written("closed")


def test_one_table_is_chosen_for_csv_alone() -> None:
    refuse_table(None, "table")
    refuse_table(None, "csv")
    refuse_table("elo", "csv")
    with pytest.raises(UserError, match=r"^--table elo: only --format csv is one table"):
        refuse_table("elo", "json")


def test_page_is_written_as_text_or_bytes() -> None:
    write_page("ä", Path("page.html"), "--report")
    assert Path("page.html").read_bytes() == "ä".encode()
    write_page(b"\xff", Path("page.html"), "--png")
    assert Path("page.html").read_bytes() == b"\xff"
    with pytest.raises(UserError, match=r"^--png none/a.png: cannot be written: No such file"):
        write_page(b"", Path("none/a.png"), "--png")


def test_every_line_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [str(number) for number in range(1234)]
    echo_lines(iter(lines))
    assert capsys.readouterr().out.splitlines() == lines
    echo_lines([])
    assert capsys.readouterr().out == ""
