"""Bots search layouts alone; two bots of one author can gain nothing from each other."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import salvo as in_notebook

Salvo = Callable[..., Any]

LAYOUTS = 6
SEED = 2**64
SMALL = """
name = "small"
rows = 5
columns = 5
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
FEWEST_TURNS = 5
"""The fleet has five cells, and a turn one shot."""

BY_CHANCE = 15
"""Whoever shoots anywhere takes 21.7 turns; a mean of six is seldom that far below, and the seed is
always the same."""

SCOUT = """
import json
from arena import Bot, run

class Scout(Bot):
    found = []

    def choose_shots(self, count):
        return self.untried[:count]

    def game_ends(self, end):
        if self.solo:
            self.found.append(self.hits)
            with open({channel!r}, "w") as channel:
                json.dump(self.found, channel)

run(Scout)
"""
STAR = """
import json
from arena import Bot, run

class Star(Bot):
    games = 0

    def game_begins(self):
        try:
            with open({channel!r}) as channel:
                found = json.load(channel)
        except FileNotFoundError:
            found = []
        self.best = list(found[self.games]) if self.solo and self.games < len(found) else []
        self.games += self.solo

    def choose_shots(self, count):
        untried = set(self.untried)
        first = [cell for cell in self.best if cell in untried]
        rest = [cell for cell in self.random.sample(self.untried, len(untried))
                if cell not in first]
        return (first + rest)[:count]

run(Star)
"""
"""A star reads what a scout of the same author left it. A channel between bots is hard to close:
here it is a file, in a sandbox it may be which files the machine has in its memory."""

QUIET = (
    *("--rules", "small.toml", "--isolation", "none", "--workers", "1"),
    *("--layouts", str(LAYOUTS), "--seed", str(SEED)),
)
BOTS = ("scout.py", "star.py")
KINDS = {
    "solo": ("solo", *BOTS),
    "tournament": ("tournament", *BOTS, "--games", "2"),
    "swiss": ("tournament", *BOTS, "--schedule", "swiss", "--games", "20"),
}
SHARDS = ("1/2", "2/2")


@pytest.fixture(autouse=True)
def two_bots_of_one_author(tmp_path: Path) -> None:
    channel = str(tmp_path / "channel")
    (tmp_path / "small.toml").write_text(SMALL)
    for name, text in (("scout", SCOUT), ("star", STAR)):
        (tmp_path / f"{name}.py").write_text(text.format(channel=channel))


def turns_of_the_star(told: dict[str, Any]) -> float:
    """Return the mean turns of the star, of all its solo games, from what was printed as JSON."""
    [row] = [row for row in told["turns"] if row["bot"] == "star"]
    assert row["games"] == LAYOUTS
    return float(row["mean_turns"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_star_gains_nothing_from_what_its_scout_saw(salvo: Salvo, kind: str) -> None:
    ran = salvo(*KINDS[kind], *QUIET, "--format", "json")
    assert turns_of_the_star(ran.json) > BY_CHANCE
    assert [row["paired"] for row in ran.json["turns_differences"]] == [False]


@pytest.mark.parametrize("kind", KINDS)
def test_a_star_knows_common_layouts_from_its_scout(salvo: Salvo, kind: str) -> None:
    ran = salvo(*KINDS[kind], *QUIET, "--common-layouts", "--format", "json")
    assert turns_of_the_star(ran.json) == FEWEST_TURNS
    assert [row["paired"] for row in ran.json["turns_differences"]] == [True]


@pytest.mark.parametrize(
    ("options", "common"), [((), False), (("--common-layouts",), True)], ids=["own", "common"]
)
def test_shards_search_the_layouts_of_the_whole(
    salvo: Salvo,
    options: tuple[str, ...],
    common: bool,  # noqa: FBT001 - the case
) -> None:
    for shard in SHARDS:
        assert salvo(*KINDS["solo"], *QUIET, *options, "--shard", shard).code == 0
    assert salvo("merge", *map(record_of, SHARDS)).code == 0
    told = salvo("standings", "--format", "json").json
    assert (turns_of_the_star(told) > BY_CHANCE) != common
    assert [row["paired"] for row in told["turns_differences"]] == [common]


def record_of(shard: str) -> str:
    """Return the file that a shard is played into."""
    return f"salvo-{shard.replace('/', '-of-')}.sqlite3"


def test_shards_on_other_layouts_are_not_merged(salvo: Salvo) -> None:
    for shard, options in zip(SHARDS, ((), ("--common-layouts",)), strict=True):
        salvo("solo", "star.py", *QUIET, *options, "--shard", shard, "--tournament", "cup")
    mistake = salvo("merge", *map(record_of, SHARDS)).mistake
    assert mistake.endswith("they differ in common layouts: false and true")


@pytest.mark.parametrize("common", [False, True], ids=["own", "common"])
def test_a_notebook_searches_the_same_layouts_as_the_command(
    salvo: Salvo, tmp_path: Path, *, common: bool
) -> None:
    record = in_notebook.play(
        *(tmp_path / bot for bot in BOTS),
        rules=tmp_path / "small.toml",
        games=0,
        layouts=LAYOUTS,
        common_layouts=common,
        seed=SEED,
        workers=1,
        isolation="none",
        db=tmp_path / "salvo.sqlite3",
    )
    games = record.games()
    seeds = [set(games[games["first"] == bot]["second_seed"]) for bot in ("scout", "star")]
    assert (seeds[0] == seeds[1]) == common
    assert seeds[0].isdisjoint(seeds[1]) != common
    # The same tournament, by its name: nothing is left to play.
    salvo(*KINDS["solo"], *QUIET, *(["--common-layouts"] * common))
    assert len(in_notebook.open_record(tmp_path / "salvo.sqlite3").tournaments) == 1


def test_a_tournament_is_gone_on_with_on_its_own_kind_of_layouts_alone(salvo: Salvo) -> None:
    command = ("solo", "star.py", *QUIET)
    salvo(*command)
    salvo(*command, "--common-layouts")
    assert len(salvo("tournaments", "--format", "json").json) == 2
    salvo(*command, "--tournament", "cup")
    assert salvo(*command, "--tournament", "cup", "--common-layouts").mistake == (
        "salvo: record salvo.sqlite3: its tournament 'cup' differs in common layouts: false then, "
        "true now; give this one another name with --tournament"
    )


@pytest.mark.parametrize("options", [(), ("--common-layouts",)], ids=["own", "common"])
def test_what_was_played_is_verified_on_the_same_layouts(
    salvo: Salvo, options: tuple[str, ...]
) -> None:
    salvo("solo", "uniform_random", *QUIET, *options)
    ran = salvo("verify", "salvo.sqlite3", "--sample", "100%", "--isolation", "none")
    assert ran.code == 0
    assert "; all of them are the same (--seed " in ran.out


def test_the_report_says_whose_layouts_were_searched(salvo: Salvo, tmp_path: Path) -> None:
    for options, says in (
        ((), "each bot on layouts of its own"),
        (("--common-layouts",), "all bots on the same layouts"),
    ):
        record = ("--db", f"{len(options)}.sqlite3")
        salvo("solo", "star.py", *QUIET, *options, *record)
        salvo("report", *record)
        page = (tmp_path / "salvo-report.html").read_text(encoding="utf-8")
        assert says in page
        assert ("--common-layouts" in page) == bool(options)
