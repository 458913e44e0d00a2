"""The search for the equilibrium of placement: its parts on games with known answers."""

import numpy as np
import pytest

from bots.tactics.placement.layouts import draw_layouts, features
from bots.training import placement
from bots.training.placement import Args, Sample, best_answers, divergence_of, solve, tilt_along


def test_rock_paper_scissors_is_played_at_random() -> None:
    gains = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    mixed, against, value = solve(gains)
    assert mixed == pytest.approx([1 / 3] * 3)
    assert against == pytest.approx([1 / 3] * 3)
    assert value == pytest.approx(0)


def test_a_game_with_a_saddle_is_played_purely() -> None:
    mixed, against, value = solve(np.array([[3.0, 5], [2, 9], [1, 1]]))
    assert mixed == pytest.approx([1, 0, 0])
    assert against == pytest.approx([1, 0])
    assert value == pytest.approx(3)


def test_a_game_of_two_by_two_is_mixed_as_its_formula_says() -> None:
    # (ad - bc) / (a + d - b - c), and the row player's first share (d - c) / (a + d - b - c).
    mixed, against, value = solve(np.array([[4.0, 1], [2, 3]]))
    assert value == pytest.approx(10 / 4)
    assert mixed == pytest.approx([1 / 4, 3 / 4])
    assert against == pytest.approx([1 / 2, 1 / 2])


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample.draw(4000, np.random.default_rng(1))


def test_a_tilt_is_as_far_from_uniform_as_it_is_to_be(sample: Sample) -> None:
    slope = np.random.default_rng(2).normal(size=len(features().names))
    for divergence in (0.05, 0.5):
        odds = tilt_along(sample.described, slope, divergence).odds(sample.described)
        assert odds.mean() == pytest.approx(1)
        assert divergence_of(odds) == pytest.approx(divergence, abs=0.01)


def test_the_best_answer_draws_more_of_what_takes_long(sample: Sample) -> None:
    truth = np.zeros(len(features().names))
    truth[-1] = 1.0  # ships that lie the same way
    taken = sample.described @ truth
    answers = best_answers(sample, np.ones(len(taken)), taken)
    means = [float(tilt.odds(sample.described) @ taken) / len(taken) for tilt in answers]
    assert means == sorted(means)
    assert means[0] > taken.mean()
    assert means[-1] > taken.mean() + taken.std() / 2


def test_a_search_closes_in_on_the_value_and_is_repeatable(
    capsys: pytest.CaptureFixture[str],
) -> None:
    args = Args(layouts=800, pool=4000, rounds=2)
    found = placement.search(args)
    assert len(found.values) == capsys.readouterr().err.count("round ")
    for low, value, high in zip(found.lows, found.values, found.highs, strict=True):
        assert low <= value + 1e-6 <= high + 2e-6
    assert found.highs[0] > found.values[0] + 0.5  # against a shooter that knows nothing
    odds = found.mixture.odds(features().of(draw_layouts(2000, np.random.default_rng(5))))
    assert odds.mean() == pytest.approx(1, abs=0.15)
    assert placement.search(args).mixture.scores.tolist() == found.mixture.scores.tolist()
