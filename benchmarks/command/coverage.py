"""`python -m benchmarks coverage`."""

import click

from benchmarks import coverage as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange


@click.command()
@click.option("--simulations", type=WholeRange(min=10), default=200, show_default=True)
@click.option("--seed", type=WholeRange(min=0), default=1, show_default=True)
def coverage(*, simulations: int, seed: int) -> None:
    """Simulate tournaments of known strengths, and count how often the 95% intervals hold them."""
    print_lines(benchmark.coverage(simulations, seed))
