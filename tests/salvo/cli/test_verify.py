"""`salvo verify`: a record is played again, and what differs is named."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.arena.store.forged import write_checksums

Salvo = Callable[..., Any]
SalvoIn = Callable[..., Any]

FAST = ("--isolation", "none", "--workers", "1")
SMALL = """
name = "small"
rows = 4
columns = 4
shots = "afloat"
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
MINE = """
from arena import Bot, run

class Mine(Bot):
    def choose_shots(self, count):
        return self.untried[:count]

run(Mine)
"""
ALL = ("--sample", "100%")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, salvo_in: SalvoIn) -> Path:
    """Return a folder with a tournament of a bundled bot and one in a file."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "small.toml").write_text(SMALL)
    (folder / "mine.py").write_text(MINE)
    amount = ("--games", "52", "--layouts", "3", "--rules", "small.toml")
    words = ("tournament", "hunt_target", "mine.py", *FAST, *amount, "--db", "cup.sqlite3")
    assert salvo_in(folder, *words).code == 0
    return folder


@pytest.fixture
def record(played: Path, tmp_path: Path) -> str:
    """Return that record, in the folder where `salvo` runs."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return "cup.sqlite3"


def change(record: Path, statement: str) -> None:
    """Forge a record: its checksums are those of what it now holds."""
    with closing(sqlite3.connect(record)) as connection, connection:
        connection.execute(statement)
        write_checksums(connection)
    connection.close()


def test_untouched_record_comes_out_the_same(salvo: Salvo, record: str) -> None:
    ran = salvo("verify", record, *FAST, *ALL, "--seed", "3")
    assert ran.out == (
        "all games are as their checksums say; 58 games in 4 of 4 blocks were played again; "
        "all of them are the same (--seed 3 draws the same blocks)\n"
    )
    assert ran.code == 0


def test_sample_is_drawn_by_a_seed_and_holds_one_block_at_least(salvo: Salvo, record: str) -> None:
    ran = salvo("verify", record, *FAST)
    assert " in 1 of 4 blocks were played again; all of them are the same (--seed " in ran.out
    runs = {salvo("verify", record, *FAST, "--seed", "5").out for _ in range(2)}
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("statement", "difference"),
    [
        ("UPDATE games SET result = 'draw' WHERE rowid = 7", "result: draw in the record, "),
        ("UPDATE games SET first_seed = 1 WHERE rowid = 7", "its seeds do not derive from"),
        (
            "UPDATE games SET steps = (SELECT steps FROM games WHERE rowid = 8) WHERE rowid = 7",
            "answer 3 was shoot",
        ),
        ("UPDATE games SET first_turns = 99 WHERE rowid = 7", "tallies: "),
    ],
)
def test_game_that_was_changed_is_named_with_what_differs(
    salvo: Salvo, record: str, tmp_path: Path, statement: str, difference: str
) -> None:
    change(tmp_path / record, statement)
    ran = salvo("verify", record, *FAST, *ALL)
    [line, summary] = ran.out.splitlines()
    assert line.startswith("game ")
    assert " of hunt_target and mine: " in line
    assert difference in line
    assert "; 1 of them differ (--seed " in summary
    assert ran.code == 1


def test_block_with_a_game_that_was_interrupted_is_left_out(
    salvo: Salvo, record: str, tmp_path: Path
) -> None:
    void = '[{"game":"1","attempt":0,"entrant":"mine","reason":"was killed"}]'
    change(tmp_path / record, f"UPDATE blocks SET voids = '{void}' WHERE id = 3")  # noqa: S608 - see above
    ran = salvo("verify", record, *FAST, *ALL)
    assert " in 3 of 4 blocks were played again" in ran.out
    assert "1 of the blocks had games that were interrupted" in ran.err


def test_bot_that_was_moved_is_found_where_it_is_said_to_be(salvo: Salvo, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    words = ("solo", "mine.py", "--rules", "ramesh-1", "--layouts", "2", "--db", "cup.sqlite3")
    assert salvo(*words, *FAST).code == 0
    (tmp_path / "mine.py").rename(tmp_path / "elsewhere.py")
    lost = salvo("verify", "cup.sqlite3", *FAST, *ALL)
    assert "bot mine: no bot here is the version that played" in lost.mistake
    found = salvo("verify", "cup.sqlite3", "mine=elsewhere.py", *FAST, *ALL)
    assert found.code == 0


def test_bot_that_was_changed_is_refused(salvo: Salvo, record: str, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(MINE.replace("[:count]", "[-count:]"))
    ran = salvo("verify", record, "mine=other.py", *FAST, *ALL)
    assert "bot mine: other.py is not the version that played" in ran.mistake
    stranger = salvo("verify", record, "yours=other.py", *FAST, *ALL)
    assert "no bot called 'yours' plays in the record" in stranger.mistake


@pytest.mark.parametrize("share", ["0%", "101%", "5", "a%", "nan%"])
def test_share_that_is_none_is_refused(salvo: Salvo, share: str) -> None:
    ran = salvo("verify", "cup.sqlite3", "--sample", share)
    assert "is not a percentage; write one above 0% and up to 100%, such as 5%" in ran.mistake


def test_options_of_a_bot_are_found_again(salvo: Salvo, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    amount = ("--layouts", "2", "--rules", "small.toml", "--db", "cup.sqlite3")
    ran = salvo("solo", "odd=posterior_greedy --hit-bits 0.5", *FAST, *amount)
    assert ran.code == 0, ran.err
    assert salvo("verify", "cup.sqlite3", *FAST, *ALL).code == 0


@pytest.mark.long("a league is played twice")
def test_versions_of_a_league_that_were_packed_are_played_again(
    salvo: Salvo, tmp_path: Path
) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    new = ("--rules", "small.toml", "--games", "2", "--layouts", "1")
    assert salvo("submit", "hunt_target", *new, *FAST).code == 0
    for version in range(3):
        (tmp_path / "mine.py").write_text(MINE + "#" * version)
        assert salvo("submit", "mine.py", *FAST).code == 0
    assert len(list((tmp_path / "league" / "bots").glob("*.tar.gz"))) == 1
    ran = salvo("verify", "league/salvo.sqlite3", *FAST, *ALL)
    assert "all of them are the same" in ran.out, ran.err
