"""How strong the bundled bots are alone: shots in the classic game, turns in the full salvo."""

from collections.abc import Mapping

import numpy as np
from tabulate import tabulate

from arena.rules import preset
from salvo.bench.contests import play_solo
from salvo.bench.estimates import estimate
from salvo.reports.progress import Progress, no_progress

__all__ = ["SALVOS", "Turns", "play_common_layouts", "strength_table"]

Turns = Mapping[str, np.typing.NDArray[np.float64]]
"""The turns of each bot, layout by layout."""

SALVOS = ("marginals", "sequence")
"""Other ways of ``posterior_greedy`` to choose a salvo, to compare with."""

_BASELINES = ("probability_density", "hunt_parity", "hunt_target", "uniform_random")
_BOTS = {
    "classic": (
        ("posterior_parity", "posterior_greedy", "brute_force", *_BASELINES),
        ("monte_carlo", "thompson"),
    ),
    "salvo": (
        ("posterior_greedy", *(f"{s}=posterior_greedy --salvo {s}" for s in SALVOS), *_BASELINES),
        ("posterior_parity", "monte_carlo", "brute_force", "thompson"),
    ),
}
"""For each rule set those that play every layout, and those that play the first of them."""

SHARE = 5
"""One in so many layouts is played by those that take long or have no target."""


def play_common_layouts(
    rules: str, layouts: int, seed: int, workers: int, *, progress: Progress = no_progress
) -> Turns:
    """Return the turns of the bundled bots on the same layouts.

    Args:
        rules: "classic" or "salvo".
        layouts: How many layouts; some bots play one in ``SHARE``.
        seed: What they are drawn by.
        workers: How many worker processes.
        progress: Follows the blocks of games.
    """
    every, first = _BOTS[rules]
    turns = play_solo(every, preset(rules), layouts, seed, workers, progress=progress)
    few = max(layouts // SHARE, 2)
    return turns | play_solo(first, preset(rules), few, seed, workers, progress=progress)


def strength_table(classic: Turns, salvo: Turns) -> str:
    """Return the table of what bots need to sink the fleet, the best in the classic game first."""
    rows = [
        (
            f"`{bot}`",
            str(estimate(classic[bot])),
            len(classic[bot]),
            str(estimate(salvo[bot])),
            len(salvo[bot]),
        )
        for bot in sorted(classic, key=lambda bot: float(classic[bot].mean()))
    ]
    heads = ("bot", "classic, shots", "layouts", "salvo, turns", "layouts")
    return str(tabulate(rows, headers=heads, tablefmt="github", disable_numparse=True))
