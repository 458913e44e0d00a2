"""A belief that is fed a game observation by observation."""

import numpy as np
import pytest

from arena.rules import CellsReport, CountReport, Rules, Ship, preset, view
from bots.tactics.posterior.belief import Belief
from bots.tactics.posterior.evidence import Observation, observation_of
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.posterior import Effort

ROW = Rules(
    name="row", rows=1, columns=6, fleet=(Ship("long", 3), Ship("short", 2)), sinkings="named"
)


def belief(rules: Rules = ROW, seed: int = 1, effort: Effort | None = None) -> Belief:
    return Belief(view(rules), np.random.default_rng(seed), effort)


def test_layouts_are_counted_out() -> None:
    row = belief()
    assert row.marginals().layouts == 6
    row.observe(Observation((0,), (), ()))
    found = row.marginals()
    assert (found.exact, found.layouts, found.error) == (True, 2, 0)
    assert found.cells.tolist() == [0, 1, 1, 1, 1, 1]


def test_opening_of_the_classic_game_is_exact() -> None:
    found = belief(preset("classic")).marginals()
    assert found.exact
    assert found.layouts == 30_093_975_536


def test_sample_says_that_it_is_one() -> None:
    known = belief(preset("classic"), effort=Effort(limit=20, draws=40, rounds=1))
    known.observe(Observation((44,), (44,), ()))
    found = known.marginals()
    assert not found.exact
    assert 0 < found.error < 1
    assert 1 < found.effective < found.layouts


def test_equal_seeds_and_observations_give_equal_answers() -> None:
    effort = Effort(limit=20, draws=40, rounds=1)
    once, again = (belief(preset("classic"), 3, effort) for _ in range(2))
    for known in (once, again):
        known.observe(Observation((44, 45), (44,), ()))
    assert (once.cells() == again.cells()).all()
    once_drawn, again_drawn = (known.posterior().draw(20, known.random) for known in (once, again))
    assert (once_drawn.ships == again_drawn.ships).all()


def test_cell_shot_again_tells_nothing_new() -> None:
    once, twice = belief(), belief()
    once.observe(Observation((1,), (1,), ()))
    twice.observe(Observation((1,), (1,), ()))
    twice.observe(Observation((1,), (1,), ()))
    assert (once.cells() == twice.cells()).all()


def test_impossible_observation_is_refused() -> None:
    row = belief()
    with pytest.raises(ImpossibleEvidenceError):
        row.observe(Observation((0,), (0,), (2,)))


def test_misses_that_leave_no_layout_have_no_marginals() -> None:
    row = belief()
    row.observe(Observation((2, 3), (), ()))
    with pytest.raises(ImpossibleEvidenceError):
        row.marginals()


def test_density_leaves_out_ships_that_sank() -> None:
    row = belief()
    row.observe(Observation((0, 1), (0, 1), (2,)))
    assert row.density().tolist() == [0, 0, 1, 2, 2, 1]


def test_named_sinkings_are_read_as_lengths() -> None:
    report = CellsReport(hits=(2,), sunk=("short",))
    assert observation_of((2, 5), report, {"short": 2}) == Observation((2, 5), (2,), (2,))


def test_report_that_only_counts_hits_is_refused() -> None:
    with pytest.raises(TypeError, match="does not say which cells hit"):
        observation_of((2, 5), CountReport(hits=1, ships=None, sunk=None), {})
