"""`python -m benchmarks field`."""

import click

from benchmarks import field as benchmark
from benchmarks.command.printing import print_lines
from benchmarks.costs.processor import Amount
from salvo.cli.options.common import choose_level, even, isolation_option
from salvo.cli.options.numbers import WholeRange
from salvo.cli.runs.game_counts import DEFAULT_FIELD


@click.command()
@click.option(
    "--games", type=WholeRange(min=2), callback=even, default=DEFAULT_FIELD.games, show_default=True
)
@click.option("--layouts", type=WholeRange(min=0), default=DEFAULT_FIELD.layouts, show_default=True)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
@isolation_option
def field(*, games: int, layouts: int, workers: int, isolation: str) -> None:
    """Time `salvo tournament` as it is run without BOTs, in an empty folder.

    The target is two minutes, and that bots' starts take at most a tenth of the processor time.
    """
    level = choose_level(isolation).level
    print_lines(benchmark.field(Amount(games, layouts), workers, level))
