"""What a seat knew, in words, and why some rules have no posterior."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from arena.rules import CellsReport, Rules, Salvo, Ship, preset
from bots.tactics.posterior.belief import Marginals
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from salvo.reports.pages.posteriors import (
    QUICK_EFFORT,
    _glimpse,
    glimpse_after,
    glimpses,
    why_no_posterior,
)

TINY = Rules(name="tiny", rows=1, columns=5, fleet=(Ship("Ship", 3),), sinkings="silent")
NOTHING = "not found, no layout that was tried agrees with what was reported"


@pytest.mark.parametrize(
    ("exact", "layouts", "effective", "error", "told"),
    [
        (True, 1.0, 1.0, 0.0, "exact, 1 layout left"),
        (True, 2.0, 2.0, 0.0, "exact, 2 layouts left"),
        (True, 1_234_567.2, 0.0, 0.0, "exact, 1,234,567 layouts left"),
        (False, 9.0, 1234.4, 0.0123, "sampled, effective size 1,234, error up to 1.2%"),
    ],
)
def test_posterior_is_told_with_how_sure_it_is(
    *, exact: bool, layouts: float, effective: float, error: float, told: str
) -> None:
    found = Marginals(np.zeros(5), exact, layouts, effective, error)
    belief: Any = SimpleNamespace(marginals=lambda: found)
    assert _glimpse(belief).told == told
    assert _glimpse(belief).cells is found.cells


def test_posterior_that_is_not_found_is_told() -> None:
    def none() -> Marginals:
        raise ImpossibleEvidenceError

    belief: Any = SimpleNamespace(marginals=none)
    for glimpse in (_glimpse(belief), _glimpse(None)):
        assert (glimpse.told, glimpse.cells) == (NOTHING, None)


def fired(cell: int, *, hit: bool, by: Any = "first") -> Salvo:  # noqa: ANN401 - a seat
    return Salvo(by, (cell,), CellsReport((cell,) if hit else (), None), int(hit))


def test_each_seat_knows_what_it_was_told() -> None:
    salvos = [fired(0, hit=False), fired(4, hit=True, by="second"), fired(4, hit=False)]
    known = [(one.told, one.cells) for one in glimpses(TINY, salvos, QUICK_EFFORT)]
    assert [told for told, _ in known] == [
        *("exact, 3 layouts left", "exact, 3 layouts left", "exact, 2 layouts left")
    ]
    thirds, halves = [1 / 3, 2 / 3, 1, 2 / 3, 1 / 3], [0, 0.5, 1, 1, 0.5]
    for (_, cells), expected in zip(known, (thirds, thirds, halves), strict=True):
        assert cells == pytest.approx(expected)
    after = glimpse_after(TINY, [salvos[0], salvos[2]], QUICK_EFFORT)
    assert (after.told, after.cells) == ("exact, 1 layout left", pytest.approx([0, 1, 1, 1, 0]))


def test_what_no_layout_agrees_with_is_not_followed_further() -> None:
    salvos = [fired(2, hit=False), fired(0, hit=False), fired(1, hit=True)]
    told = [glimpse.told for glimpse in glimpses(TINY, salvos, QUICK_EFFORT)]
    assert told == ["exact, 3 layouts left", NOTHING, NOTHING]
    assert glimpse_after(TINY, salvos, QUICK_EFFORT).told == NOTHING


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"told": "count", "fleet_known": False}, "the opponent's fleet is unknown and hits are "),
        (
            {"moves": True, "reshoot": True, "lies": 1, "sinkings": "named", "turn_limit": 9},
            "ships move and a seat may lie",
        ),
        ({"rows": 21, "columns": 20}, "of more than 400 cells"),
    ],
)
def test_rules_without_a_posterior_have_their_reasons(changed: dict[str, Any], why: str) -> None:
    told = why_no_posterior(replace(TINY, **changed))
    assert told is not None
    assert told.startswith(f"No posterior is shown: the game is tiny, and {why}")


def test_rules_with_a_posterior_need_no_reason() -> None:
    assert why_no_posterior(replace(TINY, rows=20, columns=20)) is None
    assert [why_no_posterior(preset(name)) for name in ("salvo", "paper", "lies")] == [None] * 3
