"""`python -m benchmarks sources`."""

import click

from benchmarks import sources as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.option("--layouts", type=WholeRange(min=20), default=1000, show_default=True)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
def sources(*, layouts: int, workers: int) -> None:
    """Set every published number beside ours.

    Ours carries a 95% interval; an exact value is computed. "agrees" says whether chance explains
    the difference, given how many games they played.
    """
    print_lines(benchmark.sources(benchmark.Extent(layouts, workers, progress_bar)))
