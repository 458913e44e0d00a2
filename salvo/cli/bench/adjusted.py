"""`salvo bench adjusted`."""

import click

from salvo.bench import adjusted as benchmark
from salvo.cli.bench.printing import print_lines
from salvo.cli.numbers import WholeRange
from salvo.cli.progress import progress_bar


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
