"""`python -m benchmarks placement`."""

import click

from benchmarks import placement as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange


@click.command()
@click.option("--games", type=WholeRange(min=4), default=1000, show_default=True)
@click.option("--seed", type=WholeRange(min=0), default=benchmark.SEED, show_default=True)
def placement(*, games: int, seed: int) -> None:
    """Compare the turns that bots need for our layouts and for uniform ones, in classic and salvo.

    GAMES layouts of each kind are played by fast bots, fewer by slow ones, and forty times as many
    by shooters that play many games at once. Some of these know the distribution of our layouts, or
    have seen some of them.
    """
    print_lines(benchmark.placement(games, seed))
