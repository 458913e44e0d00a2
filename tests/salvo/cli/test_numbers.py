"""What bots report of themselves is kept, merged and shown, beside the bot and never trusted."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.server_database import Database
from salvo.server.work.rating import rate_again

Salvo = Callable[..., Any]

BOT = """
from arena import Bot, run


class Counting(Bot):
    def game_begins(self):
        self.asked = 0

    def choose_shots(self, count):
        self.asked += 1
        return self.untried[:count]

    def numbers(self):
        return {"tokens": 1000 * self.asked, "asked": self.asked, "share": 0.12345, "z": 1}


run(Counting)
"""

ALONE = ("--rules", "ramesh-1", "--isolation", "none", "--seed", "1")
SMALL = (*ALONE, "--games", "4", "--layouts", "2")


@pytest.fixture
def counting(tmp_path: Path) -> str:
    path = tmp_path / "counting.py"
    path.write_text(BOT, encoding="utf-8")
    return str(path)


def test_tables_show_the_means_beside_the_bot(counting: str, salvo: Salvo) -> None:
    played = salvo("tournament", counting, "uniform_random", *SMALL, "--report", "report.html")
    assert played.code == 0, played.err
    rows = {
        line.split()[0]: line
        for line in played.out.splitlines()
        if "uniform" in line or "counting" in line
    }
    data = json.loads(salvo("standings", "--format", "json").out)
    means = {row["number"]: row for row in data["reported"]}
    assert [row["bot"] for row in data["reported"]] == ["counting"] * 4
    assert means["asked"]["games"] == 6  # four for two, and two alone
    assert means["tokens"]["mean"] == pytest.approx(1000 * means["asked"]["mean"])
    told = f"{means['tokens']['mean']:,.0f} tokens, {means['asked']['mean']:.3g} asked, 0.123 share"
    shown = [line for line in played.out.splitlines() if told in line]
    assert len(shown) == 2, rows  # by Elo and by turns
    assert all("counting" in line for line in shown)
    assert "It is not checked, and nothing depends on it." in " ".join(played.out.split())
    page = Path("report.html").read_text(encoding="utf-8")
    assert f"It reports of itself, as the mean of a game, {told}; nobody checked that." in page
    assert told.replace("_", r"\_") in salvo("standings", "--format", "markdown").out


def test_tables_have_no_such_column_where_nobody_reports(salvo: Salvo) -> None:
    played = salvo("match", "hunt_target", "uniform_random", *ALONE, "--games", "2")
    assert "reports" not in played.out
    assert json.loads(salvo("standings", "--format", "json").out)["reported"] == []


def test_shards_keep_them_when_they_are_merged(counting: str, salvo: Salvo) -> None:
    whole = ("solo", counting, *ALONE, "--layouts", "51")
    assert salvo(*whole, "--db", "whole.sqlite3").code == 0
    for shard in ("1/2", "2/2"):
        result = salvo(*whole, "--shard", shard, "--db", f"{shard[0]}.sqlite3")
        assert result.code == 0, result.err
    assert salvo("merge", "1.sqlite3", "2.sqlite3", "--db", "merged.sqlite3").code == 0
    found = []
    for name in ("whole", "merged"):
        with Store(Path(f"{name}.sqlite3"), create=False) as store:
            found.append(sorted(map(str, store.reported(store.tournament().name))))
    assert len(found[0]) == 51
    assert found[0] == found[1]


def test_damaged_number_is_found(counting: str, salvo: Salvo) -> None:
    assert salvo("solo", counting, "--rules", "ramesh-1", "--layouts", "2").code == 0
    with closing(sqlite3.connect("salvo.sqlite3")) as db, db:
        db.execute("""UPDATE reported SET numbers = '{"tokens":1.0}'""")
    db.close()
    damaged = salvo("standings")
    assert damaged.code == 2
    assert "the numbers that a bot reported" in damaged.err


def test_verify_takes_no_notice_of_them(counting: str, salvo: Salvo) -> None:
    assert salvo("solo", counting, "--rules", "ramesh-1", "--layouts", "2").code == 0
    with closing(sqlite3.connect("salvo.sqlite3")) as db, db:
        db.execute("DROP TABLE reported")
    db.close()
    verified = salvo("verify", "salvo.sqlite3", "--sample", "100%")
    assert verified.code == 0, verified.out + verified.err


def test_league_and_its_board_show_them(counting: str, tmp_path: Path, salvo: Salvo) -> None:
    league = ("--league", str(tmp_path / "league"))
    assert salvo("submit", "uniform_random", *league, *SMALL).code == 0
    entered = salvo("submit", counting, *league, "--isolation", "none")
    assert entered.code == 0, entered.err
    assert "0.123 share" in entered.out
    assert (
        "counting"
        in json.loads(salvo("standings", *league, "--format", "json").out)["reported"][0]["bot"]
    )
    rate_again(tmp_path / "league")
    with Database(tmp_path / "league") as db:
        boards = Leaderboards.read(db)
    for rows in (boards.elo, boards.turns):
        cells = {row.name: row.cells["reports"] for row in rows}
        assert cells["uniform_random"] == ""
        assert "0.123 share" in cells["counting"]
    assert any("nothing depends on it" in note for note in boards.notes)
