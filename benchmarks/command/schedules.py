"""`python -m benchmarks schedules`."""

import click

from benchmarks import schedules as benchmark
from benchmarks.command.printing import print_lines


@click.command()
@click.option("--bots", type=click.IntRange(min=3), default=60, show_default=True)
@click.option("--games", type=click.IntRange(min=20), default=240, show_default=True)
@click.option("--simulations", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def schedules(*, bots: int, games: int, simulations: int, seed: int) -> None:
    """Simulate tournaments in which bots do not all meet, beside round robins.

    GAMES are those of a bot; the round robin beside has about as many.
    """
    print_lines(benchmark.schedules(bots, games, simulations, seed))
