"""Samples of explanations are unbiased; what is known of a salvo, or of later ones, saves some."""

from collections.abc import Sequence

import numpy as np
import pytest

from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError

LENGTHS = (4, 3, 2)
BOARD = board_of(6, 6, LENGTHS)
EVIDENCE = [
    Observation((cell,), (cell,) if hit else (), 0)
    for cell, hit in ((14, True), (21, True), (8, False), (15, True), (20, False), (27, False))
]


SALVOS = [
    Observation((14, 22, 33), (14, 22), ()),
    Observation((15, 16, 8), (15, 16), (3,)),
]


def explained(
    limit: int, seed: int, *, foreseen: bool, evidence: Sequence[Observation] = EVIDENCE
) -> Explanations:
    random = np.random.default_rng(seed)
    known = Explanations(BOARD, LENGTHS, random, limit, evidence if foreseen else ())
    for told in evidence:
        known.observe(told)
    return known


def total(
    limit: int, seed: int, *, foreseen: bool, evidence: Sequence[Observation] = EVIDENCE
) -> float:
    """Return what a sample of explanations counts: nothing where none was left."""
    try:
        return float(explained(limit, seed, foreseen=foreseen, evidence=evidence).weights.sum())
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


@pytest.mark.parametrize("limit", [20, 80])
def test_sample_within_a_salvo_is_without_bias(limit: int) -> None:
    exact = explained(10_000, 0, foreseen=False, evidence=SALVOS)
    assert exact.exact
    sums = [total(limit, seed, foreseen=False, evidence=SALVOS) for seed in range(400)]
    error = np.std(sums, ddof=1) / np.sqrt(len(sums))
    assert 0 < error < exact.weights.sum() / 4
    assert abs(np.mean(sums) - exact.weights.sum()) < 4 * error


def test_foresight_leaves_a_smaller_scatter() -> None:
    plain, foreseen = (
        np.std([total(60, seed, foreseen=how) for seed in range(200)]) for how in (False, True)
    )
    assert foreseen < plain


@pytest.mark.parametrize("last", [(), (2,)])
def test_no_sample_is_taken_before_it_is_known_what_sank(last: tuple[int, ...]) -> None:
    hits = [Observation((cell,), (cell,), ()) for cell in (14, 21, 8)]
    evidence = [*hits, Observation((15,), (15,), last)]
    before = explained(10_000, 0, foreseen=False, evidence=hits)
    roomy = explained(10_000, 0, foreseen=False, evidence=evidence)
    limit = max(len(before.weights), len(roomy.weights))
    tight = explained(limit, 0, foreseen=False, evidence=evidence)
    assert tight.exact
    assert tight.places.tolist() == roomy.places.tolist()


def test_explanations_that_cannot_sink_what_sank_are_left_out_before_a_sample_is_taken() -> None:
    salvos = [
        Observation((14,), (14,), ()),
        Observation((15, 16, 27), (15, 16, 27), (3,)),
    ]
    roomy, tight = (explained(limit, 0, foreseen=False, evidence=salvos) for limit in (10_000, 60))
    assert tight.exact
    assert tight.places.tolist() == roomy.places.tolist()


@pytest.mark.parametrize("sunk", [(1,), ()])
def test_the_first_hit_sinks_a_ship_of_one_cell_or_none(
    sunk: tuple[int, ...],
) -> None:
    board = board_of(4, 4, (2, 1))
    known = Explanations(board, (2, 1), np.random.default_rng(0))
    known.observe(Observation((5,), (5,), sunk))
    placed = {known.lengths[slot] for slot in np.flatnonzero((known.places >= 0).any(axis=0))}
    assert placed == ({1} if sunk else {2})
