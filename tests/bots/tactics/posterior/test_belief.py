"""A belief that is fed a game observation by observation."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from arena.rules import CellsReport, CountReport, Rules, Ship, preset, view
from bots.tactics.placement_counts import HIT_WEIGHT
from bots.tactics.posterior import belief as belief_module
from bots.tactics.posterior.belief import Belief, highest
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


def test_density_counts_placements_more_for_each_open_hit() -> None:
    row = belief()
    assert row.density().tolist() == [2, 4, 5, 5, 4, 2]
    row.observe(Observation((1, 5), (1,), ()))
    # Of the long ship three placements are left, two over the hit; of the short one four and two.
    more = HIT_WEIGHT
    assert row.density().tolist() == [
        2 * more,
        4 * more,
        3 * more + 2,
        more + 3,
        2,
        0,
    ]


def test_each_ship_of_a_length_has_a_density_of_its_own() -> None:
    twins = Rules(name="twins", rows=1, columns=4, fleet=(Ship("one", 2), Ship("two", 2)))
    row = belief(twins)
    assert row.density().tolist() == [2, 4, 4, 2]
    row.observe(Observation((0, 1), (0, 1), (2,)))
    assert row.density().tolist() == [0, 0, 1, 1]


def test_untried_cells_that_every_explanation_covers_are_certain() -> None:
    row = belief()
    assert row.certain() == []
    row.observe(Observation((0,), (), ()))
    assert row.certain() == []  # though all other cells are, which takes counting
    row = belief()
    row.observe(Observation((1, 4), (1, 4), ()))
    assert row.certain() == []
    row.observe(Observation((5,), (), ()))
    assert row.certain() == [0, 2, 3]


def test_layouts_are_bounded_as_if_ships_could_overlap() -> None:
    row = belief()
    assert row.most_layouts() == 4 * 5
    row.observe(Observation((0,), (), ()))
    assert row.most_layouts() == 3 * 4
    row.observe(Observation((1,), (1,), ()))
    # The long ship on 1 to 3 leaves one placement, the short one on 1 and 2 one likewise.
    assert row.most_layouts() == 1 + 1


@pytest.mark.parametrize(
    ("wrecks", "cells"),
    [
        ((), [0, 0.5, 0.5, 1, 1, 1, 0.5, 0.5]),
        (((3, 4),), [0, 0, 0, 1, 1, 1, 1, 1]),
        (((4, 5),), [0, 1, 1, 1, 1, 1, 0, 0]),
    ],
)
def test_cells_of_a_wreck_tell_which_hits_were_its_own(
    wrecks: tuple[tuple[int, ...], ...], cells: list[float]
) -> None:
    row = belief(replace(ROW, columns=8))
    row.observe(Observation((3, 5), (3, 5), ()))
    row.observe(Observation((4,), (4,), (2,), None, wrecks))
    assert row.cells().tolist() == cells


def test_hit_is_open_until_its_ship_is_sunk() -> None:
    row = belief()
    assert not row.hit_is_open()
    row.observe(Observation((0,), (0,), ()))
    assert row.hit_is_open()
    row.observe(Observation((1,), (1,), (2,)))
    assert not row.hit_is_open()


@pytest.fixture
def samples(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the size of each sample of explanations and what it knew beforehand; some lose all.

    Those of fewer than 80 do, and are not exact.
    """
    begun: list[tuple[int, int]] = []

    class Sampled:
        exact = False

        def __init__(
            self,
            _board: object,
            _lengths: object,
            _random: object,
            limit: int = 0,
            ahead: Sequence[Observation] = (),
        ) -> None:
            self.limit = limit
            begun.append((limit, len(ahead)))

        def observe(self, _: Observation) -> None:
            if self.limit < 80:
                raise ImpossibleEvidenceError("lost")

    monkeypatch.setattr(belief_module, "Explanations", Sampled)
    monkeypatch.setattr(belief_module, "estimate", lambda known, *_: known)
    return begun


@pytest.mark.parametrize(("limit", "sizes"), [(80, [80]), (40, [40, 80]), (10, [10, 20, 40, 80])])
def test_explanations_lost_in_a_sample_are_found_in_larger_ones(
    monkeypatch: pytest.MonkeyPatch,
    samples: list[tuple[int, int]],
    limit: int,
    sizes: list[int],
) -> None:
    monkeypatch.setattr(belief_module, "MAX_EXPLANATIONS", limit)
    row = belief()
    row.observe(Observation((1,), (1,), ()))
    assert samples == [(0, 0), *((size, 1) for size in sizes)]
    assert row.known.limit == 80


def test_explanations_are_given_up_after_four_samples(
    monkeypatch: pytest.MonkeyPatch, samples: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(belief_module, "MAX_EXPLANATIONS", 9)
    with pytest.raises(ImpossibleEvidenceError, match="no layout was found that agrees"):
        belief().observe(Observation((1,), (1,), ()))
    assert [size for size, _ in samples] == [0, 9, 18, 36, 72]


def test_cells_of_the_highest_values_come_first() -> None:
    values = np.array([0.5, 0.7, 0.1, 0.7 + 1e-12, 0.9, 0.5])
    assert highest(values, range(6), 6) == [4, 1, 3, 0, 5, 2]
    assert highest(values, [5, 3, 2, 1], 3) == [3, 1, 5]
    assert highest(values, [0, 1, 2], 1) == [1]
    drawn = {tuple(highest(values, range(6), 4, Random(seed))) for seed in range(40)}
    assert drawn == {(4, *two, one) for two in ((1, 3), (3, 1)) for one in (0, 5)}
    assert {highest(values, [0, 1, 3], 1, Random(seed))[0] for seed in range(20)} == {1, 3}


def test_named_sinkings_are_read_as_lengths() -> None:
    report = CellsReport(hits=(2,), sunk=("short",))
    assert observation_of((2, 5), report, {"short": 2}) == Observation((2, 5), (2,), (2,))


def test_report_that_only_counts_hits_is_refused() -> None:
    with pytest.raises(TypeError, match="does not say which cells hit"):
        observation_of((2, 5), CountReport(hits=1, ships=None, sunk=None), {})
