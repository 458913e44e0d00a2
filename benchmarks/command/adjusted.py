"""`python -m benchmarks adjusted`."""

import click

from benchmarks import adjusted as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.option("--games", type=WholeRange(min=20), default=5000, show_default=True)
@click.option(
    "--rules", type=click.Choice(["classic", "salvo"]), default="classic", show_default=True
)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
def adjusted(*, games: int, rules: str, workers: int) -> None:
    """Check the adjustment for luck: no bias, and far narrower intervals.

    GAMES is the number of solo games of each of six bots.
    """
    print_lines(benchmark.adjusted(games, workers, rules=rules, progress=progress_bar))
