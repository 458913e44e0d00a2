"""Copies of bots: as many files as the hash covers, and the same hash wherever they lie."""

from pathlib import Path

import pytest

from arena.entrants import keep, kept_bot, parse_entrant
from arena.errors import BotError

BOT = "print('a bot')\n"


def write(path: Path, text: str = BOT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def kept(text: str, folder: Path) -> tuple[list[str], tuple[str, ...]]:
    """Copy a bot, see that the copy has the hash of the original, and return what was copied."""
    place = folder / "kept here"
    place.mkdir()
    words = keep(text, {}, place)
    moved = place.rename(folder / "moved there")
    copy = parse_entrant(f"copy={kept_bot(words, moved)}", {})
    assert copy.digest == parse_entrant(text, {}).digest
    assert all(str(moved) in file for file in copy.program.files)
    files = sorted(path for path in moved.rglob("*") if path.is_file())
    return [path.relative_to(moved).as_posix() for path in files], words


def test_a_file_is_kept_with_the_toml_beside_it_and_what_that_names(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.js", "#!/usr/bin/env node\n")
    write(tmp_path / "bot.js.toml", 'files = ["data/openings.txt", "more"]')
    write(tmp_path / "data" / "openings.txt")
    write(tmp_path / "more" / "a")
    write(tmp_path / "unrelated.txt")
    files, words = kept(str(bot), tmp_path)
    assert files == ["bot.js", "bot.js.toml", "data/openings.txt", "more/a"]
    assert words == ("{bot}/bot.js",)


def test_a_folder_is_kept_but_for_what_is_hidden_or_compiled(tmp_path: Path) -> None:
    for name in ("bot.py", "weights/w.bin", ".git/config", "__pycache__/bot.pyc"):
        write(tmp_path / "deep" / name)
    files, _ = kept(str(tmp_path / "deep"), tmp_path)
    assert files == ["deep/bot.py", "deep/weights/w.bin"]


def test_options_are_kept_and_the_files_they_name(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.py")
    one = write(tmp_path / "one" / "w.bin", "1")
    two = write(tmp_path / "two" / "w.bin", "2")
    files, words = kept(f"{bot} --depth 3 '{one}' {two} {'x' * 5000}", tmp_path)
    assert files == ["bot.py", "more/w.bin", "w.bin"]
    assert words[:5] == ("{bot}/bot.py", "--depth", "3", "{bot}/w.bin", "{bot}/more/w.bin")


def test_of_a_command_its_script_is_kept(tmp_path: Path) -> None:
    script = write(tmp_path / "bot.sh", "cat\n")
    files, words = kept(f"sh {script} -x", tmp_path)
    assert files == ["bot.sh"]
    assert words == ("sh", "{bot}/bot.sh", "-x")


def test_a_bundled_bot_is_kept_like_any_other(tmp_path: Path) -> None:
    bot = write(tmp_path / "ours.py")
    (tmp_path / "kept").mkdir()
    assert keep("ours --fast", {"ours": bot}, tmp_path / "kept") == ("{bot}/ours.py", "--fast")


def test_the_right_to_be_executed_is_kept(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot", "#!/bin/sh\n")
    bot.chmod(0o755)
    kept(str(bot), tmp_path)
    assert (tmp_path / "moved there" / "bot").stat().st_mode & 0o777 == 0o755


def test_files_of_the_machine_are_not_copied(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.js")
    write(tmp_path / "bot.js.toml", 'files = ["/usr/bin/env"]\ncommand = "cat"')
    place = tmp_path / "kept"
    place.mkdir()
    keep(str(bot), {}, place)
    assert sorted(path.name for path in place.iterdir()) == ["bot.js", "bot.js.toml"]


def test_what_cannot_be_copied_is_told(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.py")
    with pytest.raises(BotError, match="it cannot be copied to"):
        keep(str(bot), {}, write(tmp_path / "a file"))
