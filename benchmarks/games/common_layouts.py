"""What bundled bots need to sink the fleet on the same layouts, as it is and less luck."""

from collections.abc import Mapping
from typing import NamedTuple

from tabulate import tabulate

from arena.rules import preset
from benchmarks.games.contests import play_solo_adjusted
from benchmarks.games.estimates import PerLayout, adjusted_mean, estimate, written
from salvo.reports.work_progress import Progress, no_progress

Turns = Mapping[str, PerLayout]
"""The turns of each bot, layout by layout."""

SALVOS = ("marginals", "sequence")
"""Other ways of ``posterior_greedy`` to choose a salvo, to compare with."""

_BASELINES = ("probability_density", "hunt_parity", "hunt_target", "uniform_random")
_BOTS = {
    "classic": (
        ("value_search", "posterior_parity", "posterior_greedy", "brute_force", *_BASELINES),
        ("monte_carlo", "thompson"),
    ),
    "salvo": (
        ("posterior_greedy", *(f"{s}=posterior_greedy --salvo {s}" for s in SALVOS), *_BASELINES),
        ("value_search", "posterior_parity", "monte_carlo", "brute_force", "thompson"),
    ),
}
"""For each rule set those that play every layout, and those that play the first of them."""

SHARE = 5
"""Bots that take long or have no target play one layout in this many."""


class Strength(NamedTuple):
    """What bots need on the same layouts; some may have played only the first of them.

    Attributes:
        turns: As it was.
        adjusted: Less luck.
    """

    turns: Turns
    adjusted: Turns


def play_common_layouts(
    rules: str, layouts: int, seed: int, workers: int, *, progress: Progress = no_progress
) -> Strength:
    """Return what the bundled bots need on the same layouts.

    Args:
        rules: "classic" or "salvo".
        layouts: How many layouts; some bots play one in ``SHARE``.
        seed: The seed of the layouts.
        workers: How many worker processes.
        progress: Follows the blocks of games.
    """
    every, first = _BOTS[rules]
    turns: dict[str, PerLayout] = {}
    adjusted: dict[str, PerLayout] = {}
    for bots, number in ((every, layouts), (first, max(layouts // SHARE, 2))):
        found = play_solo_adjusted(bots, preset(rules), number, seed, workers, progress=progress)
        turns |= found[0]
        adjusted |= found[1]
    return Strength(turns, adjusted)


def strength_table(classic: Strength, salvo: Strength) -> str:
    """Return the table of what bots need to sink the fleet, the best in the classic game first."""
    order = sorted(classic.turns, key=lambda bot: float(classic.turns[bot].mean()))
    rows = [(f"`{bot}`", *_cells(classic, bot), *_cells(salvo, bot)) for bot in order]
    heads = ("bot", "classic, shots", "adjusted", "layouts", "salvo, turns", "adjusted", "layouts")
    return str(tabulate(rows, headers=heads, tablefmt="github", disable_numparse=True))


def _cells(strength: Strength, bot: str) -> tuple[str, str, int]:
    turns, adjusted = strength.turns[bot], strength.adjusted[bot]
    return str(estimate(turns)), written(adjusted_mean(adjusted)), len(turns)
