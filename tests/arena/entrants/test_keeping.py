"""Copies of bots: as many files as the hash covers, and the same hash wherever they lie."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.entrants import Terms, keep, parse_entrant
from arena.entrants.folder import Folder, Item
from arena.errors import BotError

BOT = "print('a bot')\n"


def write(path: Path, text: str = BOT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def kept(bot: Path, folder: Path) -> list[str]:
    """Copy a bot, see that the copy has the hash of the original, and return what was copied."""
    place = folder / "kept here"
    place.mkdir()
    name = keep(bot, place, Terms()).relative_to(place)
    moved = place.rename(folder / "moved there")
    copy = parse_entrant(f"copy={moved / name}", {})
    assert copy.digest == parse_entrant(f"named={bot}", {}).digest
    assert all(str(moved) in file for file in copy.program.files)
    files = sorted(path for path in moved.rglob("*") if not path.is_dir() or path.is_symlink())
    return [path.relative_to(moved).as_posix() for path in files]


def test_a_file_is_kept_with_the_toml_beside_it_and_what_that_names(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.js", "#!/usr/bin/env node\n")
    write(tmp_path / "bot.js.toml", 'files = ["bot.js.files/openings.txt", "bot.js.files/more"]')
    for name in ("openings.txt", "more/a", "unnamed"):
        write(tmp_path / "bot.js.files" / name)
    write(tmp_path / "unrelated.txt")
    files = ["bot.js", "bot.js.files/more/a", "bot.js.files/openings.txt", "bot.js.toml"]
    assert kept(bot, tmp_path) == files


def test_a_folder_is_kept_but_for_what_is_hidden_or_compiled(tmp_path: Path) -> None:
    for name in ("bot.py", "weights/w.bin", ".git/config", "__pycache__/bot.pyc"):
        write(tmp_path / "deep" / name)
    assert kept(tmp_path / "deep", tmp_path) == ["deep/bot.py", "deep/weights/w.bin"]


def test_what_is_hidden_is_kept_where_the_toml_names_it(tmp_path: Path) -> None:
    for name in ("bot.py", ".weights/w.bin"):
        write(tmp_path / "deep" / name)
    write(tmp_path / "deep" / "bot.toml", 'files = [".weights"]')
    files = ["deep/.weights/w.bin", "deep/bot.py", "deep/bot.toml"]
    assert kept(tmp_path / "deep", tmp_path) == files


def test_a_link_to_a_file_inside_is_kept_as_that_file(tmp_path: Path) -> None:
    deep = write(tmp_path / "deep" / "bot.py").parent
    write(deep / ".store" / "v2.bin", "weights")
    (deep / "one").symlink_to("two")
    (deep / "two").symlink_to(deep / ".store" / "v2.bin")
    assert kept(deep, tmp_path) == ["deep/bot.py", "deep/one", "deep/two"]
    copy = tmp_path / "moved there" / "deep" / "one"
    assert not copy.is_symlink()
    assert copy.read_text("utf-8") == "weights"


def test_a_link_to_a_folder_inside_is_kept_as_a_link(tmp_path: Path) -> None:
    deep = write(tmp_path / "deep" / "bot.py").parent
    write(deep / "data" / "v2" / "w.bin")
    (deep / "data" / "latest").symlink_to(deep / "data" / "v2")
    (deep / "round").symlink_to(".")
    files = ["deep/bot.py", "deep/data/latest", "deep/data/v2/w.bin", "deep/round"]
    assert kept(deep, tmp_path) == files
    assert (tmp_path / "moved there/deep/data/latest").readlink() == Path("v2")


def test_a_link_to_installed_software_is_kept_as_a_link(tmp_path: Path) -> None:
    deep = write(tmp_path / "deep" / "bot.py").parent
    (deep / "env").symlink_to("/usr/bin/env")
    assert kept(deep, tmp_path) == ["deep/bot.py", "deep/env"]
    assert (tmp_path / "moved there/deep/env").readlink() == Path("/usr/bin/env").resolve()


def test_the_right_to_be_executed_is_kept_and_no_other(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot", "#!/bin/sh\n")
    bot.chmod(0o6777)
    kept(bot, tmp_path)
    assert (tmp_path / "moved there" / "bot").stat().st_mode & 0o7777 == 0o755


def test_files_of_the_machine_are_not_copied(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.js")
    write(tmp_path / "bot.js.toml", 'files = ["/usr/bin/env"]\ncommand = "cat"')
    place = tmp_path / "kept"
    place.mkdir()
    keep(bot, place, Terms())
    assert sorted(path.name for path in place.iterdir()) == ["bot.js", "bot.js.toml"]


def test_what_cannot_be_copied_is_reported(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.py")
    with pytest.raises(BotError, match="it cannot be copied to"):
        keep(bot, write(tmp_path / "a file"), Terms())


@pytest.mark.parametrize("name", ["bot.py", "weights", "bot.toml"])
def test_a_hard_link_to_somebody_elses_file_is_not_copied(tmp_path: Path, name: str) -> None:
    bot = write(tmp_path / "team" / "bot.py").parent
    place = tmp_path / "league"
    place.mkdir()
    secret = write(tmp_path / "league.toml", "memory_mb = 512\n")
    (bot / name).unlink(missing_ok=True)
    (bot / name).hardlink_to(secret)
    with pytest.raises(BotError, match=rf"'{name}' is a hard link.* submit a copy"):
        keep(bot, place, Terms())
    # Its owner plays it where it is: tools link what they install.
    assert parse_entrant(str(bot), {}).digest


def test_a_file_that_becomes_a_hard_link_while_it_is_copied_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write(tmp_path / "team" / "bot.py").parent
    secret = write(tmp_path / "secret")
    listed = Folder.items

    def then_link(folder: Folder, names: Iterable[str] = (".",)) -> list[Item]:
        items = listed(folder, names)
        (bot / "bot.py").unlink()
        (bot / "bot.py").hardlink_to(secret)
        return items

    monkeypatch.setattr(Folder, "items", then_link)
    place = tmp_path / "league"
    place.mkdir()
    with pytest.raises(BotError, match=r"'bot.py' is a hard link"):
        keep(bot, place, Terms())
