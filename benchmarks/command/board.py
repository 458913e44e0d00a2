"""`python -m benchmarks board`."""

import click

from benchmarks import board as benchmark
from benchmarks.command.printing import print_lines


@click.command()
@click.option("--bots", type=click.IntRange(min=3), default=500, show_default=True)
@click.option("--games", type=click.IntRange(min=6), default=1_000_000, show_default=True)
def board(*, bots: int, games: int) -> None:
    """Make up a league of BOTS and GAMES, rate it, and open its leaderboard.

    It takes some five minutes, and a gigabyte on the disk.
    """
    print_lines(benchmark.board(bots, games))
