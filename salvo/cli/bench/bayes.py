"""`salvo bench bayes`."""

import click

from salvo.bench import bayes as benchmark
from salvo.bench.bayes_targets import Extent
from salvo.cli.bench.printing import print_lines
from salvo.cli.progress import progress_bar

__all__ = ["bayes"]


@click.command()
@click.option("--layouts", type=click.IntRange(min=20), default=5000, show_default=True)
@click.option("--held-out", type=click.IntRange(min=20), default=10_000, show_default=True)
@click.option("--pairs", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--games", type=click.IntRange(min=10), default=1000, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
def bayes(*, layouts: int, held_out: int, pairs: int, games: int, workers: int) -> None:
    """Hold the Bayesian bots to their targets.

    LAYOUTS is how many common layouts are shot at alone (by the slowest bots a fifth of them),
    HELD_OUT how many of another seed, PAIRS how many pairs of games for two are played, and GAMES
    how many games are played for calibration and for speed (a tenth of them by the plain sampler).
    """
    extent = Extent(layouts, held_out, pairs, games, workers, progress_bar)
    print_lines(benchmark.bayes(extent))
