"""Measures how long `salvo tournament` takes as a newcomer runs it."""

import sys
from collections.abc import Iterator

from arena.isolation import Level
from arena.records import PAIRS_PER_BLOCK_OF_A_FIELD
from benchmarks.costs.processor import Amount, cost_of_start_s, cost_of_tournament
from benchmarks.lines import outcome_line
from salvo.bundled import default_field

AIM_S = 120.0
AIM_STARTS = 0.1


def field(amount: Amount, workers: int, level: Level) -> Iterator[str]:
    """Time `salvo tournament` with its defaults in an empty folder; the target is two minutes.

    The share of the processor time that bots need to start follows from the number of starts and
    from what one costs; at most a tenth is aimed at.

    Args:
        amount: How much the default field plays.
        workers: Blocks of games played in parallel.
        level: The level of isolation.

    Yields:
        What the command prints, and the outcome.

    Raises:
        UserError: If the tournament fails.
    """
    options = ["--games", str(amount.games), "--layouts", str(amount.layouts)]
    run = cost_of_tournament(sys.executable, options, workers, level, shows=True)
    yield from run.printed.splitlines()
    bots = default_field()
    starts = amount.starts(len(bots), PAIRS_PER_BLOCK_OF_A_FIELD)
    starts_s = starts * cost_of_start_s(bots, level)
    share = starts_s / run.processor_s
    yield (
        f"{starts} starts of bots take {starts_s:.1f} of {run.processor_s:.0f} seconds of"
        f" processor time, {share:.1%} (aim: at most {AIM_STARTS:.0%})"
    )
    outcome = {
        "benchmark": "field",
        "ratio": round(run.wall_s / AIM_S, 3),
        "seconds": round(run.wall_s, 1),
        "workers": workers,
        "share_of_starts": round(share, 3),
        "isolation": level,
    }
    yield outcome_line(outcome)
