"""`python -m benchmarks bayes`."""

import click

from benchmarks import bayes as benchmark
from benchmarks.command.printing import print_lines
from benchmarks.compared.bayes_targets import Extent
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.option("--layouts", type=WholeRange(min=20), default=5000, show_default=True)
@click.option("--held-out", type=WholeRange(min=20), default=10_000, show_default=True)
@click.option("--pairs", type=WholeRange(min=2), default=1000, show_default=True)
@click.option("--games", type=WholeRange(min=10), default=1000, show_default=True)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
def bayes(*, layouts: int, held_out: int, pairs: int, games: int, workers: int) -> None:
    """Check the Bayesian bots against their targets.

    LAYOUTS is the number of common layouts for solo games (the slowest bots play a fifth of them),
    HELD_OUT the number from another seed, PAIRS the number of pairs of two-player games, and GAMES
    the number of games for calibration and for speed (the plain sampler plays a tenth of them).
    """
    extent = Extent(layouts, held_out, pairs, games, workers, progress_bar)
    print_lines(benchmark.bayes(extent))
