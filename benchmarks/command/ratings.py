"""`python -m benchmarks ratings`."""

import click

from benchmarks import ratings as benchmark
from benchmarks.command.printing import print_lines


@click.command()
@click.option("--games", type=click.IntRange(min=2), default=1_000_000, show_default=True)
@click.option("--bots", type=click.IntRange(min=2), default=100, show_default=True)
@click.option("--fields", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def ratings(*, games: int, bots: int, fields: int, seed: int) -> None:
    """Rate fields with a hopeless bot, with a helper and its friend, and a large one."""
    print_lines(benchmark.ratings(games, bots, fields, seed))
