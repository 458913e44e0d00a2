"""Bots' folders that were made to reach, block or fill up what they are read on."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.entrants import Terms, keep, parse_entrant
from arena.entrants.content import MAX_SOURCE_KB
from arena.entrants.folder import MAX_DEPTH, MAX_MB, Folder
from arena.errors import BotError

SECRET = "a secret of the operator\n"  # noqa: S105 - it is none


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """Return a bot that is a folder, beside a file that is none of its business."""
    (tmp_path / "secret").write_text(SECRET, encoding="utf-8")
    team = tmp_path / "inbox" / "team"
    team.mkdir(parents=True)
    (team / "bot.py").write_text("from arena import Bot\n", encoding="utf-8")
    return team


def refused(team: Path, place: Path) -> str:
    """See that a bot is neither parsed nor copied, and return the one line that says why."""
    with pytest.raises(BotError) as parsing:
        parse_entrant(str(team), {})
    place.mkdir(exist_ok=True)
    with pytest.raises(BotError):
        keep(team, place, Terms())
    copied = [path for path in place.rglob("*") if path.is_file()]
    assert not any(SECRET.encode() in path.read_bytes() for path in copied)
    assert "\n" not in str(parsing.value)
    return str(parsing.value)


@pytest.mark.parametrize(
    "target",
    [
        "/etc/passwd",
        "../../secret",
        "..",
        "../..",
        "/",
        "/proc/self/environ",
        "../rival",
        "/nowhere",
    ],
)
def test_a_link_that_leaves_the_folder_is_refused_by_name(
    target: str, team: Path, tmp_path: Path
) -> None:
    (team / "data").mkdir()
    (team / "data" / "innocent").symlink_to(target if target[0] == "/" else f"../{target}")
    reason = refused(team, tmp_path / "kept")
    assert "its link 'data/innocent' leads out of its folder, to '/" in reason
    assert "put a copy in its place, or let every bot read that with --grant" in reason


def test_a_link_that_leaves_by_way_of_another_is_refused(team: Path, tmp_path: Path) -> None:
    (team / ".way").symlink_to(tmp_path / "secret")
    (team / "innocent").symlink_to(".way")
    assert "its link 'innocent' leads out of its folder" in refused(team, tmp_path / "kept")


def test_a_link_through_software_to_elsewhere_is_refused(team: Path, tmp_path: Path) -> None:
    up = "../" * 20
    (team / "innocent").symlink_to(f"/usr/{up}{tmp_path}/secret")
    assert "its link 'innocent' leads out of its folder" in refused(team, tmp_path / "kept")


def test_a_link_to_a_hidden_folder_is_refused(team: Path, tmp_path: Path) -> None:
    (team / "data" / ".store").mkdir(parents=True)
    (team / "latest").symlink_to("data/.store")
    reason = "its link 'latest' leads to a hidden folder; rename that"
    assert refused(team, tmp_path / "kept").endswith(reason)


def test_links_that_lead_nowhere_are_left_out(team: Path) -> None:
    for name, target in (("a", "b"), ("b", "a"), ("self", "self"), ("file", "bot.py/in it")):
        (team / name).symlink_to(target)
    with Folder(team) as folder:
        assert [item.name for item in folder.items()] == ["bot.py"]


def test_a_link_to_software_that_not_all_may_read_is_refused(
    team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").chmod(0o600)
    monkeypatch.setattr("arena.entrants.needs.SOFTWARE", (str(tmp_path),))
    (team / "innocent").symlink_to(tmp_path / "secret")
    assert "its link 'innocent' leads out of its folder" in refused(team, tmp_path / "kept")


def test_a_link_to_what_the_operator_grants_is_kept(team: Path, tmp_path: Path) -> None:
    (team / "data").symlink_to(tmp_path / "secret")
    terms = Terms(grants=(str(tmp_path / "secret"),))
    assert str(tmp_path / "secret") in parse_entrant(str(team), {}, terms).program.grants
    place = tmp_path / "kept"
    place.mkdir()
    assert (keep(team, place, terms) / "data").readlink() == tmp_path / "secret"


def test_a_file_that_leads_to_a_rival_in_its_own_folder_is_refused(team: Path) -> None:
    rival = team.parent / "rival.py"
    rival.write_text(SECRET, encoding="utf-8")
    alice = team.parent / "alice.py"
    alice.write_text("", encoding="utf-8")
    (team.parent / "alice.py.files").mkdir()
    (team.parent / "alice.py.files" / "openings").symlink_to(rival)
    (team.parent / "alice.py.toml").write_text('files = ["alice.py.files"]', encoding="utf-8")
    with pytest.raises(BotError, match=r"its link 'alice\.py\.files/openings' leads out"):
        parse_entrant(str(alice), {})


def fifo(path: Path) -> None:
    os.mkfifo(path)


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        folder = os.open(path.parent, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{folder}/{path.name}")  # a path of a socket must be short
        os.close(folder)


@pytest.mark.parametrize("make", [fifo, bound])
@pytest.mark.parametrize("name", ["bot.py", "bot.toml", "weights.bin"])
def test_what_is_neither_a_file_nor_a_folder_is_refused(
    name: str, make: Callable[[Path], None], team: Path, tmp_path: Path
) -> None:
    (team / name).unlink(missing_ok=True)
    make(team / name)
    assert f"'{name}' in it is neither a file nor a folder" in refused(team, tmp_path / "kept")


@pytest.mark.parametrize("name", ["bot.py", "bot.toml", "weights.bin"])
def test_a_device_behind_a_link_is_refused(name: str, team: Path, tmp_path: Path) -> None:
    (team / name).unlink(missing_ok=True)
    (team / name).symlink_to("/dev/zero")
    reason = refused(team, tmp_path / "kept")
    assert "it is not a file" in reason if name == "bot.toml" else "/dev/zero" in reason


def test_a_folder_in_the_place_of_a_toml_is_refused(team: Path, tmp_path: Path) -> None:
    (team / "bot.toml").mkdir()
    (team / "bot.toml" / "bot.toml").write_text("memory_mb = 2000", encoding="utf-8")
    assert "it is not a file; remove it" in refused(team, tmp_path / "kept")


def test_folders_may_lie_in_each_other_sixteen_deep(team: Path, tmp_path: Path) -> None:
    deep = team.joinpath(*["d"] * MAX_DEPTH)
    deep.mkdir(parents=True)
    (deep / "weights").touch()
    with Folder(team) as folder:
        assert [item.name for item in folder.items()] == ["bot.py", "d/" * 16 + "weights"]
    (deep / "d").mkdir()
    assert "more than 16 folders lie inside each other" in refused(team, tmp_path / "kept")


@pytest.mark.parametrize("name", ["{}", ".{}"])
def test_files_without_number_are_refused(
    name: str, team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.entrants.folder.MAX_ENTRIES", 4)
    for number in range(3):
        (team / name.format(number)).touch()
    assert parse_entrant(str(team), {}).digest
    (team / name.format(3)).touch()
    reason = "more than 4 files and folders lie in it; leave out what it does not read"
    assert reason in refused(team, tmp_path / "kept")


def test_a_folder_that_is_named_again_and_again_is_refused(
    team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.entrants.folder.MAX_ENTRIES", 20)
    (team / "bot.toml").write_text(f"files = {['.'] * 9}", encoding="utf-8")
    assert parse_entrant(str(team), {}).digest  # of two entries, ten times
    (team / "bot.toml").write_text(f"files = {['.'] * 10}", encoding="utf-8")
    with pytest.raises(BotError, match="more than 20 files and folders lie in it"):
        parse_entrant(str(team), {})


def test_files_without_size_are_refused(team: Path, tmp_path: Path) -> None:
    for name, size in (("a.bin", 1_000_000_000), ("b.bin", 24_000_000)):
        (team / name).touch()
        os.truncate(team / name, size)
    (team / "bot.py").write_bytes(b"")
    with Folder(team) as folder:
        assert sum(item.size for item in folder.items()) == MAX_MB * 1_000_000
    os.truncate(team / "b.bin", 24_000_001)
    reason = "its files have more than 1024 MB together, with 'b.bin'"
    assert reason in refused(team, tmp_path / "kept")


def test_a_list_without_end_is_not_searched(team: Path) -> None:
    (team / "bot.py").write_bytes(b"import arena\n".ljust(MAX_SOURCE_KB * 1000, b"#"))
    assert parse_entrant(str(team), {}).digest
    (team / "data.py").write_bytes(b"import arena\n".ljust(MAX_SOURCE_KB * 1000 + 1, b"#"))
    with pytest.raises(BotError, match=r"'data\.py': it has more than 512 KB of Python"):
        parse_entrant(str(team), {})


def test_many_long_sources_are_not_all_searched(team: Path) -> None:
    (team / "bot.py").write_bytes(b"import arena\n".ljust(256_000, b"#"))
    (team / "more.py").write_bytes(b"import arena\n".ljust(256_000, b"#"))
    (team / "other.py").write_bytes(b"import numpy\n".ljust(256_000, b"#"))  # not searched
    assert parse_entrant(str(team), {}).digest
    (team / "more.py").write_bytes(b"import arena\n".ljust(256_001, b"#"))
    with pytest.raises(BotError, match="its Python files together have more than 512 KB"):
        parse_entrant(str(team), {})


@pytest.mark.parametrize(
    "text",
    [
        f"import arena{'.a' * 200_000}",
        "from arena import (a\n" * 20_000,
        f"from arena import {','.join(map(str, range(70_000)))}",
        f"import arena; {'(' * 400_000}",
    ],
    ids=["long name", "unclosed", "many names", "nested"],
)
def test_a_source_made_costly_to_search_is_searched_anyway(text: str, team: Path) -> None:
    (team / "bot.py").write_text(text, encoding="utf-8")
    assert parse_entrant(str(team), {}).digest


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#" * 8001, "it has 8,001 bytes; the limit is 8 KB"),
        (f"memory_mb = {'[' * 7000}", "it is nested too deeply"),
        (f"memory_mb = {'9' * 7000}", "Exceeds the limit"),
        (f'files = ["{"x" * 7000}"]', "there is no 'xxx"),
    ],
)
def test_a_toml_that_was_made_to_cost_is_refused(text: str, reason: str, team: Path) -> None:
    (team / "bot.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BotError) as refusal:
        parse_entrant(str(team), {})
    assert reason in str(refusal.value)
    assert len(str(refusal.value)) < 500


def test_what_becomes_a_link_while_it_is_read_is_not_followed(team: Path, tmp_path: Path) -> None:
    (team / "weights").mkdir()
    (team / "weights" / "secret").write_text("x" * len(SECRET), encoding="utf-8")
    with Folder(team) as folder:
        before = {item.name: item for item in folder.items()}["weights/secret"]
        (team / "weights" / "secret").unlink()
        (team / "weights" / "secret").symlink_to(tmp_path / "secret")
        with pytest.raises(OSError, match="symbolic links"):
            list(folder.read(before))
        (team / "weights" / "secret").unlink()
        (team / "weights").rmdir()
        (team / "weights").symlink_to(tmp_path)
        with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
            list(folder.read(before))


def test_a_folder_that_is_exchanged_while_it_is_read_stays_what_it_was(
    team: Path, tmp_path: Path
) -> None:
    with Folder(team) as folder:
        team.rename(tmp_path / "moved")
        team.symlink_to(tmp_path)
        assert [item.name for item in folder.items()] == ["bot.py"]


@pytest.mark.parametrize("change", [b"", b"longer than it was"])
def test_a_file_that_changes_while_it_is_read_is_refused(change: bytes, team: Path) -> None:
    (team / "weights").write_bytes(b"weights")
    with Folder(team) as folder:
        before = {item.name: item for item in folder.items()}["weights"]
        (team / "weights").write_bytes(change)
        with pytest.raises(BotError, match="'weights' in it was changed while it was read"):
            list(folder.read(before))


def test_a_fifo_that_takes_the_place_of_a_file_does_not_block(team: Path) -> None:
    with Folder(team) as folder:
        [before] = folder.items()
        (team / "bot.py").unlink()
        os.mkfifo(team / "bot.py")
        with pytest.raises(BotError, match="was changed while it was read"):
            list(folder.read(before))
