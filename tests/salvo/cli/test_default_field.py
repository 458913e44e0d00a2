"""Without named bots the default field plays, and a tournament says so before it begins."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.rules import preset
from arena.schedule import Plan, round_robin
from arena.seeds import Seeds
from salvo.bundled import bot_class, bundled_bots, default_field
from salvo.cli.runs.game_counts import Amount, tell_plan

SMALL = ("--rules", "ramesh-1", "--isolation", "none")


def test_the_default_field_has_heuristics_bayesian_bots_and_bots_that_learned() -> None:
    field = {name for name in bundled_bots() if bot_class(name).default_field}
    assert field == {
        *("uniform_random", "hunt_target", "hunt_parity", "probability_density"),
        *("monte_carlo", "posterior_greedy", "posterior_parity", "value_search"),
        *("q_learning", "deep_salvo"),
    }


@pytest.mark.parametrize(
    ("asked", "named", "played"),
    [
        ((None, None), True, (200, 500)),
        ((None, None), False, (20, 100)),
        ((6, None), False, (6, 100)),
        ((6, 0), True, (6, 0)),
    ],
)
def test_less_is_played_where_no_bots_are_named_and_nothing_is_asked_for(
    asked: tuple[int | None, int | None], played: tuple[int, int], *, named: bool
) -> None:
    assert Amount.of(*asked, named=named) == Amount(*played)


def test_a_tournament_says_what_it_plays_before_it_begins(salvo: Callable[..., Any]) -> None:
    bots = ("hunt_target", "hunt_parity", "uniform_random")
    command = ("tournament", *bots, *SMALL, "--games", "4", "--layouts", "3")
    told = "salvo: 3 bots play 21 games: 4 in each of 3 pairings, 3 alone each"
    assert salvo(*command).err.splitlines()[0] == told
    assert salvo(*command).err.splitlines()[0] == f"{told}; 21 of them are in the record"


def test_only_bots_of_the_default_field_are_started_to_introduce_themselves() -> None:
    said = [name for name in bundled_bots() if bot_class(name).default_field]
    assert default_field() == said


def plan_of(names: str, pairs: int, layouts: int) -> Plan:
    return Plan(
        tournament="first",
        seeds=Seeds(1, preset("salvo")),
        pairings=round_robin(tuple(names)),
        soloists=tuple(names),
        pairs=pairs,
        layouts=layouts,
    )


def test_the_default_field_is_told_how_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of("abcdefghi", 10, 100)
    tell_plan(plan, 0, 2, usual=True)
    tell_plan(plan, 810, 1, usual=True)
    whole, half = capsys.readouterr().err.splitlines()
    assert whole == (
        "salvo: 9 bots play 1,620 games: 20 in each of 36 pairings, 100 alone each; "
        "that takes about 40 s with 2 workers"
    )
    assert half.endswith("; 810 of them are in the record; that takes about 50 s with 1 worker")


@pytest.mark.parametrize(
    ("pairs", "layouts", "done", "told"),
    [
        (2, 3, 0, "10 games: 4 with each other, 3 alone each; that takes about 20 s with 1 worker"),
        (2, 3, 10, "10 games: 4 with each other, 3 alone each; 10 of them are in the record"),
        (1, 0, 0, "2 games: 2 with each other; that takes about 20 s with 1 worker"),
    ],
)
def test_two_bots_play_with_each_other_and_alone(
    capsys: pytest.CaptureFixture[str], pairs: int, layouts: int, done: int, told: str
) -> None:
    tell_plan(plan_of("ab", pairs, layouts), done, 1, usual=True)
    assert capsys.readouterr().err == f"salvo: 2 bots play {told}\n"
