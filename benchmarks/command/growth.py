"""`python -m benchmarks growth`."""

from pathlib import Path

import click

from benchmarks import growth as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange

_MOST = benchmark.Most()


@click.command()
@click.option("--games", type=WholeRange(min=100), default=_MOST.games, show_default=True)
@click.option("--bots", type=WholeRange(min=2), default=_MOST.bots, show_default=True)
@click.option("--cells", type=WholeRange(min=64, max=4096), default=_MOST.cells, show_default=True)
@click.option("--workers", type=WholeRange(min=1), default=_MOST.workers, show_default=True)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("salvo-growth.html"),
    show_default=True,
    help="Where the figure is written.",
)
def growth(*, games: int, bots: int, cells: int, workers: int, html: Path) -> None:
    """Measure how time and memory grow with games, bots, cells and workers, up to these sizes.

    Prints the slope of each on logarithmic scales, that of the three largest sizes: 1 where twice
    as much takes twice as long.
    """
    print_lines(benchmark.growth(benchmark.Most(games, bots, cells, workers), html))
