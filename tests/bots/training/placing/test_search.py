"""The search for the equilibrium of placement: its parts on games with known answers."""

from pathlib import Path

import numpy as np
import pytest

from bots.tactics.placement import weighted_layouts as scores
from bots.training.placing import search as placement
from bots.training.placing.numbered_layouts import features, stored_tilt
from bots.training.placing.search import (
    Args,
    Sample,
    best_answers,
    divergence_of,
    slope_along,
    solve,
    tilt_of,
)


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
        tilt = tilt_of(slope_along(sample.described, slope, divergence), sample.described)
        odds = tilt.odds(sample.described)
        assert odds.mean() == pytest.approx(1)
        assert divergence_of(odds) == pytest.approx(divergence, abs=0.01)


def test_the_best_answer_draws_more_of_what_takes_long(sample: Sample) -> None:
    truth = np.zeros(len(features().names))
    truth[:3] = 1.0  # ships of five along the edge
    taken = sample.described @ truth
    answers = best_answers(sample, np.ones(len(taken)), taken)
    tilts = [tilt_of(slope, sample.described) for slope in answers]
    means = [float(tilt.odds(sample.described) @ taken) / len(taken) for tilt in tilts]
    assert means == sorted(means)
    assert means[0] > taken.mean()
    assert means[-1] > taken.mean() + taken.std() / 2


def test_a_search_closes_in_on_the_value_and_is_repeatable(
    capsys: pytest.CaptureFixture[str],
) -> None:
    args = Args(layouts=300, pool=2000, rounds=3)
    found = placement.search(args)
    said = capsys.readouterr().err
    assert len(found.lows) == len(found.highs) == said.count("round ")
    assert found.lows == sorted(found.lows)
    assert found.highs == sorted(found.highs, reverse=True)
    assert found.highs[0] > found.lows[0] + 0.5  # against a shooter that knows nothing
    assert found.highs[-1] > found.lows[-1] - 1
    assert placement.search(args).tilt.scores.tolist() == found.tilt.scores.tolist()


def test_what_was_found_is_written_where_it_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: Sample
) -> None:
    for module in (placement, scores):
        monkeypatch.setattr(module, "file_for", lambda name: str(tmp_path / f"{name}.csv"))
    slope = np.random.default_rng(3).normal(size=len(features().names)) / 10
    tilt = tilt_of(slope, sample.described)
    placement.save(tilt, "salvo")
    assert stored_tilt("salvo").scores == pytest.approx(tilt.scores, abs=1e-4)


def test_too_few_layouts_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["placement", "--layouts", "5"])
    with pytest.raises(SystemExit) as left:
        placement.main()
    assert left.value.code == 2
    assert "--layouts 5: give 100 or more" in capsys.readouterr().err
