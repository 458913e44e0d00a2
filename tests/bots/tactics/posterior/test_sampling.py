"""Samples are without bias, say how sure they are, and are never called exact."""

import random

import numpy as np
import pytest

from arena.rules import cells_of, draw_uniform, preset
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.posterior import Effort, estimate

FLEET = (3, 3, 2, 2)
EXACT = Effort(limit=10**9)
SAMPLED = Effort(limit=20, draws=40, rounds=1)


def explained(seed: int, *shots: Observation) -> Explanations:
    known = Explanations(board_of(6, 6, FLEET), FLEET, np.random.default_rng(seed))
    for told in shots:
        known.observe(told)
    return known


HIT = Observation((14,), (14,), ())
MISS = Observation((20, 27), (), ())


def test_mean_of_samples_is_what_is_counted() -> None:
    known = explained(0, MISS, HIT)
    exact = estimate(known, np.random.default_rng(0), EXACT)
    samples = [estimate(known, np.random.default_rng(seed), SAMPLED) for seed in range(400)]
    assert exact.exact
    assert not any(sample.exact for sample in samples)
    layouts = np.array([sample.layouts for sample in samples])
    error = layouts.std() / 20
    assert abs(layouts.mean() - exact.layouts) < 4 * error
    covered = np.array([sample.layouts * sample.cells for sample in samples])
    errors = covered.std(axis=0) / 20
    assert (abs(covered.mean(axis=0) - exact.layouts * exact.cells) <= 4.5 * errors + 1e-6).all()


def test_error_is_about_the_scatter_of_samples() -> None:
    known = explained(0, HIT)
    samples = [estimate(known, np.random.default_rng(seed), SAMPLED) for seed in range(300)]
    scatter = np.std([sample.cells for sample in samples], axis=0)
    told = np.mean([sample.errors for sample in samples], axis=0)
    unsure = scatter > 0.01
    assert unsure.any()
    # Rows are drawn evenly, so that the error told is rather too large.
    assert (told[unsure] > 0.6 * scatter[unsure]).all()
    assert told[unsure].mean() < 3 * scatter[unsure].mean()


def test_rounds_go_on_until_the_error_is_met() -> None:
    known = explained(0, HIT)
    effort = Effort(limit=20, draws=40, error=0.04, rounds=400)
    found = estimate(known, np.random.default_rng(1), effort)
    assert found.errors[known.untried].max() <= 0.04
    assert found.layouts == pytest.approx(
        estimate(known, np.random.default_rng(1), EXACT).layouts, rel=0.05
    )
    assert found.effective > estimate(known, np.random.default_rng(1), SAMPLED).effective


def test_exact_has_no_error() -> None:
    found = estimate(explained(0, HIT), np.random.default_rng(1), EXACT)
    assert not found.errors.any()


def test_thinned_explanations_are_not_called_exact() -> None:
    known = Explanations(board_of(6, 6, FLEET), FLEET, np.random.default_rng(1), limit=10)
    known.observe(HIT)
    known.observe(Observation((16,), (16,), ()))
    assert len(known.weights) <= 10
    assert not estimate(known, np.random.default_rng(1), EXACT).exact


def test_drawn_layouts_agree_with_what_was_observed() -> None:
    known = explained(0, MISS, HIT)
    found = estimate(known, np.random.default_rng(1), EXACT)
    layouts = found.draw(4000, np.random.default_rng(2)).cells()
    assert layouts[:, 14].all()
    assert not layouts[:, [20, 27]].any()
    assert (layouts.sum(axis=1) == sum(FLEET)).all()
    assert layouts.mean(axis=0) == pytest.approx(found.cells, abs=0.04)


def test_contradictions_are_refused() -> None:
    known = Explanations(board_of(1, 3, (2,)), (2,), np.random.default_rng(1))
    known.observe(Observation((1,), (), ()))
    with pytest.raises(ImpossibleEvidenceError):
        estimate(known, np.random.default_rng(1), EXACT)
    with pytest.raises(ImpossibleEvidenceError):
        known.observe(Observation((0,), (0,), ()))


def test_cells_are_hit_as_often_as_the_posterior_says() -> None:
    # A small calibration.
    rules = preset("classic")
    fleet = tuple(ship.length for ship in rules.fleet)
    board = board_of(10, 10, fleet)
    gaps = []
    for game in range(60):
        chance = random.Random(game)
        layout = draw_uniform(rules, chance)
        cells = chance.sample(range(100), 35)
        known = Explanations(board, fleet, np.random.default_rng(game))
        shot = 0
        for cell in cells:
            before, shot = shot, shot | 1 << cell
            sunk = [m.bit_count() for m in layout if m & ~before and not m & ~shot]
            hits = (cell,) if sum(layout) >> cell & 1 else ()
            known.observe(Observation((cell,), hits, tuple(sunk)))
        found = estimate(known, np.random.default_rng(game), Effort(rounds=1))
        lies = np.zeros(100)
        lies[cells_of(sum(layout))] = 1
        high = known.untried & (found.cells > 0.2)
        gaps.append((lies - found.cells)[high].sum())
    assert abs(np.mean(gaps)) < 3.5 * np.std(gaps) / len(gaps) ** 0.5


def test_order_of_shots_counts() -> None:
    # Four cells of a row are hit, and the last shot sinks the ship of two, which covers it.
    fleet = (3, 2)
    board = board_of(1, 6, fleet)
    after = {}
    for order in ((1, 2, 3, 4), (4, 3, 2, 1)):
        known = Explanations(board, fleet, np.random.default_rng(1))
        for cell in order:
            known.observe(Observation((cell,), (cell,), (2,) if cell == order[-1] else ()))
        after[order] = estimate(known, np.random.default_rng(1), EXACT).cells[[0, 5]].tolist()
    assert after[1, 2, 3, 4] == pytest.approx([1, 0])
    assert after[4, 3, 2, 1] == pytest.approx([0, 1])
