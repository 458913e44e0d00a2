"""From rank to grade: a row for each invite, with the bosses that its bot beats."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salvo.server.database.keys import new_invite
from salvo.server.database.server_database import Database
from salvo.server.leagues import open_league
from salvo.server.work.bosses import bosses_of

Served = Any
MakeServer = Callable[..., Served]

LAST = """
from arena import Bot, run


class Last(Bot):
    def choose_shots(self, count):
        return self.untried[-count:]


run(Last)
"""


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.long("many bots are submitted")
def test_operator_has_a_row_for_each_invite_and_nobody_else_has_it(
    league_of: Callable[..., Path], make_server: MakeServer
) -> None:
    served = make_server(league_of(games=20, block_games=20), "--public")
    ada, bob, _ = served.invite("Lovelace, Ada", "=HYPERLINK(1)", "Nobody")
    assert served.checked(served.submit("ada", served.bot.encode(), ada))["state"] == "accepted"
    assert served.checked(served.submit("bob", LAST.encode(), bob))["state"] == "accepted"

    def complete() -> list[dict[str, str]] | None:
        found = served.get("/operate/grades.csv", served.key)
        assert found.status == 200
        assert found.headers["content-type"] == "text/csv; charset=utf-8"
        told = rows(found.text)
        met = [row["won against hunt_target"] for row in told[:2]]
        return told if all(one.endswith("of 20") for one in met) else None

    first, second, third = served.until(complete)
    assert (first["label"], first["bot"]) == ("Lovelace, Ada", "ada")
    assert (first["state"], first["versions"]) == ("current", "1")
    assert first["last_submitted_utc"].endswith("Z")
    assert second["label"] == "'=HYPERLINK(1)"
    assert (third["bot"], third["state"], third["elo"]) == ("", "nothing accepted", "")
    for row in (first, second):
        assert float(row["elo_low"]) < float(row["elo"]) < float(row["elo_high"])
        assert row["beats hunt_target"] in {"sure", "likely", "open", "no"}
        assert "beats uniform_random" in row
        assert (row["forfeits"], float(row["crash_share"])) == ("0", 0.0)
        assert int(row["games"]) >= 20
    for key in (None, ada):
        assert served.get("/operate/grades.csv", key).status == 403
    # Its author sees the ladder, and on the leaderboard bosses stand apart, below the others.
    own = served.until(
        lambda: (
            "BOSSES" in (page := served.get("/mine/ada", ada, Accept="text/html").text).upper()
            and page
        )
    )
    assert "hunt_target</a>" in own
    assert "The games do not tell yet" in own or "open" in own
    links = [f'href="/bots/{name}"' for name in ("ada", "bob")]

    def rated() -> str | None:
        page = served.get("/", Accept="text/html").text
        elo: str = page[page.index('id="elo"') : page.index('id="turns"')]
        return elo if all(link in elo for link in links) else None

    elo = served.until(rated)
    heading = elo.index("Bosses: steps to climb")
    for link in links:
        assert elo.index(link) < heading
    for name in ("hunt_target", "uniform_random"):
        assert elo.index(f'href="/bots/{name}"') > heading
    board = served.get("/", Accept="text/html").text
    assert "Lovelace" not in board + served.get("/api/standings").text


def test_bosses_are_the_bundled_bots_of_the_operator(league: Path) -> None:
    assert bosses_of(open_league(league), {}) == ["hunt_target", "uniform_random"]
    assert bosses_of(open_league(league), {"uniform_random": 3}) == ["hunt_target"]


def test_command_prints_the_table_of_a_league_that_is_not_served_now(
    league: Path, salvo: Callable[..., Any]
) -> None:
    with Database(league) as db:
        new_invite(db, "Ada")
    [row] = rows(salvo("operate", "grades", "--league", str(league)).out)
    assert (row["label"], row["state"], row["games"]) == ("Ada", "nothing accepted", "0")
    assert row["beats hunt_target"] == ""
