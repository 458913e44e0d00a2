"""Times `salvo tournament` as it is run without BOTs, in an empty folder.

The target is two minutes, and that bots' starts take at most a tenth of the processor time.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from arena.records import PAIRS_PER_BLOCK_OF_A_FIELD
from benchmarks.costs.processor import Amount, cost_of_start_s, cost_of_tournament
from benchmarks.lines import outcome_line
from benchmarks.options import games_of_two, isolation, option, workers
from salvo.bundled import default_field
from salvo.cli.options.run_options import choose_level
from salvo.cli.runs.game_counts import DEFAULT_FIELD

AIM_S = 120.0
AIM_STARTS = 0.1


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = games_of_two(DEFAULT_FIELD.games)
    layouts: int = option(DEFAULT_FIELD.layouts, "Solo games a bot.", least=0)
    workers: int = workers()
    isolation: str = isolation()


def run(settings: Settings) -> Iterator[str]:
    """Yield what the command prints, and the outcome.

    The share of the processor time that bots need to start follows from the number of starts and
    from what one costs.

    Raises:
        UserError: If the tournament fails.
    """
    level = choose_level(settings.isolation).level
    amount = Amount(settings.games, settings.layouts)
    run = cost_of_tournament(sys.executable, (), amount, settings.workers, level, shows=True)
    yield from run.printed.splitlines()
    bots = default_field()
    starts = amount.starts(len(bots), PAIRS_PER_BLOCK_OF_A_FIELD)
    starts_s = starts * cost_of_start_s(bots, level)
    share = starts_s / run.processor_s
    yield (
        f"{starts} starts of bots take {starts_s:.1f} of {run.processor_s:.0f} seconds of"
        f" processor time, {share:.1%} (aim: at most {AIM_STARTS:.0%})"
    )
    yield outcome_line(
        "field",
        ratio=round(run.wall_s / AIM_S, 3),
        seconds=round(run.wall_s, 1),
        workers=settings.workers,
        share_of_starts=round(share, 3),
        isolation=level,
    )
