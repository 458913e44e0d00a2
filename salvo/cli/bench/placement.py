"""`salvo bench placement`."""

import click

from salvo.bench import placement as benchmark
from salvo.cli.bench.printing import print_lines
from salvo.cli.numbers import WholeRange

__all__ = ["placement"]


@click.command()
@click.option("--games", type=WholeRange(min=40), default=3000, show_default=True)
@click.option("--seed", type=WholeRange(min=0), default=benchmark.SEED, show_default=True)
def placement(*, games: int, seed: int) -> None:
    """Compare the shots that bots need for our layouts and for uniform ones, in classic.

    The shooters that count placements play many games of probability_density at once; some of them
    know the distribution of our layouts, or have learned it from some number of them. Those with a
    pool of layouts shoot where most of those that agree with the answers have a ship.
    """
    print_lines(benchmark.placement(games, seed))
