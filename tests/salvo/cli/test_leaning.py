"""A helper lifts its friend: both are named, and the operator leaves their games out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.league import Anchor, Charter, League
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.server.database.server_database import Database

Salvo = Callable[..., Any]

FRIEND = """
from arena import run
from bots.hunt_target import HuntTarget


class Friend(HuntTarget):
    def choose_shots(self, count):
        # The first salvo says who it is.
        return super().choose_shots(count) if self.shot else self.untried[:count]


run(Friend)
"""
HELPER = """
from arena import run
from bots.hunt_parity import HuntParity


class Helper(HuntParity):
    def choose_shots(self, count):
        friend = self.incoming and self.incoming[0] == tuple(range(len(self.incoming[0])))
        return self.untried[:count] if friend else super().choose_shots(count)


run(Helper)
"""


@pytest.fixture
def league(tmp_path: Path, salvo: Salvo) -> Path:
    """Return a league of a friend, its helper and two others, in which all was played."""
    folder = tmp_path / "league"
    charter = Charter(
        rules=preset("salvo"), seed="1", games=40, layouts=0, anchor=Anchor(bot="hunt_parity@1")
    )
    bots = {name: bundled_bots()[name] for name in ("hunt_parity", "probability_density")}
    for name, source in (("friend", FRIEND), ("helper", HELPER)):
        bots[name] = tmp_path / f"{name}.py"
        bots[name].write_text(source)
    for name, path in bots.items():
        league = League(folder, charter, bundled_bots())
        with league.candidate(path, name) as candidate:
            league.admit(candidate)
    assert salvo("submit", "--league", "league").code == 0
    with Database(folder):  # as `salvo serve` leaves it
        return folder


def standing(salvo: Salvo) -> Any:  # noqa: ANN401 - JSON has any shape
    return salvo("standings", "--league", "league", "--format", "json").json


def elo(shown: Any) -> dict[str, float]:  # noqa: ANN401 - the same
    return {row["bot"]: row["elo"] for row in shown["elo"]}


@pytest.mark.long("hundreds of games")
@pytest.mark.usefixtures("league")
def test_helper_is_named_and_its_games_with_its_friend_are_left_out(salvo: Salvo) -> None:
    lifted = standing(salvo)
    assert {row["bot"]: row["leans_on"] for row in lifted["elo"]}["friend"] == "helper"
    assert any("The rating of friend leans on helper" in note for note in lifted["notes"])
    [pairing] = [
        row for row in lifted["pairings"] if (row["bot"], row["opponent"]) == ("friend", "helper")
    ]
    assert pairing["leans"]
    assert pairing["moved_low"] > 25

    done = salvo("operate", "leave-out", "friend", "helper", "--league", "league")
    assert done.out == "games between friend and helper are left out of the ratings\n"
    fair = standing(salvo)
    assert elo(fair)["friend"] < elo(lifted)["friend"] - 25
    assert {row["leans_on"] for row in fair["elo"]} == {""}
    assert any(
        "Left out of the ratings by the operator: friend against" in n for n in fair["notes"]
    )
    again = salvo("operate", "leave-out", "helper", "friend", "--league", "league")
    assert again.mistake.endswith("games between 'helper' and 'friend' are left out already")

    assert salvo("operate", "count", "helper", "friend", "--league", "league").code == 0
    assert elo(standing(salvo)) == elo(lifted)
    missing = salvo("operate", "leave-out", "friend", "nobody", "--league", "league")
    assert missing.mistake.endswith("no bot of this league is called 'nobody'")
