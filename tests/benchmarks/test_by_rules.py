"""`python -m benchmarks by-rules`, small."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from arena.rules import preset
from benchmarks.__main__ import bench
from benchmarks.by_rules import BAYESIAN, GAMES, Settings, run, who_plays
from benchmarks.games.matches import plays
from benchmarks.lines import Note
from bots.tactics.posterior.bayesian_bot import BayesianBot
from salvo.bundled import bot_class, bundled_bots

Rows = dict[str, list[str]]
"""The cells of each row, by the first of them."""

CHOSEN = ("row-5-3", "paper-by-ship")
SMALL = Settings(rules=CHOSEN, layouts=4, first=2, workers=1)


def rows_of(text: str) -> Rows:
    lines = (line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `"))
    return {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in lines}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("by-rules") / "games.sqlite3"


@pytest.fixture(scope="module")
def printed(record: Path) -> str:
    lines = run(replace(SMALL, db=record))
    return "\n".join(line for line in lines if not isinstance(line, Note))


def test_both_kinds_of_bots_are_set_side_by_side(printed: str) -> None:
    optimum, thumb, _, bayes, _, difference, layouts, *_ = rows_of(printed)["`paper-by-ship`"]
    assert not optimum
    assert thumb == "`probability_density`"
    assert bayes == "`posterior_greedy`"
    assert layouts == "4"
    assert float(difference.split()[0]) < 0


def test_posterior_is_counted_or_has_an_effective_size(printed: str) -> None:
    rows = rows_of(printed)
    assert rows["`row-5-3`"][8] == "counted"
    assert "sampled, effective size " in rows["`paper-by-ship`"][8]


def test_least_turns_are_given_where_the_game_is_solved(printed: str) -> None:
    assert rows_of(printed)["`row-5-3`"][0] == "3.667"


def test_game_that_is_the_same_alone_is_not_played_again(
    monkeypatch: pytest.MonkeyPatch, record: Path
) -> None:
    again = msgspec.structs.replace(
        preset("row-5-3"), name="row-again", again=True, end="equal-turns"
    )
    monkeypatch.setitem(GAMES, "row-again", again)
    lines = run(replace(SMALL, rules=("row-5-3", "row-again"), db=record))
    rows = rows_of("\n".join(lines))
    assert rows["`row-again`, alone as `row-5-3`"] == rows["`row-5-3`"]


def test_outcome_says_which_are_better(printed: str) -> None:
    outcome: dict[str, Any] = json.loads(printed.splitlines()[-1])
    assert set(outcome["better"]) == set(CHOSEN)
    assert 0 <= outcome["ratio"] <= 1


def test_command_goes_on_from_the_record(printed: str, record: Path) -> None:
    size = record.stat().st_size
    small = ("--layouts", "4", "--first", "2", "--workers", "1", "--db", str(record))
    result = CliRunner().invoke(bench, ["by-rules", *CHOSEN, *small], catch_exceptions=False)
    assert result.stdout == f"{printed}\n"
    assert record.stat().st_size == size


def test_posterior_greedy_and_parity_play_everything() -> None:
    for bot in ("posterior_greedy", "posterior_parity"):
        assert all(plays(bot, rules) for rules in GAMES.values())


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("monte_carlo", "`lies`: reports may be lies"),
        ("brute_force", "`unknown`: the fleet is unknown"),
        ("thompson", "`apart`, `afp-immovable`: ships may not touch"),
        ("value_search", "`afp`: ships move"),
    ],
)
def test_table_says_why_a_bot_does_not_play(bot: str, why: str) -> None:
    assert why in rows_of(who_plays(GAMES.values()))[f"`{bot}`"][1]


def test_every_bot_that_keeps_a_belief_is_in_the_table() -> None:
    believing = {name for name in bundled_bots() if issubclass(bot_class(name), BayesianBot)}
    assert believing <= set(BAYESIAN)
