"""The benchmarks run, small, and end in one line of JSON."""

import json
import re
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import benchmarks
from arena.rules import Rules, Ship
from benchmarks.__main__ import bench
from benchmarks.adjusted import small_boards
from benchmarks.first_run import readme_commands
from benchmarks.games.solo_games import turns_over_every_layout
from benchmarks.simulations.fields import SCENARIOS
from benchmarks.simulations.look_errors import LOOKED, errors_of_looks
from benchmarks.simulations.sprt_errors import CONTESTS, errors_of_tests
from bots.uniform_random import UniformRandom
from bots.value_search import STEPS

LIST = Path(benchmarks.__file__).with_name("README.md").read_text(encoding="utf-8")


def outcome_of(*arguments: str) -> tuple[str, dict[str, Any]]:
    result = CliRunner().invoke(bench, arguments, catch_exceptions=False)
    *text, last = result.output.splitlines()
    return "\n".join(text), json.loads(last)


@pytest.mark.parametrize(
    "words",
    [
        ("transport", "--rounds", "1", "--slices", "1", "--isolation", "none"),
        ("start-up", "--starts", "3"),
        ("coverage", "--simulations", "10"),
    ],
)
def test_a_benchmark_ends_in_one_line_of_json_with_its_ratio(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.coverage.SCENARIOS", SCENARIOS[:3])
    looks, tests = partial(errors_of_looks, looked=LOOKED[:1]), CONTESTS[-2:]
    monkeypatch.setattr("benchmarks.coverage.errors_of_looks", looks)
    monkeypatch.setattr(
        "benchmarks.coverage.errors_of_tests", partial(errors_of_tests, contests=tests)
    )
    assert "ratio" in outcome_of(*words)[1]


def test_without_another_installation_nothing_is_said_of_one() -> None:
    text, outcome = outcome_of("moves", "--games", "1", "--times", "1")
    assert outcome["benchmark"] == "moves"
    assert "ratios" not in outcome
    assert "ratio" not in text
    assert "before" not in text


def test_ratios_stand_beside_another_installation() -> None:
    words = ("--bots", "6", "--isolation", "none", "--against", sys.prefix)
    text, outcome = outcome_of("many-bots", *words)
    assert "before" in text
    assert len(outcome["ratios"]) == 4
    assert min(outcome["ratios"].values()) > 0


def test_each_benchmark_has_a_row_in_the_list() -> None:
    listed = re.findall(r"^\| `python -m benchmarks ([\w-]+)", LIST, re.MULTILINE)
    assert sorted(listed) == sorted(bench.list_commands(click.Context(bench)))


@pytest.fixture(scope="module")
def sources() -> tuple[str, dict[str, Any]]:
    return outcome_of("sources", "--layouts", "20")


def test_sources_gives_a_reason_for_what_is_exactly_different(
    sources: tuple[str, dict[str, Any]],
) -> None:
    _, outcome = sources
    for number in (3, 4):
        name = f"case {number}, random, mean moves"
        assert name in outcome["differ"]
        assert name not in outcome["unexplained"]


def test_sources_reproduces_what_is_exact(sources: tuple[str, dict[str, Any]]) -> None:
    text, outcome = sources
    for exact in ("95.388889", "40.181818", "42.681818", "3.666667", "4.500000", "5.900000"):
        assert exact in text
    assert outcome["numbers"] >= 30
    assert outcome["ratio"] == round(outcome["agree"] / outcome["numbers"], 3)


def test_rules_plays_the_same_games_both_ways() -> None:
    text, outcome = outcome_of("rules", "--games", "3", "--rounds", "3")
    assert text.count("share") == 3
    assert 0 < outcome["ratio"] < 1


def test_every_layout_is_played() -> None:
    rules = Rules(name="two", rows=2, columns=3, fleet=(Ship("A", 2), Ship("B", 2)), shots=6)
    # 7 places of each; 7 pairs are one place twice, 20 share a cell in either order.
    assert turns_over_every_layout(UniformRandom(), rules) == {1: 22}


def test_bayes_holds_what_is_exact_and_prints_the_strength_of_every_bot() -> None:
    text, outcome = outcome_of(
        "bayes", *("--layouts", "4", "--held-out", "4", "--pairs", "2", "--games", "10")
    )
    for bot in (
        "value_search",
        "posterior_parity",
        "posterior_greedy",
        "monte_carlo",
        "thompson",
        "uniform_random",
    ):
        assert text.count(f"| `{bot}` ") == 1
    exact = [line for line in text.splitlines() if "layouts" in line and line.endswith("yes   |")]
    assert len(exact) >= 4
    assert outcome["ratio"] > 0


def test_strength_measures_each_step_and_goes_on_from_its_record(tmp_path: Path) -> None:
    small = ("--layouts", "2", "--salvos", "2", "--pairs", "2", "--against", "hunt_target")
    text, outcome = outcome_of(
        "strength", *small, "--workers", "1", "--db", str(tmp_path / "games.sqlite3")
    )
    for step in ("`posterior_greedy`", *STEPS[:-1]):
        assert f"| {step} " in text
    assert text.count("| `hunt_target` | 4 ") == 2
    assert outcome["better"] == {"classic": [], "salvo": []}  # four games decide nothing
    assert "salvo" not in outcome["met"]  # that it beats one is not that it beats all
    again, same = outcome_of(
        "strength", *small, "--workers", "1", "--db", str(tmp_path / "games.sqlite3")
    )
    assert (again, same) == (text, outcome)


def test_optima_are_found_and_played() -> None:
    _, outcome = outcome_of("optima")
    assert outcome["ratio"] == 1.0
    assert outcome["optima"]["square-5-3"] == 6.9
    assert outcome["optima"]["ramesh-5"] == 5.05


@pytest.fixture(scope="module")
def placement(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """Return what the command prints, and what it prints again."""
    out = tmp_path_factory.mktemp("placement") / "kept.json"
    words = ["placement", "--games", "4", "--out", str(out)]
    return [CliRunner().invoke(bench, words, catch_exceptions=False) for _ in range(2)]


def test_placement_prints_the_same_from_what_it_kept(placement: list[Result]) -> None:
    first, again = placement
    assert again.stdout == first.stdout


def test_placement_sets_every_shooter_of_the_field_beside_itself(placement: list[Result]) -> None:
    outcome = json.loads(placement[0].stdout.splitlines()[-1])
    for rules in ("classic", "salvo"):
        gains = outcome[rules]["gains"]
        assert len(gains) == 10
        for shooter in gains:
            assert placement[0].stdout.count(f"\n{shooter} ") >= 2
        for shooter in outcome[rules]["wins"]:
            assert 0 <= float(outcome[rules]["wins"][shooter].split("%")[0]) <= 100


def test_placement_tells_what_adapting_takes_back(placement: list[Result]) -> None:
    for shooter in ("counts, has seen 100", "counts, knows ours", "posterior, knows ours"):
        assert placement[0].stdout.count(f"\n{shooter} ") == 2


def test_how_far_a_benchmark_is_goes_to_stderr(placement: list[Result]) -> None:
    assert placement[0].stderr.startswith("classic: uniform_random ")
    assert placement[0].stdout.startswith("classic: shooter ")


def test_learning_prints_every_table_with_its_targets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("benchmarks.compared.gap.SEEDS", (1,))
    monkeypatch.setattr("benchmarks.compared.deep.TIMED_GAMES", 2)
    small = ("--layouts", "4", "--games", "100", "--shots", "50000", "--seeds", "2")
    text, outcome = outcome_of("learning", *small, "--db", str(tmp_path / "learning.sqlite3"))
    for told in ("ramesh-5", "case 5, trained with", "longest greedy game", "by heart", "12 x 12"):
        assert told in text
    for told in ("adjusted for luck", "five shots a turn, alone", "memory after a game", "6x6"):
        assert told in text
    assert 1 <= outcome["ratio"] < 3
    assert "(seed 1)" in text
    assert outcome["shots_per_s"] > 0
    assert 40 < outcome["deep_shots"] < 50
    assert "| Landy's row, `actor_critic`, mean of 2 seeds, every layout, turns" in text
    assert outcome["met"] <= outcome["targets"] == 15


def test_battleship_trains_and_plays_what_its_folders_lack(tmp_path: Path) -> None:
    folders = ("--out", str(tmp_path / "out"), "--models", str(tmp_path / "models"))
    some = ("--tasks", "row-10-3", "--agents", "optimal", "--agents", "landy", "--shots", "900")
    text, outcome = outcome_of("battleship", *some, "--seeds", "2", *folders)
    assert "| landy   | 900       | 2 " in text
    assert outcome["best_to_optimum"]["row-10-3"] == pytest.approx(1, abs=0.05)
    kept = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    shutil.rmtree(tmp_path / "models")
    assert outcome_of("battleship", *some, "--seeds", "2", *folders)[1] == outcome
    assert {path: path.read_bytes() for path in kept} == kept
    assert not (tmp_path / "models").exists()  # what has its results is not trained again


def test_battleship_writes_its_tables_into_the_page_beside_the_results(tmp_path: Path) -> None:
    page = tmp_path / "benchmark.md"
    page.write_text("above\n<!-- table -->\nold\n<!-- end -->\nbelow\n", encoding="utf-8")
    some = ("--tasks", "row-10-3", "--agents", "optimal", "--out", str(tmp_path / "out"))
    outcome_of("battleship", *some)
    first, begin, title, *_, end, last = page.read_text(encoding="utf-8").splitlines()
    assert (first, last) == ("above", "below")
    assert (begin, end) == ("<!-- table -->", "<!-- end -->")
    assert title == "### row-10-3, optimum 4.5"
    written = page.read_text(encoding="utf-8")
    outcome_of("battleship", "--tables", "--out", str(tmp_path / "out"))
    assert page.read_text(encoding="utf-8") == written


def test_adjusted_finds_no_luck_over_every_layout_and_less_variance_for_strong_bots(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    boards = [next(small_boards())]
    monkeypatch.setattr("benchmarks.adjusted.small_boards", lambda: boards)
    strong = ("posterior_greedy", "posterior_parity")
    small = {"STRONG": strong, "BOTS": ("uniform_random", *strong), "SAMPLES": 50, "TIMED": 2}
    for name, value in small.items():
        monkeypatch.setattr(f"benchmarks.adjusted.{name}", value)
    words = ("--games", "20", "--workers", "1", "--db", str(tmp_path / "adjusted.sqlite3"))
    text, outcome = outcome_of("adjusted", *words)
    assert text.count("| `posterior_parity` ") == 2
    assert outcome["most_luck_over_every_layout"] < 1e-9
    assert outcome["ratio"] > 5


def test_schedules_are_set_beside_a_round_robin() -> None:
    text, outcome = outcome_of(
        "schedules", "--bots", "6", "--games", "40", "--fields", "1", "--workers", "1"
    )
    for schedule in ("round robin", "swiss", "adaptive"):
        assert text.count(f"| {schedule} ") == 4
    assert outcome["ratio"] > 0
    assert 0 < outcome["least_coverage"] <= outcome["most_coverage"] <= 1


def test_ratings_prints_that_a_hopeless_bot_moves_nobody_and_what_it_costs() -> None:
    text, outcome = outcome_of("ratings", "--games", "600", "--bots", "4", "--fields", "1")
    moved = [float(line.split()[2]) for line in text.splitlines() if line.startswith("60")]
    assert len(moved) == 4
    assert max(moved) < 1
    assert outcome["games"] == 600
    assert outcome["most_memory_mb"] > 0


def test_suspects_names_who_knows_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.suspects.HONEST", ("hunt_target",))
    monkeypatch.setattr("benchmarks.suspects.CHEATS", ("hunt_target",))
    monkeypatch.setattr("benchmarks.suspects.SIZES", (100,))
    monkeypatch.setattr("benchmarks.suspects.TABLES", 20)
    text, outcome = outcome_of("suspects", "--games", "3", "--tables", "20", "--workers", "1")
    assert outcome["named_honest"] == 0
    assert outcome["named_fifteen"] == 1
    assert "| fifteen games |" in text


def test_first_run_takes_its_commands_from_the_readme() -> None:
    *installing, playing = readme_commands()
    assert [command.split()[-1] for command in installing] == [".venv", "."]
    assert playing == ".venv/bin/salvo tournament"


def test_peers_that_are_not_installed_are_listed_as_such(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    text, outcome = outcome_of("peers", "--seconds", "1", "--others", str(tmp_path))
    assert text.count("| not installed ") == 4
    assert set(outcome["moves_per_s"]) > {"Salvo in process"}
    assert min(outcome["moves_per_s"].values()) > 0
