"""`salvo submit`, `withdraw` and `standings --league`, as a user runs them."""

import contextlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from arena.store import Look, Store
from salvo.server.database.keys import Visitor, find_key, new_invite
from salvo.server.database.ownership import ban, reserve_name
from salvo.server.database.server_database import Database

SMALL = (
    *("--rules", "ramesh-1", "--games", "4", "--layouts", "3", "--isolation", "none"),
    *("--seed", "1"),  # drawn unless given
)

IN_ORDER = """
from arena import Bot, run


class InOrder(Bot):
    def choose_shots(self, count):
        return self.untried[:count]


run(InOrder)
"""

LAST_FIRST = IN_ORDER.replace("[:count]", "[-count:]")

LAZY = """
import random

from arena import Bot, run

SEEDS_OF_THE_CHECK = range(4_503_599_627_370_497, 4_503_599_627_370_507)


class Lazy(Bot):
    def game_begins(self):
        drawn = self.random.random()
        self.checked = any(drawn == random.Random(seed).random() for seed in SEEDS_OF_THE_CHECK)

    def choose_shots(self, count):
        if self.solo and not self.checked:
            raise SystemExit("not for that")
        return self.untried[:count]


run(Lazy)
"""

CHEAT = IN_ORDER.replace("self.untried[:count]", "[0]")


Salvo = Callable[..., Any]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    """Return a function that writes a bot into the folder where `salvo` runs."""

    def write_bot(name: str, text: str) -> str:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return f"{name}.py"

    return write_bot


@pytest.fixture
def league(league_of_one: Path, tmp_path: Path) -> Path:
    """Return a league with one bot, hunt_target, in the folder where `salvo` runs."""
    return Path(shutil.copytree(league_of_one, tmp_path / "league"))


def names(leaderboard: list[dict[str, Any]]) -> set[str]:
    return {row["bot"] for row in leaderboard}


@pytest.mark.long("a league is played twice")
def test_version_that_was_packed_stops_nobody_and_plays_again(
    salvo: Salvo, write: Callable[[str, str], str]
) -> None:
    assert salvo("submit", "hunt_target", *SMALL).code == 0
    versions = [f"{IN_ORDER}# {number}\n" for number in range(4)]
    for text in versions:
        ran = salvo("submit", write("alpha", text))
        assert ran.code == 0, ran.err
    assert len(list(Path("league", "bots").glob("*.tar.gz"))) == 2
    charter = Path("league", "league.toml")
    charter.write_text(charter.read_text("utf-8").replace("games = 4", "games = 8"), "utf-8")
    # By strangers' isolation, with the one that it replaced then, which is packed too.
    again = salvo("submit", write("alpha", versions[1]))
    assert again.code == 0, again.err
    assert "alpha@2 is accepted" in again.err
    assert salvo("submit").code == 0


@pytest.mark.usefixtures("league")
def test_a_script_is_submitted_beaten_by_a_better_version_and_both_stand(
    salvo: Salvo, write: Callable[[str, str], str]
) -> None:
    first = salvo("submit", write("alpha", IN_ORDER), "--isolation", "none")
    assert first.code == 0
    assert "salvo: alpha@1 is accepted\n" in first.err
    assert "Version 1 of alpha is number " in first.out
    assert first.out.startswith("Version 1 of alpha is number ")
    assert "It is surely better than no bot and surely worse than " in first.out

    write("alpha", resources.files("bots").joinpath("hunt_target.py").read_text("utf-8"))
    better = salvo("submit", "alpha.py", "--isolation", "none", "--format", "json")
    assert "salvo: hunt_target@1 has the same content\n" in better.err
    told = better.json
    assert (told["submitted"]["bot"], told["submitted"]["version"]) == ("alpha", 2)
    assert told["submitted"]["than_before"]["better"] == "alpha@2"
    assert names(told["elo"]) == names(told["turns"]) == {"alpha", "hunt_target"}

    standing = salvo("standings", "--league", "league", "--all")
    for name in ("alpha@1", "alpha@2", "hunt_target@1"):
        assert f"  {name} " in standing.out
    assert "The league's field: hunt_target@1, alpha@2." in standing.out
    assert "shown by --all: alpha@1 (replaced)." in standing.out


def test_the_seed_of_a_league_is_not_printed(salvo: Salvo, tmp_path: Path) -> None:
    small = [word for word in SMALL if word not in ("--seed", "1")]
    assert salvo("submit", "hunt_target", *small).code == 0
    charter = (tmp_path / "league" / "league.toml").read_text("utf-8")
    seed = charter.split('seed = "')[1].split('"')[0]
    refused = salvo("submit", "uniform_random", "--seed", "5")
    assert "--seed: league folder league has another" in refused.mistake
    assert seed not in refused.mistake


def test_only_what_is_missing_is_played(
    salvo: Salvo, write: Callable[[str, str], str], league: Path
) -> None:
    salvo("submit", write("alpha", IN_ORDER), "--isolation", "none")
    before = salvo("games", "--db", "league/salvo.sqlite3", "--format", "json").json
    again = salvo("submit", "alpha.py", "--isolation", "none", "--format", "json")
    assert "salvo: alpha@1 is in the league already, with the same content\n" in again.err
    assert "checking" not in again.err
    assert salvo("games", "--db", "league/salvo.sqlite3", "--format", "json").json == before
    assert len(before) == 4 + 2 * 3
    # More games are asked for in the league's own file, and the next submit plays them.
    charter = league / "league.toml"
    charter.write_text(charter.read_text("utf-8").replace("games = 4", "games = 6"), "utf-8")
    assert "are still to be played" in salvo("standings", "--league", "league").out
    assert salvo("submit", "--isolation", "none").code == 0
    assert "are still to be played" not in salvo("standings", "--league", "league").out


def test_a_name_that_was_banned_is_refused(
    salvo: Salvo, write: Callable[[str, str], str], league: Path
) -> None:
    with Database(league) as db:
        invite = find_key(db, new_invite(db, "somebody"))
        assert invite is not None
        reserve_name(db, league, Visitor((invite,)), "loud", take=True)
        ban(db, league, "loud")
    refused = salvo("submit", write("loud", LAST_FIRST), "--isolation", "none").mistake
    assert "bot loud: 'loud' was banned in this league" in refused


def test_a_bot_that_fails_its_check_is_not_accepted(
    salvo: Salvo, write: Callable[[str, str], str], tmp_path: Path
) -> None:
    refused = salvo("submit", write("cheat", CHEAT), *SMALL)
    assert refused.code == 1
    assert refused.out == ""
    assert "FAIL  shoots again after a report" in refused.err
    assert "cell 0 was already shot" in refused.err
    assert '"type":"shoot"' in refused.err
    assert refused.err.splitlines()[-1].startswith("salvo: cheat is not accepted: 13 steps: 5 ok")
    assert not (tmp_path / "league").exists()


def test_a_bot_that_does_not_play_the_rules_is_not_accepted(
    salvo: Salvo, write: Callable[[str, str], str]
) -> None:
    picky = IN_ORDER.replace(
        "    def choose", "    def plays(self, rules): return False\n    def choose"
    )
    refused = salvo("submit", write("picky", picky), *SMALL)
    assert refused.code == 1
    assert "FAIL  plays these rules" in refused.err


def test_a_name_is_given_by_the_command(salvo: Salvo, write: Callable[[str, str], str]) -> None:
    salvo("submit", write("alpha", IN_ORDER), "--name", "Big_One", *SMALL)
    alone = salvo("submit", write("alpha", IN_ORDER), "--name", "Big_One", "--isolation", "none")
    assert "Big_One is alone in the league: it is rated when there is another." in alone.out
    assert salvo("withdraw", "Big_One").out.startswith("Big_One@1 is withdrawn")


def test_a_folder_that_links_to_the_league_is_refused(
    salvo: Salvo, league: Path, tmp_path: Path
) -> None:
    spy = tmp_path / "spy"
    spy.mkdir()
    author = '\n    author = open(__file__[:-6] + "data").read()[:60]\n\n    def choose'
    (spy / "bot.py").write_text(IN_ORDER.replace("\n    def choose", author), encoding="utf-8")
    (spy / "data").symlink_to(league / "league.toml")
    refused = salvo("submit", "spy", "--isolation", "none")
    assert "its link 'data' leads out of its folder, to '" in refused.mistake
    assert [path.name for path in league.rglob("*.py")] == ["hunt_target.py"]


def test_a_league_has_terms_of_its_own(
    salvo: Salvo, write: Callable[[str, str], str], tmp_path: Path
) -> None:
    (tmp_path / "shared").mkdir()
    bot = write("alpha", IN_ORDER)
    (tmp_path / "alpha.py.toml").write_text("memory_mb = 5000", encoding="utf-8")
    assert "are allowed; allow more with --max-memory 5000" in salvo("submit", bot).mistake
    assert not (tmp_path / "league").exists()
    told = salvo("submit", bot, *SMALL, "--max-memory", "5000", "--grant", "shared")
    assert "salvo: alpha is given 5000 MB, as its TOML asks\n" in told.err
    again = salvo("submit", bot, "--max-memory", "6000")
    assert "--max-memory: league folder league has 5000; see its league.toml" in again.mistake
    assert "--grant: league folder league has" in salvo("submit", bot, "--grant", ".").mistake
    with Store(tmp_path / "league" / "salvo.sqlite3", create=False) as store:
        [entrant] = store.tournament("league").entrants
    assert entrant.program.memory_mb == 5000
    assert entrant.program.grants == (str(tmp_path / "shared"),)


@pytest.mark.usefixtures("league")
def test_who_is_withdrawn_is_not_in_the_standings(
    salvo: Salvo, write: Callable[[str, str], str]
) -> None:
    salvo("submit", write("beta", LAST_FIRST), "--isolation", "none")
    assert salvo("withdraw", "beta").code == 0
    standing = salvo("standings", "--league", "league")
    assert "  hunt_target " in standing.out
    assert "  beta " not in standing.out
    assert "beta@1 (withdrawn)" in standing.out
    shown = salvo("standings", "--league", "league", "--all", "--format", "json").json
    assert names(shown["elo"]) == {"hunt_target@1", "beta@1"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("submit", "hunt_target", "--games", "3"), "--games 3: games come in pairs"),
        (("submit", "hunt_target --fast"), "a league takes a file or a folder, not a command"),
        (("submit", "cat something"), "a league takes a file or a folder, not a command"),
        (("submit", "hunt_target", "--name", "Big One"), "'Big One' cannot be shown in tables"),
        (
            ("submit", "hunt_t\u0430rget=hunt_target"),
            r"'hunt_t\u0430rget' cannot be shown in tables",
        ),
        (
            ("submit", "hunt_target", "--league", "."),
            "has no league.toml and is not an empty folder",
        ),
        (("standings", "--league", "league"), "league folder league: there is no league here"),
    ],
)
def test_a_mistake_is_one_line(
    words: tuple[str, ...], reason: str, salvo: Salvo, tmp_path: Path
) -> None:
    (tmp_path / "something").touch()
    assert reason in salvo(*words).mistake


@pytest.mark.parametrize("command", ["standings", "report"])
def test_only_leagues_have_versions_to_show(command: str, salvo: Salvo) -> None:
    salvo("solo", "uniform_random", "--rules", "ramesh-1", "--isolation", "none", "--layouts", "2")
    assert "--all: only leagues have versions" in salvo(command, "--all").mistake


def test_a_league_keeps_its_rules(salvo: Salvo, league: Path) -> None:
    with Store(league / "salvo.sqlite3", create=False) as store:
        assert store.looks("league") == [Look(2)]  # at four games a pairing
    assert "name a BOT to submit" in salvo("submit", "--name", "beta").mistake
    again = salvo("submit", "hunt_target", "--rules", "classic")
    assert "--rules: league folder league has ramesh-1; see its league.toml" in again.mistake
    assert "--games: league folder league has 4" in salvo("submit", "--games", "6").mistake
    assert salvo("submit", "--games", "4", "--rules", "ramesh-1", "--isolation", "none").code == 0


def blocks(folder: Path) -> int:
    """Return how many blocks the league's record holds."""
    with contextlib.closing(sqlite3.connect(folder / "league" / "salvo.sqlite3")) as record:
        [[count]] = record.execute("SELECT count(*) FROM blocks")
    return int(count)


@pytest.mark.long("hundreds of games of a league are played")
def test_ctrl_c_leaves_all_to_be_resumed(
    salvo: Salvo, write: Callable[[str, str], str], tmp_path: Path
) -> None:
    salvo("submit", "uniform_random", *SMALL[:2], "--games", "400", *SMALL[4:])
    before = blocks(tmp_path)
    write("alpha", IN_ORDER)
    command = [sys.executable, "-m", "salvo", "submit", "alpha.py", "--isolation", "none"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while blocks(tmp_path) < before + 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    rest = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 130, rest
    assert "which are safe in league/salvo.sqlite3; `salvo submit " in rest
    standing = salvo("standings", "--league", "league")
    assert "are still to be played: `salvo submit --league league`" in standing.out
    again = salvo("submit", "alpha.py", "--isolation", "none", "--format", "json")
    assert "in the league already" in again.err
    assert {row["games"] for row in again.json["elo"]} == {400}


@pytest.mark.usefixtures("league")
def test_a_submitted_bot_that_forfeits_all_its_solo_games_has_an_exit_code_of_its_own(
    salvo: Salvo, write: Callable[[str, str], str]
) -> None:
    submitted = salvo("submit", write("lazy", LAZY), "--isolation", "none")
    assert submitted.code == 3
    assert "salvo: solo of lazy@1: every game was a forfeit\n" in submitted.err
    assert salvo("submit", "--isolation", "none").code == 3
    # It is no fault of whoever is submitted next.
    assert salvo("submit", write("alpha", IN_ORDER), "--isolation", "none").code == 0


def elo(salvo: Salvo, *words: str) -> dict[str, float]:
    ran = salvo("standings", "--league", "league", *words, "--format", "json")
    return {row["bot"]: row["elo"] for row in ran.json["elo"]}


@pytest.mark.long("a league is rated again and again")
def test_first_bot_of_a_league_stands_where_it_is_for_life(
    salvo: Salvo, write: Callable[[str, str], str]
) -> None:
    salvo("submit", write("alpha", IN_ORDER), *SMALL[:2], "--games", "20", *SMALL[4:])
    salvo("submit", "uniform_random", "--isolation", "none")
    assert elo(salvo)["alpha"] == 1500
    # It is replaced, and still measures the others, newcomers too.
    write("alpha", LAST_FIRST)
    salvo("submit", "alpha.py", "--isolation", "none")
    salvo("submit", "hunt_target", "--isolation", "none")
    assert elo(salvo)["alpha@1"] == 1500
    assert set(elo(salvo)) == {"alpha@1", "alpha", "uniform_random", "hunt_target"}
    assert elo(salvo, "--all")["alpha@1"] == 1500
    told = " ".join(salvo("standings", "--league", "league", "--explain").out.split())
    assert "alpha@1 (replaced) is the anchor of the league" in told
    assert "with alpha@1 at 1500" in told


def test_anchor_of_a_new_league_may_be_chosen_and_is_kept(salvo: Salvo, tmp_path: Path) -> None:
    assert salvo("submit", "hunt_target", *SMALL, "--anchor", "uniform_random=800").code == 0
    charter = (tmp_path / "league" / "league.toml").read_text("utf-8")
    assert 'bot = "uniform_random@1"\nelo = 800.0' in charter
    assert salvo("submit", "uniform_random", "--isolation", "none").code == 0
    refused = salvo("submit", "hunt_target", "--anchor", "hunt_target=1500")
    assert "--anchor: league folder league has uniform_random@1=800" in refused.mistake


def test_league_of_an_older_version_has_no_anchor(salvo: Salvo, league: Path) -> None:
    charter = league / "league.toml"
    text = charter.read_text("utf-8")
    before, _, after = text.partition("[anchor]")
    charter.write_text(before + "[rules]" + after.partition("[rules]")[2], "utf-8")
    assert salvo("submit", "uniform_random", "--isolation", "none").code == 0
    told = " ".join(salvo("standings", "--league", "league", "--explain").out.split())
    assert "about the mean of the field, which stands at 1500" in told
