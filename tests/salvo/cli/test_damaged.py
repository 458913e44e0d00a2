"""Damaged records and full disks: one line that names the file, and nothing is left behind."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store, open_whole
from benchmarks.damage import contents, play_shards
from tests.arena.store.forged import write_checksums

Salvo = Callable[..., Any]

OUTPUT = "merged.sqlite3"
SHARDS = [f"shard-{number}.sqlite3" for number in (1, 2, 3)]
MERGE = ("merge", *SHARDS, "--db", OUTPUT)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return play_shards(tmp_path_factory.mktemp("shards"))


@pytest.fixture(autouse=True)
def shards(tmp_path: Path, played: list[Path]) -> None:
    for path in played:
        shutil.copy(path, tmp_path)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def change(path: Path, *statements: str, forged: bool = False) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)
        if forged:
            write_checksums(db)


@pytest.mark.parametrize(
    "words",
    [
        MERGE,
        ("standings", "--db", SHARDS[1]),
        ("report", "--db", SHARDS[1]),
        ("games", "--db", SHARDS[1]),
        ("games", "--forfeits", "--db", SHARDS[1]),
        ("verify", SHARDS[1]),
        ("replay", "GAME", "--db", SHARDS[1]),
    ],
    ids=lambda words: words[0],
)
def test_every_command_names_the_file_and_the_block_that_are_damaged(
    salvo: Salvo, tmp_path: Path, words: tuple[str, ...]
) -> None:
    with closing(sqlite3.connect(tmp_path / SHARDS[1])) as db:
        [[game]] = db.execute("SELECT id FROM games WHERE block = 5 AND position = 2")
    change(tmp_path / SHARDS[1], f"UPDATE games SET first_turns = 1 WHERE id = '{game}'")  # noqa: S608
    ran = salvo(*(game if word == "GAME" else word for word in words))
    assert ran.mistake.startswith(f"salvo: record {SHARDS[1]}: block ")
    assert " is damaged; restore the file from a copy" in ran.mistake
    assert names(tmp_path) == SHARDS


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM entrants WHERE name = 'ada'", "no bot 'ada' is entered in tournament 'cup'"),
        ("UPDATE blocks SET entrants = '[\"x\"]' WHERE id = 1", "no bot 'x' is entered"),
        ("UPDATE games SET first = 'x' WHERE block = 1", "is damaged"),
        ("UPDATE tournaments SET seed = ''", "tournament 'cup': its seed is '', not a number"),
        ("UPDATE entrants SET program = '{}'", "it contains something this Salvo cannot read"),
    ],
)
def test_strange_record_is_refused_by_verify_in_one_line(
    salvo: Salvo, tmp_path: Path, statement: str, told: str
) -> None:
    change(tmp_path / SHARDS[0], statement, forged=True)
    assert told in salvo("verify", SHARDS[0], "--isolation", "none").mistake


def test_empty_record_is_refused_by_verify_in_one_line(salvo: Salvo, tmp_path: Path) -> None:
    with Store(tmp_path / "empty.sqlite3", create=True):
        pass
    assert "no tournament was played yet" in salvo("verify", "empty.sqlite3").mistake


@pytest.mark.parametrize("of", [None, "an older one"], ids=["new", "existing"])
def test_merge_that_may_not_write_enough_leaves_all_as_it_was(
    salvo: Salvo, tmp_path: Path, of: str | None
) -> None:
    if of is not None:
        with Store(tmp_path / SHARDS[0], create=False) as shard:
            cup = shard.tournament()
        with Store(tmp_path / OUTPUT, create=True) as store:
            store.enter(cup)
    before = names(tmp_path)
    limited = ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", sys.executable, "-m", "salvo", *MERGE]
    # Coverage, if it is measured, would not be allowed to write its own file either.
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    ran = subprocess.run(
        limited, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2, ran
    [line] = ran.stderr.splitlines()
    assert line.startswith(f"salvo: record {OUTPUT}: the system cannot read or write it; check")
    assert names(tmp_path) == before
    assert salvo(*MERGE).code == 0


def test_merge_onto_a_full_disk_leaves_nothing_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    mount = "mount -t tmpfs -o size=200k none disk"
    unshare = [shutil.which("unshare") or "false", "-rm", "sh", "-c"]
    if subprocess.run([*unshare, mount], cwd=tmp_path, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    script = f'{mount} && "$@"; code=$?; ls -A disk; exit $code'
    command = [sys.executable, "-m", "salvo", "merge", *SHARDS, "--db", f"disk/{OUTPUT}"]
    ran = subprocess.run(
        [*unshare, script, "sh", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2, ran
    [line] = ran.stderr.splitlines()
    assert line.startswith(f"salvo: record disk/{OUTPUT}: the disk is full; free some space")
    assert ran.stdout == ""


def test_merge_that_was_killed_is_done_again(salvo: Salvo, tmp_path: Path) -> None:
    process = os.fork()
    if process == 0:
        with open_whole(tmp_path / OUTPUT) as store:
            store._db.execute("CREATE TABLE half (made)")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(process, 0)
    assert f"{OUTPUT}.merging" in names(tmp_path)
    assert OUTPUT not in names(tmp_path)
    assert salvo(*MERGE).code == 0
    assert names(tmp_path) == sorted([OUTPUT, *SHARDS])
    assert len(contents(tmp_path / OUTPUT)[5]) == 180


def test_merge_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), open_whole(tmp_path / OUTPUT):
        raise KeyboardInterrupt
    assert names(tmp_path) == SHARDS


def test_merge_is_not_mixed_with_what_a_deleted_record_left(salvo: Salvo, tmp_path: Path) -> None:
    assert salvo(*MERGE).code == 0
    wanted = contents(tmp_path / OUTPUT)
    with closing(sqlite3.connect(tmp_path / OUTPUT, isolation_level=None)) as db:
        db.execute("UPDATE tournaments SET name = 'other'")
        kept = (tmp_path / f"{OUTPUT}-wal").read_bytes()
    (tmp_path / OUTPUT).unlink()
    (tmp_path / f"{OUTPUT}-wal").write_bytes(kept)
    assert salvo(*MERGE).code == 0
    assert contents(tmp_path / OUTPUT) == wanted


def test_output_in_a_folder_that_does_not_exist_is_named(salvo: Salvo) -> None:
    ran = salvo("merge", *SHARDS, "--db", "no/such.sqlite3")
    assert ran.mistake.startswith("salvo: record no/such.sqlite3: it cannot be opened; check that")


def test_league_whose_names_have_no_version_is_rated(salvo: Salvo, tmp_path: Path) -> None:
    change(tmp_path / SHARDS[0], "UPDATE tournaments SET kind = 'league'", forged=True)
    assert salvo("standings", "--db", SHARDS[0]).code == 0


def test_game_that_this_salvo_does_not_know_is_one_line(salvo: Salvo, tmp_path: Path) -> None:
    change(tmp_path / SHARDS[0], "UPDATE games SET termination = 'q' WHERE rowid < 4", forged=True)
    assert "this Salvo cannot read" in salvo("report", "--db", SHARDS[0]).mistake
