"""The small TOML that tells what a bot needs."""

import shutil
from pathlib import Path

import pytest

from arena.entrants import Entrant, parse_entrant
from arena.errors import BotError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a bot that is a folder, and one that is a file."""
    monkeypatch.chdir(tmp_path)
    Path("team").mkdir()
    for path in ("team/rows.js", "team/openings.txt", "rows.js", "openings.txt"):
        Path(path).write_text("1", encoding="utf-8")
    Path("team/link").symlink_to("/etc/passwd")
    return tmp_path


def needs(text: str, path: str = "team/bot.toml") -> None:
    Path(path).write_text(text, encoding="utf-8")


def parse(text: str) -> Entrant:
    return parse_entrant(text, {})


def test_command_starts_a_folder_and_its_files_are_found_there(folder: Path) -> None:
    needs('command = "sh rows.js --book openings.txt"')
    team = folder / "team"
    program = parse("team --fast").program
    assert program.argv == (
        *("sh", str(team / "rows.js"), "--book", str(team / "openings.txt")),
        "--fast",
    )
    assert program.folder == str(team)
    assert program.files == (str(team),)


def test_command_may_be_a_list_of_words() -> None:
    needs('command = ["sh", "-c", "two words"]')
    assert parse("team").program.argv == ("sh", "-c", "two words")


def test_memory_and_processes_reach_the_program() -> None:
    needs('command = "sh"\nmemory_mb = 2048\nprocesses = true')
    assert parse("team").program.memory_mb == 2048
    assert parse("team").program.processes


def test_what_is_not_named_is_as_for_every_bot() -> None:
    needs('command = "sh"')
    assert parse("team").program.memory_mb == parse("rows.js").program.memory_mb == 1024
    assert not parse("team").program.processes


def test_files_that_are_named_may_be_read(folder: Path) -> None:
    needs(f'command = "sh"\nfiles = ["openings.txt", "{shutil.which("sh")}"]')
    openings = str(folder / "team" / "openings.txt")
    assert parse("team").program.files[:2] == (str(folder / "team"), openings)
    assert len(parse("team").program.files) == 3


def test_folder_of_python_may_have_needs_too(folder: Path) -> None:
    Path("team/bot.py").write_text("", encoding="utf-8")
    needs("memory_mb = 4096")
    program = parse("team").program
    assert program.argv[-1] == str(folder / "team" / "bot.py")
    assert program.memory_mb == 4096


def test_file_has_its_needs_beside_it_under_its_whole_name(folder: Path) -> None:
    needs('command = "sh rows.js"\nmemory_mb = 512', "rows.js.toml")
    needs("memory_mb = 99", "rows.toml")
    program = parse("rows.js").program
    assert program.argv == ("sh", str(folder / "rows.js"))
    assert program.memory_mb == 512


def test_needs_and_the_files_they_name_are_content() -> None:
    digests = [parse("rows.js").digest]
    needs('files = ["openings.txt"]', "rows.js.toml")
    digests.append(parse("rows.js").digest)
    Path("openings.txt").write_text("2", encoding="utf-8")
    digests.append(parse("rows.js").digest)
    needs('files = ["team"]', "rows.js.toml")
    digests.append(parse("rows.js").digest)
    Path("team/openings.txt").write_text("2", encoding="utf-8")
    digests.append(parse("rows.js").digest)
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("command =", "Invalid value"),
        ('memory = "1 GB"', "unknown field `memory`; the fields are command, files, memory_mb"),
        ("memory_mb = 1", "`int` >= 64 - at `$.memory_mb`"),
        ('memory_mb = "much"', "Expected `int`, got `str` - at `$.memory_mb`"),
        ("memory_mb = 1000000", "`int` <= 65536 - at `$.memory_mb`"),
        ('files = ["nowhere"]', "files: there is no 'nowhere'; name what lies in its own folder"),
        ('files = ["../openings.txt"]', "'../openings.txt' lies neither in its own folder nor"),
        ('files = ["/etc/passwd"]', "put it beside the bot"),
        ('files = ["link"]', "'link' lies neither"),
        ("files = 'openings.txt'", "Expected `array`, got `str` - at `$.files`"),
        ("command = ' '", "at `$.command`"),
        ("command = []", "at `$.command`"),
        ("""command = "sh 'unclosed" """, "No closing quotation"),
        ("memory_mb = 512", "no bot.py, and no bot.toml with a command"),
    ],
)
def test_needs_that_make_no_sense_are_refused_with_the_field(text: str, complaint: str) -> None:
    needs(text)
    with pytest.raises(BotError) as refusal:
        parse("team")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_needs_that_are_no_utf_8_are_refused() -> None:
    Path("team/bot.toml").write_bytes(b'command = "\xff"')
    with pytest.raises(BotError, match="codec can't decode"):
        parse("team")
