"""Reports that may be lies, and fleets that are unknown, against every layout of a small board."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from arena import scorebook
from arena.rules import (
    CellsReport,
    Rules,
    RulesView,
    Ship,
    barred,
    cells_of,
    placements,
    preset,
    view,
)
from bots.tactics.posterior.reported import LIE_PROBABILITY, SHIPS_EXPECTED
from bots.tactics.posterior.sampled import SampledBelief
from bots.tactics.posterior.sampling import sampled_belief

MANY = 40_000

Reports = list[tuple[int, CellsReport]]


def test_lies_are_expected_as_often_as_the_arena_tells_them() -> None:
    assert LIE_PROBABILITY == scorebook.LIE_PROBABILITY == 0.1


def lying_rules(lies: int, sinkings: str, lengths: Sequence[int] = (3, 2), **more: Any) -> Rules:  # noqa: ANN401 - any field
    fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))
    return Rules(
        name="lies",
        rows=4,
        columns=4,
        fleet=fleet,
        lies=lies,
        sinkings=sinkings,  # type: ignore[arg-type]
        **more,
    )


def layouts_of(rules: Rules) -> list[tuple[int, ...]]:
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    return [
        (one, two)
        for one, two in product(*places)
        if not barred(rules.rows, rules.columns, one, rules.touching) & two
    ]


def truth_about(layout: tuple[int, ...], shot: int, cell: int) -> tuple[bool, tuple[int, ...]]:
    """Return whether a shot hits, and the ships that it sinks."""
    after = shot | 1 << cell
    sunk = tuple(number for number, mask in enumerate(layout) if not mask & ~after and mask & ~shot)
    return any(mask >> cell & 1 for mask in layout), sunk


def told(
    rules: Rules, layout: tuple[int, ...], *, hit: bool, cell: int, sunk: tuple[int, ...]
) -> CellsReport:
    names = tuple(rules.fleet[number].name for number in sunk)
    reported: dict[str, tuple[str, ...] | int] = {
        "named": names,
        "unnamed": len(sunk),
    }
    where = {
        name: tuple(cells_of(layout[number])) for name, number in zip(names, sunk, strict=True)
    }
    return CellsReport(
        hits=(cell,) if hit else (),
        sunk=reported[rules.sinkings],
        sunk_cells=where if rules.sunk_cells else None,
    )


def lying_game(rules: Rules, shots: int, chance: random.Random) -> Reports:
    """Return the reports on some shots at a random layout, by an arena that lies."""
    layout = chance.choice(layouts_of(rules))
    shot, lies, reports = 0, rules.lies, []
    for cell in chance.sample(range(rules.cells), shots):
        hit, sunk = truth_about(layout, shot, cell)
        if lies and not sunk and chance.random() < 0.3:
            hit, lies = not hit, lies - 1
        reports.append((cell, told(rules, layout, hit=hit, cell=cell, sunk=sunk)))
        shot |= 1 << cell
    return reports


def chance_of(rules: Rules, layout: tuple[int, ...], reports: Reports, *, solo: bool) -> float:
    """Return how likely the arena, or an opponent, reports so of a layout."""
    found, lies, shot = 1.0, 0, 0
    for cell, report in reports:
        hit, sunk = truth_about(layout, shot, cell)
        shot |= 1 << cell
        true = told(rules, layout, hit=hit, cell=cell, sunk=sunk)
        if (true.sunk, true.sunk_cells) != (report.sunk, report.sunk_cells):
            return 0.0
        lied = hit != bool(report.hits)
        if lied and (sunk or lies == rules.lies):
            return 0.0
        if lies < rules.lies and not sunk:
            found *= LIE_PROBABILITY if lied else 1 - LIE_PROBABILITY
        lies += lied
    # Every other opponent never lies.
    return found if solo else (found + (lies == 0)) / 2


def followed(
    rules: RulesView, reports: Reports, particles: int = MANY, *, solo: bool = True
) -> SampledBelief:
    belief = sampled_belief(rules, np.random.default_rng(3), solo=solo)
    belief.particles = particles
    for cell, report in reports:
        belief.read((cell,), report)
    return belief


TWINS = (2, 2)


@pytest.mark.parametrize("solo", [True, False])
@pytest.mark.parametrize(
    ("seed", "shots", "rules"),
    [
        (0, 4, lying_rules(2, "named")),
        (4, 9, lying_rules(2, "named", touching="never")),
        (5, 9, lying_rules(2, "unnamed")),
        (7, 9, lying_rules(1, "unnamed", TWINS, touching="corners")),
        (1, 7, lying_rules(2, "named", TWINS)),
        (5, 9, lying_rules(2, "named", sunk_cells=True)),
        (6, 9, lying_rules(3, "unnamed", TWINS)),
        (0, 9, lying_rules(2, "named", TWINS, sunk_cells=True)),
    ],
)
def test_lies_are_weighed_as_in_every_layout(
    seed: int, shots: int, rules: Rules, *, solo: bool
) -> None:
    reports = lying_game(rules, shots, random.Random(seed))
    layouts = layouts_of(rules)
    weights = np.array([chance_of(rules, layout, reports, solo=solo) for layout in layouts])
    exact = np.zeros(rules.cells)
    for layout, weight in zip(layouts, weights / weights.sum(), strict=True):
        exact[cells_of(sum(layout))] += weight
    assert followed(view(rules), reports, solo=solo).cells() == pytest.approx(exact, abs=0.02)


def test_two_lies_that_were_told_leave_no_doubt_of_the_rest() -> None:
    rules = Rules(name="row", rows=1, columns=9, fleet=(Ship("two", 2),), lies=2)
    reports = [(0, CellsReport((0,), ())), (8, CellsReport((8,), ())), (4, CellsReport((4,), ()))]
    # Ships of 2 cover none or one of these cells: two of the hits are lies, if all is in order.
    cells = followed(view(rules), reports).cells()
    assert cells[[2, 6]] == pytest.approx([0, 0])


def explanations(
    hits: int, closed: int, ways: list[tuple[int, float]]
) -> Iterator[tuple[int, float]]:
    """Yield the cells of each set of ships that covers some hits, with its weight."""
    if not hits:
        yield 0, 1.0
        return
    lowest = hits & -hits
    for mask, weight in ways:
        if mask & lowest and not mask & closed:
            for others, product_of in explanations(hits & ~mask, closed | mask, ways):
                yield mask | others, weight * product_of


def unknown_rules(rows: int, columns: int) -> RulesView:
    rules = Rules(
        name="unknown",
        rows=rows,
        columns=columns,
        fleet=(Ship("two", 2),),
        fleet_known=False,
        sinkings="silent",
    )
    return view(rules)


@pytest.mark.parametrize(
    ("hits", "misses"),
    [((), ()), ((), (5,)), ((5,), (0, 6)), ((5, 6), (7,)), ((1, 5, 9), (2, 13)), ((0, 15), (5, 6))],
)
def test_fleets_that_are_unknown_count_as_their_prior_says(
    hits: tuple[int, ...], misses: tuple[int, ...]
) -> None:
    rules = unknown_rules(4, 4)
    reports = [(cell, CellsReport((cell,), None)) for cell in hits]
    reports += [(cell, CellsReport((), None)) for cell in misses]
    missed, hit = sum(1 << cell for cell in misses), sum(1 << cell for cell in hits)
    ways = [
        (mask, SHIPS_EXPECTED[length] / len(placements(4, 4, length)))
        for length in range(1, 5)
        for mask in placements(4, 4, length)
        if not mask & missed
    ]
    total, exact = 0.0, np.zeros(16)
    for covered, weight in explanations(hit, 0, ways):
        free = [way for way in ways if not way[0] & (covered | hit)]
        number = sum(rate for _, rate in free)
        going_on = 1.0 if covered & ~hit else 1 - np.exp(-number)
        weighed = weight * np.exp(number) * going_on
        total += weighed
        for cell in range(16):
            over = sum(rate for mask, rate in free if mask >> cell & 1)
            chance = (1 - np.exp(-over)) / going_on
            exact[cell] += weighed * (1.0 if covered >> cell & 1 else chance)
    assert followed(rules, reports).cells() == pytest.approx(exact / total, abs=0.02)


def test_a_run_longer_than_any_ship_expected_is_explained_by_several() -> None:
    reports = [(cell, CellsReport((cell,), None)) for cell in range(9)]
    cells = followed(view(preset("unknown")), reports, 2_000).cells()
    assert np.isfinite(cells).all()
    assert cells[:9] == pytest.approx(1)
