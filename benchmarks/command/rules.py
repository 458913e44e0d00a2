"""`python -m benchmarks rules`."""

import click

from benchmarks import rules as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange


@click.command()
@click.option("--games", type=WholeRange(min=1), default=100, show_default=True)
@click.option("--rounds", type=WholeRange(min=1), default=9, show_default=True)
def rules(*, games: int, rounds: int) -> None:
    """Time the same games of `classic` through `arena.rules` and over lists, on one core.

    Both are played in turn, round by round, and timed in processor time; the headline is the median
    share of a round.
    """
    print_lines(benchmark.rules(games, rounds))
