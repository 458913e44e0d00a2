"""The commands that play, run as a user runs them."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.arena.store.forged import write_checksums

Salvo = Callable[..., Any]

FAST = ("--rules", "small.toml", "--isolation", "limits", "--workers", "1")
SMALL = """
name = "small"
rows = 5
columns = 5
shots = "afloat"
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
TWO = ("hunt_target", "uniform_random")
KEYS = {
    *("version", "elo", "turns", "first_seat_elo", "prior_pairs", "anchor"),
    *("elo_verdict", "turns_verdict", "differences", "turns_differences", "pairings"),
    *("warnings", "notes", "explanations"),
    *("forfeits", "forfeits_count", "reported", "extended"),
}
CRASHES = "import sys\nsys.exit('nothing to say')\n"
REFUSES = """
from arena import Bot, run

class Picky(Bot):
    def plays(self, rules) -> None:
        return False

run(Picky)
"""


@pytest.fixture(autouse=True)
def small_rules(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory, salvo_in: Salvo) -> tuple[Path, Any]:
    """Return a folder where a tournament was played, and what that printed."""
    folder = tmp_path_factory.mktemp("tournament")
    (folder / "small.toml").write_text(SMALL)
    amount = ("--games", "4", "--layouts", "3")
    return folder, salvo_in(folder, "tournament", *TWO, *FAST, *amount, "--format", "json")


def test_tournament_prints_json_of_both_leaderboards(tournament: tuple[Path, Any]) -> None:
    folder, ran = tournament
    assert ran.code == 0
    assert set(ran.json) == KEYS
    assert ran.json["version"] == 2
    assert set(ran.json["elo"][0]) == {
        *("bot", "group", "rank", "best_rank", "worst_rank", "elo", "low", "high", "bound"),
        *("weight", "games", "wins", "draws", "losses", "forfeits", "leans_on"),
    }
    assert set(ran.json["turns"][0]) == {
        *("bot", "rank", "best_rank", "worst_rank", "mean_turns", "turns_low", "turns_high"),
        *("mean_shots", "shots_low", "shots_high"),
        *("median_shots", "best_shots", "worst_shots", "hit_rate", "games", "forfeits"),
    }
    assert set(ran.json["first_seat_elo"]) == {"value", "low", "high"}
    assert {row["games"] for row in ran.json["elo"]} == {4}
    assert {row["games"] for row in ran.json["turns"]} == {3}
    assert (folder / "salvo.sqlite3").exists()
    assert "<html" in (folder / "salvo-report.html").read_text()


@pytest.mark.long("a tournament is played twice")
def test_the_bytes_are_the_same_at_any_number_of_workers(salvo_process: Salvo) -> None:
    command = ("tournament", *TWO, "hunt_parity", *FAST, "--games", "24", "--layouts", "60")
    one = salvo_process(*command, "--workers", "1", "--db", "one.sqlite3", "--format", "json")
    two = salvo_process(*command, "--workers", "2", "--db", "two.sqlite3", "--format", "json")
    assert one.code == two.code == 0
    assert one.out == two.out


def test_record_goes_on_in_blocks_of_the_size_that_it_was_begun_with(
    salvo: Salvo, tmp_path: Path
) -> None:
    command = ("tournament", *TWO, *FAST, "--layouts", "0", "--games")
    assert salvo(*command, "2").code == 0
    with closing(sqlite3.connect(tmp_path / "salvo.sqlite3", isolation_level=None)) as db:
        size = "SELECT block_pairs FROM tournaments"
        assert db.execute(size).fetchall() == [(25,)]
        db.execute("UPDATE tournaments SET block_pairs = 10")  # as an older Salvo began them
        write_checksums(db)
        assert salvo(*command, "24").code == 0
        blocks = db.execute("SELECT number, games FROM blocks ORDER BY number").fetchall()
        assert blocks == [(0, 20), (1, 4)]
        assert db.execute(size).fetchall() == [(10,)]


def test_a_second_run_plays_nothing_and_prints_the_same(salvo: Salvo) -> None:
    command = ("match", *TWO, *FAST, "--games", "4", "--format", "json")
    first = salvo(*command)
    listed = salvo("games", "--format", "json").json
    assert salvo(*command).out == first.out
    assert salvo("games", "--format", "json").json == listed


def test_more_games_extend_the_record_as_if_asked_for_at_once(salvo: Salvo) -> None:
    few = salvo("match", *TWO, *FAST, "--games", "6", "--format", "json")
    more = salvo("match", *TWO, *FAST, "--games", "22", "--format", "json")
    at_once = salvo("match", *TWO, *FAST, "--games", "22", "--format", "json", "--db", "b.sqlite3")
    for key in ("pairings", "first_seat_elo"):
        assert more.json[key] == at_once.json[key]
    # What is sure is so however often one looks, and nobody had looked at the other record before.
    unsure = {"rank", "best_rank", "worst_rank", "sure"}
    for key in ("elo", "differences"):
        looked, new = (
            [{name: row[name] for name in row if name not in unsure} for row in ran.json[key]]
            for ran in (more, at_once)
        )
        assert looked == new
    assert salvo("match", *TWO, *FAST, "--games", "6", "--format", "json").out == few.out


def test_verdict_on_a_record_that_was_extended_says_what_that_means(salvo: Salvo) -> None:
    first = salvo("match", *TWO, *FAST, "--games", "40", "--format", "json").json
    assert (first["extended"], first["verdict"]["any_time"]) == (False, False)
    again = salvo("match", *TWO, *FAST, "--games", "40", "--format", "json").json
    assert again == first
    more = salvo("match", *TWO, *FAST, "--games", "60", "--format", "json").json
    assert (more["extended"], more["verdict"]["any_time"]) == (True, True)
    assert more["verdict"]["low"] < more["differences"][0]["lead_low"]
    told = " ".join(salvo("match", *TWO, *FAST, "--games", "60").out.split())
    assert "The record was extended after it had been rated." in told
    assert "These limits hold however often one looks" in told
    assert "was extended after it had been rated" in salvo("standings").out.replace("\n", " ")


def test_a_match_has_no_turns_and_solo_no_elo(salvo: Salvo) -> None:
    match = salvo("match", *TWO, *FAST, "--games", "2", "--format", "json").json
    assert match["turns"] == []
    solo = salvo("solo", *TWO, *FAST, "--layouts", "2", "--format", "json").json
    assert solo["elo"] == []
    assert solo["first_seat_elo"] is None
    assert len(solo["turns"]) == 2


def test_gauntlet_bot_that_does_not_play_the_rules_is_named(salvo: Salvo) -> None:
    ran = salvo("tournament", *TWO, "--gauntlet", "optimal_row", *FAST)
    assert ran.err.splitlines()[-1] == "salvo: optimal_row does not play small; name others"
    assert ran.code == 2


def test_a_gauntlet_has_one_meet_all_others_and_them_nobody_else(salvo: Salvo) -> None:
    ran = salvo(
        *("tournament", *TWO, "--gauntlet", "hunt_parity", *FAST),
        *("--games", "2", "--layouts", "0", "--format", "json"),
    )
    games = {row["bot"]: row["games"] for row in ran.json["elo"]}
    assert games == {"hunt_parity": 4, "hunt_target": 2, "uniform_random": 2}


def test_a_bot_that_cannot_start_forfeits_and_the_tournament_ends(
    salvo: Salvo, tmp_path: Path
) -> None:
    (tmp_path / "crashes.py").write_text(CRASHES)
    ran = salvo("match", "crashes.py", "uniform_random", *FAST, "--games", "10", "--format", "json")
    rows = {row["bot"]: row for row in ran.json["elo"]}
    assert rows["crashes"]["forfeits"] == rows["crashes"]["losses"] == 10
    assert "forfeited 10 of 10 games, mostly because: gave no introduction: exited" in ran.err
    listed = salvo("games", "--forfeits", "--format", "json").json
    assert {row["termination"] for row in listed} == {"unstarted", "barred"}


CRASHES_WHEN_IT_IS_TO_SHOOT = """
from arena import Bot, run

class Shy(Bot):
    def choose_shots(self, count):
        raise SystemExit("not me")

run(Shy)
"""
NOTHING_PLAYED = 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", "shy.py", "uniform_random"), "match of shy and uniform_random"),
        (
            ("tournament", "shy.py", "--gauntlet", "hunt_target", "--layouts", "0"),
            "match of hunt_target and shy",
        ),
        (("solo", "shy.py", "uniform_random"), "solo of shy"),
        (("match", "shy.py", "crashes.py"), "match of crashes and shy"),
    ],
)
def test_a_match_of_forfeits_alone_has_an_exit_code_of_its_own(
    salvo: Salvo, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    (tmp_path / "shy.py").write_text(CRASHES_WHEN_IT_IS_TO_SHOOT)
    (tmp_path / "crashes.py").write_text(CRASHES)
    amount = ("--layouts", "2") if words[0] == "solo" else ("--games", "2")
    ran = salvo(*words, *FAST, *amount, "--format", "json")
    assert ran.code == NOTHING_PLAYED
    assert f"salvo: {told}: every game was a forfeit\n" in ran.err
    assert set(ran.json) - {"verdict"} == KEYS


@pytest.mark.parametrize(
    "words",
    [
        ("match", "crashes.py", "too=crashes.py"),
        ("tournament", "crashes.py", "too=crashes.py"),
        ("solo", "crashes.py"),
    ],
)
def test_a_run_in_which_no_bot_starts_has_an_exit_code_of_its_own(
    salvo: Salvo, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "crashes.py").write_text(CRASHES)
    ran = salvo(*words, *FAST)
    assert (ran.code, ran.out) == (NOTHING_PLAYED, "")
    assert "crashes: gave no introduction: exited with code 1: nothing to say" in ran.err
    assert "nothing was played, since none of these bots starts: crashes" in ran.err
    assert not (tmp_path / "salvo.sqlite3").exists()


def test_a_bot_that_forfeits_some_games_is_no_reason_for_another_exit_code(
    salvo: Salvo, tmp_path: Path
) -> None:
    second_alone = CRASHES_WHEN_IT_IS_TO_SHOOT.replace(
        "        raise",
        "        if self.seat == 'second':\n            return self.untried[:count]\n        raise",
    )
    (tmp_path / "shy.py").write_text(second_alone)
    ran = salvo("match", "shy.py", "uniform_random", *FAST, "--games", "2", "--format", "json")
    assert [row["forfeits"] for row in ran.json["elo"] if row["bot"] == "shy"] == [1]
    assert ran.code == 0


def test_a_bot_that_does_not_play_the_rules_is_left_out(salvo: Salvo, tmp_path: Path) -> None:
    (tmp_path / "picky.py").write_text(REFUSES)
    ran = salvo("tournament", *TWO, "picky.py", *FAST, "--games", "2", "--layouts", "0")
    assert ran.code == 0
    assert "picky" in ran.err
    lonely = salvo("match", "picky.py", "uniform_random", *FAST)
    assert lonely.code == 2
    assert "uniform_random" in lonely.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", *TWO, "--games", "3"), "even number, 2 or 4"),
        (("match", "hunt_targt", "uniform_random"), "did you mean 'hunt_target'"),
        (("match", "hunt_target", "hunt_target"), "NAME=BOT"),
        (("tournament", "hunt_target", *FAST), "needs two bots"),
        (("solo", "hunt_target", "--rules", "slavo"), "no preset has that name"),
        (("solo", "hunt_target", "--rules", "missing.toml"), "missing.toml"),
        (("standings",), "no such file"),
        (("standings", "--db", "small.toml"), "small.toml"),
    ],
)
def test_a_mistake_is_one_line_with_its_fix(
    salvo: Salvo, words: tuple[str, ...], told: str
) -> None:
    assert told in salvo(*words).mistake


def test_a_broken_rules_file_is_refused_with_field_value_and_fix(
    salvo: Salvo, tmp_path: Path
) -> None:
    (tmp_path / "broken.toml").write_text(SMALL.replace("rows = 5", "rows = 0"))
    mistake = salvo("solo", "hunt_target", "--rules", "broken.toml").mistake
    assert "broken.toml" in mistake
    assert "rows" in mistake
    assert "found '0'" in mistake


def test_a_named_tournament_refuses_other_settings(salvo: Salvo) -> None:
    named = ("--tournament", "cup", "--games", "2")
    assert salvo("match", *TWO, *FAST, *named).code == 0
    assert "--tournament" in salvo("match", *TWO, *FAST, *named, "--seed", "7").mistake
    assert salvo("solo", TWO[0], *FAST, "--layouts", "1", "--seed", "7").code == 0
    assert salvo("standings", "--tournament", "cup").code == 0
    assert "cup" in salvo("standings", "--tournament", "cop").mistake


def test_standings_and_report_read_the_record(
    salvo: Salvo, tmp_path: Path, tournament: tuple[Path, Any]
) -> None:
    folder, played = tournament
    shutil.copy(folder / "salvo.sqlite3", tmp_path)
    assert salvo("standings", "--format", "json").out == played.out
    for format_ in ("table", "csv", "markdown"):
        assert "hunt" in salvo("standings", "--format", format_).out
    assert "1500" not in salvo("standings", "--prior", "none", "--format", "csv").err
    assert salvo("report", "--report", "again.html").code == 0
    assert (tmp_path / "again.html").stat().st_size > 100_000
    assert "--report" in salvo("report", "--report", "no/such/folder.html").mistake


def test_games_are_listed_and_replayed(salvo: Salvo) -> None:
    salvo("match", *TWO, *FAST, "--games", "2")
    listed = salvo("games", "--format", "json").json
    assert len(listed) == 2
    shown = salvo("replay", listed[0]["game"][:6]).out
    assert f"{listed[0]['winner']} wins: every ship of the other side is sunk" in shown
    assert "X hit" in shown
    assert salvo("replay", listed[0]["game"], "--format", "json").json["rules"]["name"] == "small"
    assert "no game has" in salvo("replay", "zzzz").mistake
    assert "no bot of that name" in salvo("games", "--bot", "nobody").mistake


def test_a_solo_game_is_replayed_against_the_layout(salvo: Salvo) -> None:
    salvo("solo", "hunt_target", *FAST, "--layouts", "1")
    [game] = salvo("games", "--format", "json").json
    assert "layout of the arena" in salvo("replay", game["game"]).out


def test_bots_are_listed_with_what_they_declare(salvo: Salvo) -> None:
    rows = {row["bot"]: row for row in salvo("bots", "--format", "json").json}
    assert rows["hunt_target"]["plays salvo"] == "yes"
    assert rows["hunt_target"]["default field"] == "yes"
    assert rows["hunt_target"]["idea"]


def test_help_names_every_command_and_each_has_its_own(salvo: Salvo) -> None:
    text = salvo("--help").out
    for command in ("tournament", "match", "solo", "standings", "report", "games", "replay"):
        assert command in text
        assert salvo(command, "--help").code == 0
    assert salvo("--version").out.startswith("salvo ")


def test_an_option_that_does_not_exist_exits_2(salvo_process: Salvo) -> None:
    ran = salvo_process("match", *TWO, "--gmaes", "2")
    assert ran.code == 2
    assert "--gmaes" in ran.err


def test_output_may_be_cut_short_by_its_reader(salvo: Salvo, tmp_path: Path) -> None:
    salvo("solo", "hunt_target", *FAST, "--layouts", "20")
    command = f"{sys.executable} -m salvo games --format csv | head -n 1"
    ran = subprocess.run(
        ["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""


def test_contest_of_authors_is_warned_of_a_seed_that_can_be_guessed(
    salvo: Salvo, tmp_path: Path
) -> None:
    bundled = Path(str(resources.files("bots"))) / "uniform_random.py"
    for name in ("ada", "grace"):
        (tmp_path / f"{name}.py").write_bytes(bundled.read_bytes())
    quick = (*FAST, "--games", "2")
    assert "can be guessed" not in salvo("match", "uniform_random", "ada.py", *quick).err
    told = salvo("match", "ada.py", "grace.py", *quick).err
    [line] = [line for line in told.splitlines() if "can be guessed" in line]
    assert "seed 20091" in line
    assert "authors of ada, grace" in line
    suggested = line.split("--seed ")[1]
    again = salvo("match", "ada.py", "grace.py", *quick, "--seed", suggested)
    assert again.code == 0
    assert "can be guessed" not in again.err


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "--move-time", "nan"),
        ("match", *TWO, "--game-time", "NaN"),
        ("check", "hunt_target", "--move-time", "nan"),
        ("play", "hunt_target", "--clock", "nan"),
        ("submit", "hunt_target", "--league", "new", "--move-time", "nan"),
    ],
)
def test_what_is_not_a_number_is_no_time(salvo: Salvo, words: tuple[str, ...]) -> None:
    assert "is not a number" in salvo(*words).mistake


@pytest.mark.parametrize("name", ["a", "alpha"])
def test_two_bots_of_one_name_are_refused(salvo: Salvo, name: str) -> None:
    bots = (f"{name}=hunt_target", f"{name}=uniform_random")
    assert f"two bots are called '{name}'" in salvo("match", *bots, *FAST).mistake
