"""`python -m benchmarks optima`."""

import click

from benchmarks import optima as benchmark
from benchmarks.command.printing import print_lines


@click.command()
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help=f"Search for the optimum of {benchmark.LARGE} too, which takes long.",
)
def optima(*, everything: bool) -> None:
    """Search for the least mean turns of each small game, and play it over every layout."""
    print_lines(benchmark.optima(everything=everything))
