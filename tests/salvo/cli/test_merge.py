"""`--shard` and `salvo merge`: many records become what one machine would have played."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.records import comparable
from arena.store import Store

Salvo = Callable[..., Any]
SalvoIn = Callable[..., Any]

FAST = ("--rules", "small.toml", "--isolation", "none", "--workers", "1")
SMALL = """
name = "small"
rows = 3
columns = 3
shots = "afloat"
fleet = [{ name = "Long", length = 2 }, { name = "Short", length = 1 }]
"""
BOTS = ("hunt_target", "hunt_parity", "uniform_random")
AMOUNT = ("--games", "52", "--layouts", "60")
"""Two blocks of each pairing and of each bot alone, of which the second are cut short."""


FEW = ("tournament", *BOTS[1:], *FAST, "--games", "4", "--layouts", "4", "--tournament", "cup")


@pytest.fixture(autouse=True)
def small_rules(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)


def games(path: Path) -> list[bytes]:
    """Return the games of a record as bytes, in the order that no run depends on."""
    with Store(path, create=False) as store:
        return list(map(comparable, store.games(store.tournament().name)))


@pytest.fixture(scope="module")
def one_shard(tmp_path_factory: pytest.TempPathFactory, salvo_in: SalvoIn) -> Path:
    """Return the record of the first of three shards of a small tournament."""
    folder = tmp_path_factory.mktemp("one_shard")
    (folder / "small.toml").write_text(SMALL)
    ran = salvo_in(folder, *FEW, "--shard", "1/3", "--db", "a.sqlite3")
    assert ran.code == 0, ran.err
    return folder / "a.sqlite3"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the first test which needs them leaves its shards in."""
    return tmp_path_factory.mktemp("played")


@pytest.fixture
def shards(salvo: Salvo, tmp_path: Path, played: Path) -> list[str]:
    """Return the records of a tournament that was played in three shards."""
    if not any(played.iterdir()):
        for number in (1, 2, 3):
            ran = salvo("tournament", *BOTS, *FAST, *AMOUNT, "--shard", f"{number}/3")
            assert ran.code == 0, ran.err
            assert ran.out == ""
        for path in tmp_path.glob("*.sqlite3"):
            shutil.copy(path, played)
    for path in played.iterdir():
        shutil.copy(path, tmp_path)
    return sorted(path.name for path in played.iterdir())


def test_merged_shards_equal_one_local_run_to_the_byte(
    salvo: Salvo, tmp_path: Path, shards: list[str]
) -> None:
    assert shards == [f"salvo-{number}-of-3.sqlite3" for number in (1, 2, 3)]
    ran = salvo("merge", *shards, "--db", "merged.sqlite3")
    assert ran.code == 0, ran.err
    assert "3 shards of tournament small-" in ran.err
    local = salvo("tournament", *BOTS, *FAST, *AMOUNT, "--db", "one.sqlite3", "--format", "json")
    merged = salvo("standings", "--db", "merged.sqlite3", "--format", "json")
    assert merged.json == local.json
    assert games(tmp_path / "merged.sqlite3") == games(tmp_path / "one.sqlite3")
    assert len(games(tmp_path / "one.sqlite3")) == 3 * 52 + 3 * 60


def test_each_shard_has_a_share_of_the_games_in_pairs_and_of_those_alone(
    tmp_path: Path, shards: list[str]
) -> None:
    for path in shards:
        with Store(tmp_path / path, create=False) as store:
            alone = [key for key in store.played(store.tournament().name) if len(key[0]) == 1]
            assert len(alone) == 2
            assert len(store.played(store.tournament().name)) == 4


def test_shards_that_are_asked_for_more_are_merged_again(
    salvo: Salvo, tmp_path: Path, shards: list[str]
) -> None:
    assert salvo("merge", *shards, "--db", "merged.sqlite3").code == 0
    more = ("--games", "60", "--layouts", "60")
    for number in (1, 2, 3):
        salvo("tournament", *BOTS, *FAST, *more, "--shard", f"{number}/3")
    assert salvo("merge", *shards, "--db", "merged.sqlite3").code == 0
    assert len(games(tmp_path / "merged.sqlite3")) == 3 * 60 + 3 * 60


def test_missing_shards_are_named(salvo: Salvo, tmp_path: Path, shards: list[str]) -> None:
    ran = salvo("merge", shards[1], "--db", "merged.sqlite3")
    assert ran.mistake == "salvo: shards 1, 3 of 3 are missing; name their records too"
    assert not (tmp_path / "merged.sqlite3").exists()


def test_shard_that_was_stopped_is_named_and_not_merged(
    salvo: Salvo, tmp_path: Path, shards: list[str]
) -> None:
    with Store(tmp_path / shards[2], create=True) as store:
        store._db.execute("DELETE FROM games WHERE block = 2")
        store._db.execute("DELETE FROM origins WHERE block = 2")
        store._db.execute("DELETE FROM blocks WHERE id = 2")
    ran = salvo("merge", *shards, "--db", "merged.sqlite3")
    assert ran.mistake.startswith("salvo: shard 3/3 (salvo-3-of-3.sqlite3) has ")
    assert "run its command again" in ran.mistake


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (("--seed", "5"), 'seed: "20091" and "5"'),
        (("--move-time", "1"), "settings (move_s): 2.0 and 1"),
        (("--games", "2"), "--games: 4 and 2"),
        (("--layouts", "1"), "--layouts: 4 and 1"),
        (("--shard", "2/4"), "the number of shards: 3 and 4"),
        (("--rules", "salvo"), "rules (rows): 3 and 10"),
    ],
)
def test_shards_of_different_tournaments_are_refused_with_what_differs(
    salvo: Salvo, tmp_path: Path, one_shard: Path, other: tuple[str, ...], difference: str
) -> None:
    shutil.copy(one_shard, tmp_path)
    salvo(*FEW, "--shard", "2/3", *other, "--db", "b.sqlite3")
    ran = salvo("merge", "a.sqlite3", "b.sqlite3", "--db", "merged.sqlite3")
    assert ran.mistake.startswith(
        "salvo: records a.sqlite3 and b.sqlite3 do not belong together; they differ in "
        f"{difference}"
    )


def test_shard_with_another_bot_is_refused(salvo: Salvo, tmp_path: Path) -> None:
    bot = "from arena import Bot, run\n\nclass Mine(Bot):\n    {}\n\nrun(Mine)\n"
    for number, line in ((1, "pass"), (2, "'changed'")):
        (tmp_path / "mine.py").write_text(bot.format(line))
        few = ("--games", "22", "--layouts", "0", "--tournament", "cup")
        salvo("tournament", "./mine.py", "hunt_target", *FAST, *few, "--shard", f"{number}/2")
    ran = salvo("merge", "salvo-1-of-2.sqlite3", "salvo-2-of-2.sqlite3", "--db", "merged.sqlite3")
    assert "they differ in bot mine: " in ran.mistake


def test_record_that_is_no_shard_or_is_named_twice_is_refused(salvo: Salvo) -> None:
    match = ("match", *BOTS[:2], *FAST, "--games", "2")
    salvo(*match, "--db", "whole.sqlite3")
    assert "was not played with --shard" in salvo("merge", "whole.sqlite3", "--db", "m").mistake
    salvo(*match, "--shard", "1/2", "--db", "a.sqlite3")
    twice = salvo("merge", "a.sqlite3", "a.sqlite3", "--db", "m.sqlite3").mistake
    assert "shard 1/2 is there more than once, in a.sqlite3 and a.sqlite3" in twice
    assert "one of the records" in salvo("merge", "a.sqlite3", "--db", "a.sqlite3").mistake


def test_record_that_holds_something_else_of_the_tournament_takes_no_shard(salvo: Salvo) -> None:
    match = ("match", *BOTS[:2], *FAST, "--games", "2", "--db")
    salvo(*match, "one.sqlite3", "--shard", "1/2")
    again = salvo(*match, "one.sqlite3", "--shard", "2/2")
    assert "it holds shard 1/2; name another file with --db" in again.err
    salvo(*match, "whole.sqlite3")
    after = salvo(*match, "whole.sqlite3", "--shard", "1/2")
    assert "it holds games that were played without --shard" in after.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("tournament", "--schedule", "swiss", "--games", "20"), "results of all decide who meets"),
        (("tournament", "--schedule", "adaptive", "--games", "20"), "results of all decide"),
        (("match", "hunt_target", "hunt_parity", "--sprt", "0,20"), "all results decide when"),
        (("tournament", "--format", "json"), "--format: a shard prints no tables"),
        (("solo", "--adjusted"), "--adjusted: a shard prints no tables"),
    ],
)
def test_shard_is_refused_where_it_makes_no_sense(
    salvo: Salvo, words: tuple[str, ...], why: str
) -> None:
    ran = salvo(*words, *FAST, "--shard", "1/2")
    assert why in ran.mistake


@pytest.mark.parametrize("part", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3"])
def test_part_that_is_none_is_refused_with_an_example(salvo: Salvo, part: str) -> None:
    ran = salvo("tournament", *BOTS, *FAST, f"--shard={part}")
    assert "names no shard; give its number and how many there are, such as 3/40" in (ran.mistake)


def test_match_and_solo_games_are_shared_out_too(salvo: Salvo, tmp_path: Path) -> None:
    for command in (("match", *BOTS[:2], "--games", "22"), ("solo", BOTS[0], "--layouts", "51")):
        for number in (1, 2):
            file = f"{command[0]}{number}"
            assert salvo(*command, *FAST, "--shard", f"{number}/2", "--db", file).code == 0
        parts = (f"{command[0]}1", f"{command[0]}2")
        assert salvo("merge", *parts, "--db", command[0]).code == 0
        assert salvo(*command, *FAST, "--db", f"one-{command[0]}").code == 0
        assert games(tmp_path / command[0]) == games(tmp_path / f"one-{command[0]}")


def test_shards_without_any_game_say_so_and_are_merged(salvo: Salvo, tmp_path: Path) -> None:
    command = ("match", *BOTS[:2], "--games", "22", *FAST)
    said = []
    for number in (1, 2, 3):
        ran = salvo(*command, "--shard", f"{number}/3")
        assert ran.code == 0, ran.err
        said += [line for line in ran.err.splitlines() if "nothing to play" in line]
    [line] = said
    assert line.endswith(
        "/3 has nothing to play: there are only 2 blocks of games; `salvo merge` takes its empty "
        "record with the others"
    )
    records = [f"salvo-{number}-of-3.sqlite3" for number in (1, 2, 3)]
    assert salvo("merge", *records, "--db", "merged.sqlite3").code == 0
    assert salvo(*command, "--db", "one.sqlite3").code == 0
    assert games(tmp_path / "merged.sqlite3") == games(tmp_path / "one.sqlite3")


@pytest.mark.parametrize(
    ("workers", "fix"), [("2", None), ("3", "play without --shard"), ("5", "ask for more games")]
)
def test_shard_with_fewer_blocks_than_workers_says_into_how_many_to_divide(
    salvo: Salvo, workers: str, fix: str | None
) -> None:
    command = ("match", *BOTS[:2], "--rules", "small.toml", "--isolation", "none", "--games", "62")
    ran = salvo(*command, "--workers", workers, "--shard", "1/2")
    assert ran.code == 0
    warning = (
        f"salvo: shard 1/2 has 2 blocks of games for {workers} workers, so that some have nothing "
        f"to play; {fix}"
    )
    warnings = [line for line in ran.err.splitlines() if "blocks" in line]
    assert warnings == ([warning] if fix else [])
