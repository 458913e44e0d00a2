"""Hits that are only counted, against every layout of a small board."""

import random
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import (
    CountReport,
    Rules,
    Ship,
    barred,
    cells_of,
    mask_of,
    placements,
    preset,
    view,
)
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.salvo import best_counted_set
from bots.tactics.posterior.sampling import sampled_belief

FLEET = (Ship("three", 3), Ship("two", 2), Ship("other two", 2))


@st.composite
def counted_rules(draw: st.DrawFn) -> Rules:
    told = draw(st.sampled_from(["count", "count-by-ship"]))
    sinkings = draw(st.sampled_from(["named", "unnamed", "silent"]))
    touching = draw(st.sampled_from(["allowed", "corners", "never"]))
    located = sinkings == "named" and draw(st.booleans())
    return Rules(
        name="counted",
        rows=4,
        columns=5,
        fleet=FLEET,
        told=told,
        sinkings=sinkings,
        touching=touching,
        sunk_cells=located,
    )


def layouts_of(rules: Rules) -> list[tuple[int, ...]]:
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    return [
        layout
        for layout in product(*places)
        if not any(near(rules, one) & two for one, two in combinations(layout, 2))
    ]


def near(rules: Rules, mask: int) -> int:
    return barred(rules.rows, rules.columns, mask, rules.touching)


def told(rules: Rules, layout: tuple[int, ...], shot: int, salvo: int) -> CountReport:
    """Return what is reported of a salvo at a layout."""
    names = [ship.name for ship in rules.fleet]
    struck = {
        name: (mask & salvo).bit_count()
        for name, mask in zip(names, layout, strict=True)
        if mask & salvo
    }
    sunk = {
        name: tuple(cells_of(mask))
        for name, mask in zip(names, layout, strict=True)
        if mask & ~shot and not mask & ~(shot | salvo)
    }
    reported: dict[str, tuple[str, ...] | int | None] = {
        "named": tuple(sunk),
        "unnamed": len(sunk),
        "silent": None,
    }
    return CountReport(
        sum(struck.values()),
        struck if rules.told == "count-by-ship" else None,
        reported[rules.sinkings],
        sunk if rules.sunk_cells else None,
    )


@settings(max_examples=20, deadline=None)
@given(
    rules=counted_rules(),
    seed=st.integers(0, 2**32),
    sizes=st.lists(st.integers(1, 4), max_size=5),
)
def test_counts_leave_the_layouts_that_agree_with_them_one_by_one(
    rules: Rules, seed: int, sizes: list[int]
) -> None:
    chance = random.Random(seed)
    left = layouts_of(rules)
    truth = chance.choice(left)
    cells = chance.sample(range(rules.cells), rules.cells)
    belief = sampled_belief(view(rules), np.random.default_rng(seed), solo=True)
    belief.particles = 10_000  # so that all are listed
    shot = 0
    for size in sizes:
        salvo, cells = cells[:size], cells[size:]
        report = told(rules, truth, shot, mask_of(salvo))
        left = [one for one in left if told(rules, one, shot, mask_of(salvo)) == report]
        shot |= mask_of(salvo)
        belief.read(tuple(salvo), report)
    found = belief.marginals()
    assert found.exact
    assert found.layouts == len(left)
    covered = [sum(sum(one) >> cell & 1 for one in left) for cell in range(rules.cells)]
    assert found.cells * len(left) == pytest.approx(covered)


def test_layouts_that_are_too_many_are_drawn_and_agree_with_the_counts() -> None:
    rules = preset("paper")
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    salvos = [range(5), range(33, 38), range(60, 100, 9)]
    for salvo, hits in zip(salvos, (1, 2, 1), strict=True):
        belief.read(tuple(salvo), CountReport(hits, None, None))
    layouts = belief.sample(500)
    assert not belief.marginals().exact
    assert (layouts.sum(axis=1) == sum(ship.length for ship in rules.fleet)).all()
    for salvo, hits in zip(salvos, (1, 2, 1), strict=True):
        assert (layouts[:, list(salvo)].sum(axis=1) == hits).all()


def test_counts_that_contradict_each_other_are_impossible() -> None:
    rules = Rules(name="row", rows=1, columns=6, fleet=(Ship("two", 2),), told="count")
    belief = sampled_belief(view(rules), np.random.default_rng(1), solo=True)
    belief.read((0, 1), CountReport(1, None, ()))
    belief.read((4, 5), CountReport(1, None, ()))
    with pytest.raises(ImpossibleEvidenceError):
        belief.marginals()
    assert np.isfinite(belief.cells()).all()


def test_salvo_that_is_only_counted_is_chosen_by_what_its_number_says() -> None:
    # Cells 0 and 1 are hit together or not at all; 2 is hit in exactly the other layouts.
    layouts = np.array([[1, 1, 0, 0], [0, 0, 1, 0]] * 4, bool)
    assert set(best_counted_set(layouts, range(4), 2, hit_bits=0.1)) == {0, 1}
    # With 0 and 2 the number of hits is always one, and says nothing.
