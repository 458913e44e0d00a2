"""`python -m benchmarks choices`."""

import click

from benchmarks import choices as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.option("--games", type=WholeRange(min=2), default=40, show_default=True)
def choices(*, games: int) -> None:
    """Measure ways in which value_search might choose a shot, by its value network."""
    print_lines(benchmark.choices(games, progress=progress_bar))
