"""`python -m benchmarks race`: whole games for two on very small boards, solved."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner

from arena.rules import cells_of, view
from benchmarks.__main__ import bench
from benchmarks.equilibrium import rules_of
from benchmarks.exploits.race import Strategy, best_answer, share_won, solved, uniform
from benchmarks.exploits.race_tree import TooManyNodesError, Tree, tree_of
from bots.tactics.solver.small_game import game_of

MANY = 100_000


def tree_for(name: str, most: int = MANY) -> Tree:
    game = game_of(view(rules_of(name)))
    assert game is not None
    return tree_of(game.layouts, game.shots, most)


def some_strategy(tree: Tree, player: int, seed: int) -> Strategy:
    random = np.random.default_rng(seed)
    even = uniform(tree, player)
    shoots = [one * random.random(one.shape) for one in even.shoots]
    hides = random.random(len(even.hides))
    totals = [np.maximum(one.sum(axis=2, keepdims=True), 1e-9) for one in shoots]
    return Strategy(
        hides / hides.sum(), [one / total for one, total in zip(shoots, totals, strict=True)]
    )


def played_by_chance(tree: Tree, shots: int, random: Random) -> bool:
    """Play a game in which both draw everything uniformly; return whether the first wins."""
    fleets = [random.choice(tree.layouts) for _ in range(2)]
    shot = [0, 0]
    mover = 0
    while True:
        fleet = fleets[1 - mover]
        agree = [one for one in tree.layouts if not (one ^ fleet) & shot[mover]]
        useful = 0
        for one in agree:
            useful |= one & ~shot[mover]
        cells = cells_of(useful)
        for cell in random.sample(cells, min(shots, len(cells))):
            shot[mover] |= 1 << cell
        if fleet & ~shot[mover] == 0:
            return mover == 0
        mover = 1 - mover


def test_a_row_of_three_is_three_quarters_for_the_first() -> None:
    # Each hits the middle, then guesses an end; whoever misses that hits the other end next.
    found = next(solved(tree_for("1x3:2")))
    assert found.lower == pytest.approx(0.75)
    assert found.upper == pytest.approx(0.75)


def test_openspiel_finds_the_same_value() -> None:
    cfr, expected_game_score = (
        pytest.importorskip(f"open_spiel.python.algorithms.{name}")
        for name in ("cfr", "expected_game_score")
    )
    game = pytest.importorskip("arena.environments.open_spiel").spiel_game(rules_of("1x3:2"))
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    found = next(solved(tree_for("1x3:2")))
    assert (1 + value) / 2 == pytest.approx((found.lower + found.upper) / 2, abs=0.02)


@pytest.mark.parametrize(("name", "shots"), [("1x4:2", 1), ("2x3:2/2", 2), ("1x5:2+1/2", 2)])
def test_a_share_is_what_is_won_by_chance(name: str, shots: int) -> None:
    tree, random = tree_for(name), Random(5)
    won = np.mean([played_by_chance(tree, shots, random) for _ in range(3_000)])
    share = share_won(tree, uniform(tree, 0), uniform(tree, 1))
    assert won == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("name", ["1x4:2", "1x5:2+1/2"])
def test_nothing_wins_more_than_the_best_answer(name: str) -> None:
    tree = tree_for(name)
    for seed in range(5):
        one, two = some_strategy(tree, 0, seed), some_strategy(tree, 1, seed)
        most, answer = best_answer(tree, two, 0)
        assert share_won(tree, answer, two) == pytest.approx(most)
        assert share_won(tree, one, two) <= most
        most, answer = best_answer(tree, one, 1)
        assert share_won(tree, one, answer) == pytest.approx(1 - most)
        assert share_won(tree, one, two) >= 1 - most


def test_limits_close_in_on_the_value() -> None:
    for found in solved(tree_for("1x4:2")):
        assert found.lower <= 7 / 9 <= found.upper
        if found.rounds == 64:
            break
    assert found.upper - found.lower < 0.015


def test_prints_values_and_what_is_won_against_bots(tmp_path: Path) -> None:
    words = ["race", "--games", "1x4:2", "--bots", "optimal uniform_random", "--seeds", "8"]
    words += ["--out", str(tmp_path / "race.json")]
    result = CliRunner().invoke(bench, words, catch_exceptions=False)
    again = CliRunner().invoke(bench, words, catch_exceptions=False)
    assert (again.stdout, again.stderr) == (result.stdout, "")
    low, high = json.loads(result.stdout.splitlines()[-1])["values"]["1x4:2"]
    assert low <= 7 / 9 <= high <= low + 0.005
    # It shoots the same cells each time, and its answer hides where it looks last.
    assert "| 1x4:2  | `optimal`        | 100.0% " in result.stdout
    assert "shoots where no ship can lie" in result.stdout


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooManyNodesError, match="more than 1,000"):
        tree_for("1x5:3", 1_000)
    result = CliRunner().invoke(bench, ["race", "--games", "5x5:3", "--nodes", "1000"])
    assert result.exit_code == 2
    assert "'5x5:3': more than 1,000 nodes; see --nodes." in result.stderr
