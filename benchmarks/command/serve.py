"""`python -m benchmarks serve`."""

import click

from benchmarks import serve as benchmark
from benchmarks.command.printing import print_lines


@click.command()
@click.option("--watchers", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--bots", type=click.IntRange(min=0), default=60, show_default=True)
@click.option("--seconds", type=click.IntRange(min=5), default=120, show_default=True)
def serve(*, watchers: int, bots: int, seconds: int) -> None:
    """Let WATCHERS look at a league while it is played, and submit BOTS at once.

    SECONDS are those of each of three parts: games without a server, with watchers, and with the
    burst too, which goes on until all bots are checked.
    """
    print_lines(benchmark.serve(watchers, bots, seconds))
