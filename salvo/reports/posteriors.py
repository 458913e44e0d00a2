"""What a seat knew of its opponent's ships before each of its salvos."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from arena.rules import Rules, Salvo, Seat, view
from bots.tactics.posterior import (
    MAX_CELLS,
    Belief,
    Effort,
    Floats,
    ImpossibleEvidenceError,
    can_follow,
    observation_of,
)

__all__ = ["FULL_EFFORT", "QUICK_EFFORT", "Glimpse", "glimpses", "why_no_posterior"]

QUICK_EFFORT = Effort(limit=1_000, draws=400, error=0.05, rounds=4)
FULL_EFFORT = Effort(limit=2_000, draws=1_000, error=0.02, rounds=8)
"""For a page that comes with every tournament, and for a game that was asked for."""

_SEED = 20_091


@dataclass(frozen=True)
class Glimpse:
    """What was known before one salvo.

    Attributes:
        cells: The probability that a ship lies on each cell; None if no layout was found that
            agrees with what was reported.
        told: How it was found, in words.
    """

    cells: Floats | None
    told: str


def why_no_posterior(rules: Rules) -> str | None:
    """Return in one sentence why some rules have no posterior to show; None if they have one."""
    if can_follow(view(rules)):
        return None
    reasons = (
        (rules.moves, "ships move"),
        (not rules.fleet_known, "the opponent's fleet is unknown"),
        (rules.told != "cells", "only the number of hits of a salvo is reported"),
        (rules.lies > 0, "a seat may lie"),
    )
    reason = next((why for holds, why in reasons if holds), f"of more than {MAX_CELLS} cells")
    return f"No posterior is shown: the game is {rules.name}, and {reason}."


def glimpses(rules: Rules, salvos: Iterable[Salvo], effort: Effort) -> Iterator[Glimpse]:
    """Yield what the seat to move knew before each salvo of a game; the same every time.

    Every layout counts as equally likely beforehand.

    Args:
        rules: Rules that ``why_no_posterior`` says nothing of.
        salvos: What was fired, in order.
        effort: How much work one posterior may take.
    """
    lengths = {ship.name: ship.length for ship in rules.fleet}
    seats: tuple[Seat, Seat] = ("first", "second")
    beliefs: dict[Seat, Belief | None] = {
        seat: Belief(view(rules), np.random.default_rng((_SEED, number)), effort)
        for number, seat in enumerate(seats)
    }
    for salvo in salvos:
        yield _glimpse(beliefs[salvo.by])
        belief = beliefs[salvo.by]
        if belief is not None:
            try:
                belief.observe(observation_of(salvo.cells, salvo.report, lengths))
            except ImpossibleEvidenceError:
                beliefs[salvo.by] = None


def _glimpse(belief: Belief | None) -> Glimpse:
    """Return what is believed now, in numbers and in words."""
    try:
        found = None if belief is None else belief.marginals()
    except ImpossibleEvidenceError:
        found = None
    if found is None:
        return Glimpse(None, "not found, no layout that was tried agrees with what was reported")
    if found.exact:
        left = round(found.layouts)
        return Glimpse(found.cells, f"exact, {left:,} layout{'s' if left > 1 else ''} left")
    return Glimpse(
        found.cells,
        f"sampled, effective size {found.effective:,.0f}, error up to {100 * found.error:.1f}%",
    )
