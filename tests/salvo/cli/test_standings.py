"""`salvo standings` reads records, leagues and files, and prints tables and data."""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from arena.schedule import Swiss

Salvo = Callable[..., Any]
SalvoIn = Callable[..., Any]

SMALL = """
name = "small"
rows = 4
columns = 4
shots = "afloat"
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
FAST = ("--rules", "small.toml", "--isolation", "limits")
TWO = ("hunt_parity", "uniform_random")
QUITS = """
from arena import Bot, run

class Quits(Bot):
    def choose_shots(self, count):
        if self.random.random() < 0.02:
            raise SystemExit("enough")
        return self.untried[:count]

run(Quits)
"""
GAMES = """first, second, result, pair, when
a,b,first,1,x
b,a,first,1,x
a,b,first,2,x
b,a,draw,2,x
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, salvo_in: SalvoIn) -> Path:
    """Return a folder with the record of a small tournament."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "small.toml").write_text(SMALL)
    (folder / "quits.py").write_text(QUITS)
    words = (
        *("tournament", *TWO, "quits.py", *FAST, "--games", "20", "--layouts", "6"),
        *("--seed", str(2**64)),
    )
    assert salvo_in(folder, *words).code == 0
    return folder


@pytest.fixture
def record(played: Path, tmp_path: Path) -> Path:
    """Return that record, in the folder where `salvo` runs."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path / "salvo.sqlite3"


@pytest.mark.usefixtures("record")
@pytest.mark.parametrize(
    ("table", "columns", "rows"),
    [
        ("elo", {"bot", "elo", "low", "high", "best_rank"}, 3),
        ("turns", {"bot", "mean_turns", "hit_rate"}, 3),
        ("differences", {"bot", "other", "lead", "lead_low", "lead_high", "p_value"}, 3),
        ("games", {"id", "first", "second", "pair", "block", "result", "forfeit"}, 60 + 18),
    ],
)
def test_csv_is_one_table_that_pandas_reads(
    salvo: Salvo, table: str, columns: set[str], rows: int
) -> None:
    ran = salvo("standings", "--format", "csv", "--table", table)
    read = pd.read_csv(io.StringIO(ran.out))
    assert columns <= set(read.columns)
    assert len(read) == rows


@pytest.mark.usefixtures("record")
@pytest.mark.parametrize("table", ["elo", "turns", "differences"])
def test_csv_has_the_numbers_of_json(salvo: Salvo, table: str) -> None:
    printed = salvo("standings", "--format", "csv", "--table", table).out
    told = pd.DataFrame(salvo("standings", "--format", "json").json[table]).to_csv(index=False)
    read, expected = (pd.read_csv(io.StringIO(text)) for text in (printed, told))
    pd.testing.assert_frame_equal(read, expected[read.columns])


def test_json_says_all_that_the_tables_say(salvo: Salvo, record: Path) -> None:
    told = salvo("standings", "--db", record.name, "--format", "json").json
    assert told["anchor"] is None
    assert told["prior_pairs"] == 0.25
    assert len(told["differences"]) == len(told["turns_differences"]) == 3
    kinds = {(row["bot"], row["games"]) for row in told["forfeits"]}
    assert {bot for bot, _ in kinds} == {"quits"}
    lost = sum(row["number"] for row in told["forfeits"] if row["games"] == "two-player")
    assert lost == next(row["forfeits"] for row in told["elo"] if row["bot"] == "quits")
    printed = " ".join(salvo("standings").out.split())
    for note in told["notes"]:
        assert " ".join(note.split()) in printed


@pytest.mark.usefixtures("record")
def test_anchor_stands_where_it_is_put(salvo: Salvo) -> None:
    told = salvo("standings", "--anchor", "quits=1000", "--format", "json").json
    assert told["anchor"] == {"bot": "quits", "elo": 1000.0}
    assert [row["elo"] for row in told["elo"] if row["bot"] == "quits"] == [1000.0]
    explained = salvo("standings", "--anchor", "quits=1000", "--explain").out
    assert "with quits at 1000" in explained
    assert salvo("report", "--anchor", "quits=1000").code == 0


@pytest.mark.usefixtures("record")
def test_forfeits_may_be_left_out(salvo: Salvo) -> None:
    with_, without = (
        {row["bot"]: row["games"] for row in salvo(*words, "--format", "json").json["elo"]}
        for words in (("standings",), ("standings", "--without-forfeits"))
    )
    assert without["quits"] < with_["quits"]
    assert "forfeit are left out of the ratings" in salvo("standings", "--without-forfeits").out


def test_games_from_a_file_are_rated(salvo: Salvo, tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("\ufeff" + GAMES, encoding="utf-8")
    told = salvo("standings", "--from", "games.csv", "--format", "json").json
    assert [(row["bot"], row["games"], row["draws"]) for row in told["elo"]] == [
        ("a", 4, 1),
        ("b", 4, 1),
    ]
    assert told["turns"] == []
    printed = salvo("standings", "--from", "games.csv").out
    assert printed.startswith("It is undecided which is better, a or b")
    assert "Elo by a joint fit" not in printed
    assert "Elo by a joint fit" in salvo("standings", "--from", "games.csv", "--explain").out
    games = salvo("standings", "--from", "games.csv", "--format", "csv", "--table", "games").out
    assert len(pd.read_csv(io.StringIO(games))) == 4
    refused = salvo("standings", "--from", "games.csv", "--format", "csv", "--table", "turns")
    assert "no solo games were played" in refused.mistake


def test_games_from_parquet_are_rated_or_the_missing_package_named(
    salvo: Salvo, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    table = pd.DataFrame({"first": ["a", "b"], "second": ["b", "a"], "first_won": [True, False]})
    table.astype({"first": "category"}).to_parquet(tmp_path / "games.parquet")
    ran = salvo("standings", "--from", "games.parquet", "--format", "json")
    assert [row["wins"] for row in ran.json["elo"]] == [2, 0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "the column 'first' is missing, it has none"),
        (b"first,second,winner\na,b,a\n", "it has 'first', 'second', 'winner'"),
        (b"first;second;result\na;b;first\n", "it has 'first;second;result'"),
        (b"first,second,result\na,b\n", "line 2 has 2 fields and the header 3"),
        (b"first,second,result\n\xff,b,first\n", "cannot be read: 'utf-8'"),
        (b"first,second,result,result\na,b,first,first\n", "two columns are called 'result'"),
        (b"first,second,result\n", "the table has no rows"),
        (b'first,second,result\n"a,b,first\n', "cannot be read: unexpected end of data"),
    ],
)
def test_file_that_cannot_be_understood_is_refused_in_one_line(
    salvo: Salvo, tmp_path: Path, text: bytes, told: str
) -> None:
    (tmp_path / "games.csv").write_bytes(text)
    assert told in salvo("standings", "--from", "games.csv").mistake


@pytest.mark.long("a tournament is played again and again")
@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        # Of five bots, one sits out each of the two rounds.
        ("swiss", "32 games a bot on average; 4 of the 10 pairings met."),
        ("adaptive", "40 games a bot on average; 5 of the 10 pairings met."),
    ],
)
def test_bytes_of_a_tournament_in_rounds_are_the_same_at_any_number_of_workers(
    salvo_process: Salvo, tmp_path: Path, schedule: str, told: str
) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    bots = (*TWO, "hunt_target", "probability_density", "again=uniform_random")
    command = (
        *("tournament", *bots, *FAST, "--schedule", schedule, "--games", "40"),
        *("--layouts", "4", "--format", "json"),
    )
    one = salvo_process(*command, "--workers", "1", "--db", "one.sqlite3")
    two = salvo_process(*command, "--workers", "3", "--db", "two.sqlite3")
    assert one.code == two.code == 0
    assert one.out == two.out
    games = [row["games"] for row in json.loads(one.out)["elo"]]
    assert min(games) >= 20
    assert f"Schedule {schedule}: {told}" in one.json["notes"]


def test_tournament_of_other_rounds_is_not_extended(
    salvo: Salvo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    command = (
        *("tournament", *TWO, "a=hunt_parity", "b=uniform_random", *FAST, "--layouts", "1"),
        *("--schedule", "swiss", "--workers", "1", "--games"),
    )
    order = Swiss._order
    with monkeypatch.context() as older:
        older.setattr(Swiss, "_order", lambda *now: [order(*now)[place] for place in (0, 2, 1, 3)])
        assert salvo(*command, "20").code == 0
    mistake = salvo(*command, "40").mistake
    assert "are not those that --schedule swiss draws in this Salvo" in mistake
    assert "give this one another name with --tournament" in mistake
