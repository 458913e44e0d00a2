"""Packed bots: what is sent to another machine, and what is made of it there."""

import sys
from pathlib import Path

import pytest

from arena.entrants import Copies, Terms, pack, parse_entrant, unpack
from arena.entrants.packed_bot import Packed
from arena.errors import BotError
from arena.isolation import Program


def write(path: Path, text: str = "1", mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def modes(folder: Path) -> dict[str, int]:
    return {
        path.relative_to(folder).as_posix(): path.lstat().st_mode & 0o7777
        for path in sorted(folder.rglob("*"))
        if not path.is_symlink()
    }


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """Return a bot that is a folder, with a program, a module, a link and what is granted."""
    team = tmp_path / "team"
    write(team / "rows.sh", "#!/bin/sh\n", 0o755)
    write(team / "data" / "v2" / "w")
    (team / "data" / "latest").symlink_to("v2")
    write(team / "shared" / "library")
    write(team / "bot.toml", 'command = "sh rows.sh data/v2/w shared/library"')
    return team


def test_folder_is_packed_with_places_from_its_own(team: Path) -> None:
    shared = str(team / "shared")
    packed = pack(parse_entrant(str(team), {}, Terms(grants=(shared,))))
    program = packed.program
    argv = ("sh", "{bot}/0/rows.sh", "{bot}/0/data/v2/w", f"{shared}/library")
    assert (program.argv, program.files, program.packages) == (argv, ("{bot}/0",), ())
    assert program.folder == program.import_folder == "{bot}/0"
    toml = (team / "bot.toml").read_bytes()
    assert packed.files == (
        Packed("0/bot.toml", toml),
        Packed("0/data/latest", link="v2"),
        Packed("0/data/v2/w", b"1"),
        Packed("0/rows.sh", b"#!/bin/sh\n", executable=True),
    )


def test_folder_is_unpacked_for_everybody_to_read_and_nobody_to_write(
    team: Path, tmp_path: Path
) -> None:
    packed = pack(parse_entrant(str(team), {}, Terms(grants=(str(team / "shared"),))))
    place = tmp_path / "there"
    place.mkdir()
    program = unpack(packed, place, (Path("/packages/bots"),))
    own = f"{place}/0"
    assert program.argv[:3] == ("sh", f"{own}/rows.sh", f"{own}/data/v2/w")
    assert (program.folder, program.import_folder, program.files) == (own, own, (own,))
    assert program.packages == ("/packages/bots",)
    assert modes(place) == {
        "0": 0o555,
        "0/bot.toml": 0o444,
        "0/data": 0o555,
        "0/data/v2": 0o555,
        "0/data/v2/w": 0o444,
        "0/rows.sh": 0o555,
    }
    assert (place / "0/data/latest").readlink() == Path("v2")
    assert place.stat().st_mode & 0o777 == 0o555


def test_options_that_are_files_are_packed_from_where_they_lie(tmp_path: Path) -> None:
    script = write(tmp_path / "bots" / "mine.py")
    book, near = write(tmp_path / "books" / "book"), write(script.parent / "more" / "near")
    packed = pack(parse_entrant(f"{script} {book} {near} --fast", {}))
    argv = ("{python}", "-P", "{bot}/0/mine.py", "{bot}/2/book", "{bot}/0/more/near", "--fast")
    assert packed.program.argv == argv
    assert packed.program.files == ("{bot}/0/mine.py", "{bot}/2/book", "{bot}/0/more/near")
    assert packed.program.import_folder is None
    places = [file.place for file in packed.files]
    assert places == ["0/mine.py", "2/book", "0/more/near"]
    place = tmp_path / "there"
    place.mkdir()
    program = unpack(packed, place, ())
    assert program.argv[:3] == (sys.executable, "-P", f"{place}/0/mine.py")


def test_folder_without_files_of_its_own_is_made_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Copies([parse_entrant("silent=sh -c true", {})]) as copies:
        program = copies.bots["silent"]
        assert isinstance(program, Program)
        assert program.argv[1:] == ("-c", "true")
        assert Path(program.folder).is_relative_to(copies.folder)
        assert list(Path(program.folder).iterdir()) == []
        copies.refuse_changed(["silent", "unknown"])


def test_bot_that_was_changed_since_is_not_packed(team: Path) -> None:
    entrant = parse_entrant(str(team), {})
    write(team / "data" / "v2" / "w", "2")
    with pytest.raises(BotError, match="v2/w': it was changed since it was read; try again"):
        pack(entrant)
    (team / "data" / "v2" / "w").unlink()
    with pytest.raises(BotError, match=r"bot team: it cannot be read: .*No such file"):
        pack(entrant)


def test_copy_that_was_changed_is_refused(team: Path) -> None:
    with Copies([parse_entrant(str(team), {})]) as copies:
        program = copies.bots["team"]
        assert isinstance(program, Program)
        copies.refuse_changed(["team"])
        Path(program.folder).chmod(0o755)
        write(Path(program.folder) / "new")
        with pytest.raises(BotError, match=r"^team: its files were changed while it played"):
            copies.refuse_changed(["team"])
