"""`python -m benchmarks suspects`."""

import click

from benchmarks import suspects as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.option("--games", type=WholeRange(min=2), default=200, show_default=True)
@click.option("--tables", type=WholeRange(min=10), default=20_000, show_default=True)
@click.option(
    "--rules", type=click.Choice(["classic", "salvo"]), default="salvo", show_default=True
)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
def suspects(*, games: int, tables: int, rules: str, workers: int) -> None:
    """Measure whom the check on luck names: honest bots, and bots that know layouts.

    GAMES is the number of games of each kind that are played, TABLES how many tables of honest bots
    are put together of them.
    """
    print_lines(benchmark.suspects(games, tables, workers, rules=rules, progress=progress_bar))
