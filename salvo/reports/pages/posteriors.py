"""Computes what a seat knew of its opponent's ships before each of its salvos."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from arena.rules import FIRST_FEATURES, Rules, Salvo, Seat, refuse_unknown, view
from bots.tactics.posterior.belief import Belief, Marginals, can_follow
from bots.tactics.posterior.board_placements import MAX_CELLS, Floats
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.posterior import Effort
from bots.tactics.posterior.sampled import SampledBelief
from bots.tactics.posterior.sampling import can_sample, sampled_belief

QUICK_EFFORT = Effort(limit=1_000, draws=400, error=0.05, rounds=4)
FULL_EFFORT = Effort(limit=2_000, draws=1_000, error=0.02, rounds=8)
"""For a page that comes with every tournament, and for a game that was asked for."""

_SEED = 20_091


@dataclass(frozen=True)
class Glimpse:
    """The knowledge of a seat before one salvo."""

    # How likely each cell holds a ship, and how sure that is; None if no layout was found that
    # agrees with what was reported.
    found: Marginals | None
    told: str  # how it was found, in words

    @property
    def cells(self) -> Floats | None:
        """Return the probability that a ship lies on each cell; None if it was not found."""
        return None if self.found is None else self.found.cells


def why_no_posterior(rules: Rules) -> str | None:
    """Return in one sentence why some rules have no posterior to show; None if they have one.

    Raises:
        RulesError: If they have a feature that posteriors do not know.
    """
    refuse_unknown(rules, FIRST_FEATURES, "the posterior of a replay does not know this rule")
    if can_follow(view(rules)) or can_sample(view(rules)):
        return None
    reasons = (
        (rules.moves, "ships move"),
        (not rules.fleet_known, "the opponent's fleet is unknown"),
        (rules.told != "cells", "hits are only counted"),
        (rules.lies > 0, "a seat may lie"),
    )
    together = " and ".join(why for holds, why in reasons if holds)
    reason = together if rules.cells <= MAX_CELLS else f"of more than {MAX_CELLS} cells"
    return f"No posterior is shown: the game is {rules.name}, and {reason}."


def glimpses(
    rules: Rules, salvos: Iterable[Salvo], effort: Effort, *, solo: bool = False
) -> Iterator[Glimpse]:
    """Yield what the seat to move knew before each salvo of a game; the same every time.

    Every layout counts as equally likely beforehand. In a solo game the arena answered.
    """
    seats: tuple[Seat, Seat] = ("first", "second")
    beliefs: dict[Seat, Belief | SampledBelief | None] = {
        seat: _belief(rules, np.random.default_rng((_SEED, number)), effort, solo=solo)
        for number, seat in enumerate(seats)
    }
    for salvo in salvos:
        belief = beliefs[salvo.by]
        yield _glimpse(belief)
        if belief is not None:
            try:
                _observe(belief, rules, salvo)
            except ImpossibleEvidenceError:
                beliefs[salvo.by] = None


def glimpse_after(
    rules: Rules, salvos: Iterable[Salvo], effort: Effort, *, solo: bool = False
) -> Glimpse:
    """Return what one seat knows after its salvos, and before the next; the same every time."""
    belief: Belief | SampledBelief | None = _belief(
        rules, np.random.default_rng(_SEED), effort, solo=solo
    )
    for salvo in salvos:
        if belief is not None:
            try:
                _observe(belief, rules, salvo)
            except ImpossibleEvidenceError:
                belief = None
    return _glimpse(belief)


def _belief(
    rules: Rules, random: np.random.Generator, effort: Effort, *, solo: bool
) -> Belief | SampledBelief:
    seen = view(rules)
    if can_follow(seen):
        return Belief(seen, random, effort)
    return sampled_belief(seen, random, solo=solo)


def _observe(belief: Belief | SampledBelief, rules: Rules, salvo: Salvo) -> None:
    if isinstance(belief, SampledBelief):
        belief.read(salvo.cells, salvo.report)
    else:
        lengths = {ship.name: ship.length for ship in rules.fleet}
        belief.observe(observation_of(salvo.cells, salvo.report, lengths))


def _glimpse(belief: Belief | SampledBelief | None) -> Glimpse:
    try:
        found = None if belief is None else belief.marginals()
    except ImpossibleEvidenceError:
        found = None
    if found is None:
        return Glimpse(None, "not found, no layout that was tried agrees with what was reported")
    if found.exact:
        left = round(found.layouts)
        return Glimpse(found, f"exact, {left:,} layout{'s' if left > 1 else ''} left")
    return Glimpse(
        found,
        f"sampled, effective size {found.effective:,.0f}, error up to {100 * found.error:.1f}%",
    )
