"""`python -m benchmarks tournament`."""

from pathlib import Path

import click

from benchmarks import tournament as benchmark
from benchmarks.command.against import against_option
from benchmarks.command.printing import print_lines
from benchmarks.costs.processor import Amount
from salvo.cli.options.common import choose_level, even, isolation_option
from salvo.cli.options.numbers import WholeRange


@click.command()
@click.option("--games", type=WholeRange(min=2), callback=even, default=200, show_default=True)
@click.option("--layouts", type=WholeRange(min=0), default=500, show_default=True)
@click.option("--rounds", type=WholeRange(min=1), default=3, show_default=True)
@click.option("--simulations", type=WholeRange(min=1), default=100, show_default=True)
@against_option
@isolation_option
def tournament(  # noqa: PLR0913 - one parameter an option
    *,
    games: int,
    layouts: int,
    rounds: int,
    simulations: int,
    against: Path | None,
    isolation: str,
) -> None:
    """Measure the processor time of `salvo tournament` for four heuristics, and of its starts.

    Runs with one worker and with two, and runs of another installation, alternate; of each the
    cheapest counts. A table shows what blocks of other sizes would cost: more starts, or wider
    intervals.
    """
    level = choose_level(isolation).level
    amount = Amount(games, layouts)
    print_lines(benchmark.tournament(amount, rounds, simulations, level, against))
