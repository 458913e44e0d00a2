"""Means adjusted for luck, as a user asks for them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Salvo = Callable[..., Any]

SOLO = ("solo", "--rules", "small.toml", "--isolation", "limits", "--workers", "1")
SMALL = """
name = "small"
rows = 4
columns = 4
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
FIFTEEN, OF = 15, 210
"""Games that a bot knows, and all of its games."""
KNOWS_THE_SEED = f"""
from random import Random

from arena import Bot, run
from arena.rules import cells_of, draw, rules_from_toml
from arena.seeds import DEFAULT_SEED, Seeds

RULES = rules_from_toml('''{SMALL}''', "")

class Knows(Bot):
    games = 0

    def game_begins(self):
        _, seed = Seeds(DEFAULT_SEED, RULES).of_game("knows", None, self.games)
        self.ships = [cell for mask in draw(RULES, Random(seed)) for cell in cells_of(mask)]
        self.games += 1

    def choose_shots(self, count):
        return [self.ships.pop()]

run(Knows)
"""


KNOWS_SOME = f"""(
            [self.ships.pop()]
            if self.games % {OF // FIFTEEN} == 1
            else [self.random.choice(self.untried)]
        )"""


@pytest.fixture(autouse=True)
def small_rules(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)


def test_solo_shows_adjusted_means_beside_plain_ones(salvo: Salvo) -> None:
    ran = salvo(*SOLO, "hunt_target", "--layouts", "60", "--adjusted", "--format", "json")
    [row] = ran.json["turns"]
    assert row["adjusted_low"] < row["adjusted_shots"] < row["adjusted_high"]
    assert row["adjusted_turns"] == row["adjusted_shots"]
    assert abs(row["adjusted_turns"] - row["mean_turns"]) < 2
    assert row["withheld"] is False


def test_standings_and_report_show_what_is_kept(salvo: Salvo, tmp_path: Path) -> None:
    salvo(*SOLO, "hunt_target", "--layouts", "4", "--adjusted")
    assert "adjusted" in salvo("standings").out
    assert salvo("report").code == 0
    assert "adjusted" in (tmp_path / "salvo-report.html").read_text(encoding="utf-8")


def test_standings_adjust_what_was_played_without(salvo: Salvo) -> None:
    plain = salvo(*SOLO, "hunt_target", "--layouts", "4")
    assert "adjusted" not in plain.out
    assert "adjusted" in salvo("standings", "--adjusted", "--workers", "1").out


def test_workers_find_the_same_luck(salvo: Salvo) -> None:
    salvo(*SOLO, "hunt_target", "--layouts", "25")
    told = []
    for workers in ("1", "2"):
        Path("copy.sqlite3").write_bytes(Path("salvo.sqlite3").read_bytes())
        words = ("--db", "copy.sqlite3", "--adjusted", "--workers", workers, "--format", "json")
        told.append(salvo("standings", *words).out)
    assert told[0] == told[1]


def test_rules_without_known_chances_are_refused_before_anything_is_played(
    salvo: Salvo, tmp_path: Path
) -> None:
    mistake = salvo("solo", "uniform_random", "--rules", "paper", "--adjusted").mistake
    assert mistake == (
        "salvo: --adjusted: paper: not adjusted for luck, since only the number of hits of a "
        "salvo is reported; leave it out"
    )
    assert not (tmp_path / "salvo.sqlite3").exists()


def test_a_bot_that_knows_the_layouts_is_named_and_has_no_adjusted_mean(
    salvo: Salvo, tmp_path: Path
) -> None:
    (tmp_path / "knows.py").write_text(KNOWS_THE_SEED)
    words = (*SOLO, "knows.py", "hunt_target", "--layouts", "30", "--adjusted")
    rows = {row["bot"]: row for row in salvo(*words, "--format", "json").json["turns"]}
    assert rows["knows"]["mean_turns"] == 5
    assert rows["knows"]["withheld"] is True
    assert rows["knows"]["adjusted_turns"] is None
    assert rows["knows"]["luck_chance"] <= 1e-4
    assert rows["hunt_target"]["luck_chance"] > 1e-4
    assert rows["hunt_target"]["withheld"] is False
    assert "Withheld: knows." in " ".join(salvo(*words).out.split())


def test_a_bot_that_knows_fifteen_games_among_many_is_named(salvo: Salvo, tmp_path: Path) -> None:
    wider = SMALL.replace("= 4", "= 6").replace(
        "fleet = [", 'fleet = [{ name = "Big", length = 4 }, '
    )
    (tmp_path / "small.toml").write_text(wider)
    text = KNOWS_THE_SEED.replace(SMALL, wider).replace("[self.ships.pop()]", KNOWS_SOME)
    (tmp_path / "knows.py").write_text(text)
    words = (*SOLO, "knows.py", "--layouts", str(OF), "--adjusted", "--format", "json")
    [row] = salvo(*words).json["turns"]
    assert row["mean_turns"] > 20
    assert row["withheld"] is True
