"""One pass over recorded games: answers, first shots and fleets."""

from collections import Counter
from typing import Any

import pytest

from arena.records import Fixture, Game, PlaceStep, ShootStep, Tally, Termination
from salvo.reports.tables.survey import latency, survey


def game(identifier: str, second: str | None = "two", **more: Any) -> Game:  # noqa: ANN401 - a field's value
    layouts: Any = {"first": {"boat": [0, 1]}, "second": {"boat": [7, 8]}}
    if second is None:
        del layouts["first"]
    played: dict[str, Any] = {
        "fixture": Fixture(identifier, "one", second, 0, (1, 2)),
        "result": "first",
        "termination": Termination.SUNK,
        "reason": "",
        "forfeit": None,
        "layouts": layouts,
        "steps": (
            PlaceStep("first", 0.5),
            ShootStep("first", (3, 4), 0.001),
            ShootStep("second", (5,), 0.002),
            ShootStep("first", (6,), 0.003),
        ),
        "tallies": (Tally(), Tally()),
    }
    return Game(**{**played, **more})


def test_first_salvo_alone_counts_as_where_a_bot_shoots_first() -> None:
    found = survey([game("a"), game("b")], {"a", "b"}, {})
    assert found.first_shots["one"].cells == {3: 2, 4: 2}
    assert found.first_shots["two"].cells == {5: 2}
    assert found.first_shots["one"].games == 2


def test_fleet_of_a_layout_of_the_arena_is_nobodys() -> None:
    alone = game("b", second=None, steps=(ShootStep("first", (3, 4), 0.001),))
    found = survey([game("a"), alone], {"a", "b"}, {})
    assert found.fleets["one"].cells == {0: 1, 1: 1}
    assert set(found.fleets) == {"one", "two"}


def test_every_answer_is_timed() -> None:
    found = survey([game("a")], {"a"}, {})
    assert found.answers == {
        "one": Counter({500_000: 1, 1_000: 1, 3_000: 1}),
        "two": Counter({2_000: 1}),
    }


def test_games_that_do_not_count_are_left_out() -> None:
    assert survey([game("a")], set(), {}).answers == {}


def test_bots_are_counted_under_the_names_they_are_shown_by() -> None:
    assert set(survey([game("a")], {"a"}, {"one": "shown"}).answers) == {"shown", "two"}


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([1], (1, 1e-6, 1e-6, 1e-6)),
        (range(1, 101), (100, 50e-6, 95e-6, 100e-6)),
        ([7] * 99 + [9], (100, 7e-6, 7e-6, 9e-6)),
    ],
)
def test_latency_is_the_median_the_95th_percentile_and_the_worst(
    times: list[int], told: tuple[float, ...]
) -> None:
    assert latency(Counter(times)) == pytest.approx(told)


def test_bot_that_never_answered_has_no_latency() -> None:
    assert latency(Counter()) is None
