"""What answers are worth, and how far they speak against chance, in small numbers."""

import math

import numpy as np
import pytest

from bots.tactics.value.answer_luck import (
    HIT_TILTS,
    VALUE_TILTS,
    Answers,
    chances_with_played,
    log_e_values,
    lucks,
    values,
)
from bots.tactics.value.features import FEATURES, SHOTS


def answers(drawn: tuple[float, float] = (math.inf, 3), shots: int = 1) -> Answers:
    """Return those of two salvos: two that the first may get, and three of the second."""
    features = np.zeros((5, FEATURES))
    features[:, SHOTS] = shots
    return Answers(
        features=features,
        chances=np.array([0.75, 0.25, 0.5, 0.3, 0.2]),
        to_hit=np.array([2, 1, 1, 1, 0]),
        seen=np.array([True, True, True, False, True]),
        salvo=np.array([0, 0, 1, 1, 1]),
        came=np.array([1, 3]),
        drawn=np.array(drawn),
    )


def test_unseen_answers_are_worth_the_mean_of_those_that_were_seen() -> None:
    misses = np.array([4.0, 3.0, 2.0, 99.0, 5.0])
    # After the fourth 1 is to be hit and 3.5 miss; after the last all is over.
    assert values(answers(), misses).tolist() == [6, 4, 3, 4.5, 0]
    assert values(answers(shots=2), misses).tolist() == [3, 2, 1.5, 2.25, 0]
    nothing = answers()._replace(seen=np.array([True, True, False, False, False]))
    assert values(nothing, misses).tolist() == [6, 4, 1, 1, 0]


def test_luck_is_what_came_less_what_was_expected() -> None:
    worth = np.array([6, 4, 3, 4.5, 0])
    assert lucks(answers(), worth) == pytest.approx([4 - 5.5, 4.5 - (1.5 + 1.35)])


def test_the_layout_that_was_played_is_one_of_those_drawn() -> None:
    assert chances_with_played(answers()) == pytest.approx(
        [0.75, 0.25, 0.375, 0.3 * 0.75 + 0.25, 0.15]
    )
    assert chances_with_played(answers((0, 0))) == pytest.approx([0, 1, 0, 1, 0])


def test_e_values_say_how_much_likelier_a_tilt_makes_an_answer() -> None:
    worth = np.array([6, 4, 3, 4.5, 0])
    some = answers()
    chances = chances_with_played(some)
    found = log_e_values(some, worth)
    tilts = [(tilt, some.to_hit) for tilt in HIT_TILTS] + [(tilt, worth) for tilt in VALUE_TILTS]
    assert found.shape == (5, len(tilts))
    for column, (tilt, left) in enumerate(tilts):
        for rows in ([0, 1], [2, 3, 4]):
            tilted = np.exp(-tilt * left[rows])
            expected = np.log(tilted / (tilted @ chances[rows]))
            assert found[rows, column] == pytest.approx(expected)
    # As by chance alone, they are 1 at the mean.
    assert chances[:2] @ np.exp(found[:2]) == pytest.approx(np.ones(len(tilts)))
