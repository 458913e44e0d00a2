"""What is known beforehand of later salvos saves explanations, and changes none that is right."""

import numpy as np
import pytest

from bots.tactics.posterior import (
    Explanations,
    ImpossibleEvidenceError,
    Observation,
    board_of,
)

LENGTHS = (4, 3, 2)
BOARD = board_of(6, 6, LENGTHS)
EVIDENCE = [
    Observation((cell,), (cell,) if hit else (), 0)
    for cell, hit in ((14, True), (21, True), (8, False), (15, True), (20, False), (27, False))
]


def explained(limit: int, seed: int, *, foreseen: bool) -> Explanations:
    random = np.random.default_rng(seed)
    known = Explanations(BOARD, LENGTHS, random, limit, EVIDENCE if foreseen else ())
    for told in EVIDENCE:
        known.observe(told)
    return known


def total(limit: int, seed: int, *, foreseen: bool) -> float:
    """Return what a sample of explanations counts: nothing where none was left."""
    try:
        return float(explained(limit, seed, foreseen=foreseen).weights.sum())
    except ImpossibleEvidenceError:
        return 0.0


def test_all_explanations_are_the_same_with_and_without_foresight() -> None:
    one, two = (explained(10_000, 0, foreseen=foreseen) for foreseen in (False, True))
    assert one.exact
    assert two.exact
    assert sorted(map(tuple, one.places)) == sorted(map(tuple, two.places))
    assert one.weights.sum() == two.weights.sum()


@pytest.mark.parametrize(("limit", "foreseen"), [(60, False), (5, True)])
def test_sample_of_explanations_is_without_bias(limit: int, *, foreseen: bool) -> None:
    exact = explained(10_000, 0, foreseen=False).weights.sum()
    sums = [total(limit, seed, foreseen=foreseen) for seed in range(400)]
    error = np.std(sums, ddof=1) / np.sqrt(len(sums))
    assert 0 < error < exact / 4
    assert abs(np.mean(sums) - exact) < 4 * error


def test_foresight_leaves_a_smaller_scatter() -> None:
    plain, foreseen = (
        np.std([total(60, seed, foreseen=how) for seed in range(200)]) for how in (False, True)
    )
    assert foreseen < plain
