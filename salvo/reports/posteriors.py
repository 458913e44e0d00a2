"""What a seat knew of its opponent's sea before each of its salvos, by its book of the game."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from arena.rules import CellsReport, Rules, Salvo, Seat, view
from bots.tactics.posterior import (
    MAX_CELLS,
    Effort,
    Explanations,
    Floats,
    ImpossibleEvidenceError,
    Observation,
    board_of,
    can_follow,
    estimate,
)
from bots.tactics.posterior.opening import look_up, look_up_layouts

__all__ = ["FULL_EFFORT", "QUICK_EFFORT", "Glimpse", "glimpses", "why_no_posterior"]

QUICK_EFFORT = Effort(limit=1_000, draws=400, error=0.05, rounds=4)
FULL_EFFORT = Effort(limit=2_000, draws=1_000, error=0.02, rounds=8)
"""For a page that comes with every tournament, and for a game that was asked for."""

_SEED = 20_091
_LIMITS = (20_000, 80_000, 320_000)
"""Explanations kept at most: more of them if a sample of so many has lost what was right."""


@dataclass(frozen=True)
class Glimpse:
    """What was known before one salvo.

    Attributes:
        cells: The probability that a ship lies on each cell; None if no layout was found that
            agrees with what was told.
        told: How it was found, in words.
    """

    cells: Floats | None
    told: str


def why_no_posterior(rules: Rules) -> str | None:
    """Return in one sentence why no posterior can be told by some rules; None if one can."""
    if can_follow(view(rules)):
        return None
    reasons = (
        (rules.moves, "ships move"),
        (not rules.fleet_known, "the opponent's fleet is unknown"),
        (rules.told != "cells", "only the number of hits of a salvo is told"),
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
    seas: dict[Seat, _Sea] = {"first": _Sea(rules), "second": _Sea(rules)}
    for salvo in salvos:
        yield seas[salvo.by].glimpse(effort)
        seas[salvo.by].observe(salvo)


class _Sea:
    """What one seat was told of the other's ships."""

    def __init__(self, rules: Rules) -> None:
        self._ship_lengths = {ship.name: ship.length for ship in rules.fleet}
        self._lengths = tuple(sorted(self._ship_lengths.values(), reverse=True))
        self._board = board_of(rules.rows, rules.columns, self._lengths, rules.touching)
        self._evidence: list[Observation] = []
        self._shot: set[int] = set()
        self._hit = False
        self._known: Explanations | None = self._explain(_LIMITS[0])

    def observe(self, salvo: Salvo) -> None:
        """Take in the answer to a salvo; a cell shot again tells nothing new."""
        report = salvo.report
        assert isinstance(report, CellsReport)
        sunk = report.sunk
        told = Observation(
            tuple(cell for cell in salvo.cells if cell not in self._shot),
            tuple(cell for cell in report.hits if cell not in self._shot),
            tuple(self._ship_lengths[name] for name in sunk) if isinstance(sunk, tuple) else sunk,
        )
        self._evidence.append(told)
        self._shot |= set(told.cells)
        self._hit |= bool(told.hits)
        try:
            if self._known is not None:
                self._known.observe(told)
        except ImpossibleEvidenceError:
            self._known = self._explain_anew()

    def glimpse(self, effort: Effort) -> Glimpse:
        """Return what is known now."""
        cells = None if self._hit else look_up(self._board, self._lengths, self._shot)
        if cells is not None:
            layouts = look_up_layouts(self._board, self._lengths, self._shot)
            return Glimpse(cells, f"exact, {layouts:,} layouts left")
        if self._known is None:
            return Glimpse(None, "not found, no layout that was tried agrees with what was told")
        random = np.random.default_rng((_SEED, len(self._evidence)))
        try:
            found = estimate(self._known, random, effort)
        except ImpossibleEvidenceError:
            return Glimpse(None, "not found, no layout that was drawn agrees with what was told")
        if found.exact:
            left = round(found.layouts)
            return Glimpse(found.cells, f"exact, {left:,} layout{'s' if left > 1 else ''} left")
        return Glimpse(
            found.cells,
            f"sampled, effective size {found.effective:,.0f}, "
            f"error up to {100 * found.errors.max():.1f}%",
        )

    def _explain_anew(self) -> Explanations | None:
        for limit in _LIMITS[1:]:
            known = self._explain(limit)
            if known is not None:
                return known
        return None

    def _explain(self, limit: int) -> Explanations | None:
        random = np.random.default_rng((_SEED, limit))
        known = Explanations(self._board, self._lengths, random, limit)
        try:
            for told in self._evidence:
                known.observe(told)
        except ImpossibleEvidenceError:
            return None
        return known
