"""The model of a served league on any number of cores, on loads that can be worked out by hand."""

from typing import Any

import pytest

from benchmarks.simulations.class_queue import Load, Outcome, simulate


def load(**given: Any) -> Load:  # noqa: ANN401 - of any field
    """Return a load without games, in which nothing but what is given takes any time."""
    usual: dict[str, Any] = {
        "submitted": [],
        "checks": [1.0],
        "blocks": [1.0],
        "rating": lambda _now: 0.5,
        "pages_s": 0.0,
        "always": 0.0,
        "beside_s": 0.0,
        "look_s": 0.0,
        "bosses": 0,
        "pairing": 0,
        "block_games": 10,
        "lasts_s": 0.0,
    }
    return Load(**usual | given)


def checks(cores: int, submitted: list[tuple[float, int]], **given: Any) -> list[float]:  # noqa: ANN401 - the same
    """Return the waits for checks, where a bot is ranked by a block with the one boss."""
    told = load(submitted=submitted, bosses=1, pairing=1, blocks=[1e-6], **given)
    return [round(wait, 3) for wait in simulate(told, cores).checks]


def test_check_takes_its_processor_time_and_what_it_takes_beside() -> None:
    assert checks(1, [(0.0, 0)], checks=[2.0], beside_s=0.5) == [2.5]


def test_two_checks_share_a_core_and_not_two() -> None:
    at_once = [(0.0, 0), (0.0, 1)]
    assert checks(1, at_once) == [2.0, 2.0]
    assert checks(2, at_once) == [1.0, 1.0]


def test_versions_of_one_author_are_checked_one_after_another() -> None:
    assert checks(4, [(0.0, 0), (0.0, 0)]) == [1.0, 2.0]


def test_no_more_than_four_are_checked_at_once() -> None:
    assert checks(8, [(0.0, student) for student in range(5)]) == [1.0] * 4 + [2.0]


def test_what_is_always_in_use_slows_all_that_runs() -> None:
    assert checks(1, [(0.0, 0)], always=0.5) == [2.0]


def test_first_rank_comes_after_a_check_a_block_and_a_rating() -> None:
    found = simulate(load(submitted=[(0.0, 0)], bosses=1, pairing=1), 2)
    assert found.ranks == [pytest.approx(2.5)]


def test_who_comes_while_ratings_rest_waits_for_the_next() -> None:
    # The first rating ends after 2.5 s and rests for as long as five of it take.
    found = simulate(load(submitted=[(0.0, 0), (2.0, 1)], bosses=1, pairing=1), 2)
    assert found.ranks == [pytest.approx(2.5), pytest.approx(3.5)]


@pytest.mark.parametrize(("cores", "games"), [(1, 100), (2, 100), (3, 200), (5, 400)])
def test_workers_are_one_fewer_than_cores(cores: int, games: int) -> None:
    told = load(bosses=3, pairing=1000, lasts_s=10.0, rating=lambda _now: 0.0)
    assert simulate(told, cores).games == pytest.approx(games, abs=10)


def test_version_that_is_replaced_is_owed_no_more_games() -> None:
    told = load(submitted=[(0.0, 0), (50.0, 0)], bosses=1, pairing=3, lasts_s=100.0, checks=[0.1])
    assert simulate(told, 4).games == 2 * 3 * 10


def test_too_few_cores_are_refused() -> None:
    with pytest.raises(ValueError, match="always in use"):
        simulate(load(always=1.5), 1)


def test_nothing_submitted_is_nothing_waited_for() -> None:
    assert simulate(load(), 2) == Outcome()
