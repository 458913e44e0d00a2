"""`salvo bench placement`."""

import click

from salvo.bench import placement as benchmark
from salvo.cli.bench.printing import print_lines

__all__ = ["placement"]


@click.command()
@click.option("--games", type=click.IntRange(min=40), default=3000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=benchmark.SEED, show_default=True)
def placement(*, games: int, seed: int) -> None:
    """Set the shots that shooters take for our layouts beside those for uniform ones, in classic.

    The shooters that count are many games at once of probability_density's; some of them know the
    distribution of our layouts, or have learned it from so many of them. Those with a pool shoot
    where most of its layouts lie that agree with the answers.
    """
    print_lines(benchmark.placement(games, seed))
