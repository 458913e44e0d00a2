"""`python -m benchmarks start-up`."""

import click

from benchmarks import start_up as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange


@click.command(name="start-up")
@click.option("--starts", type=WholeRange(min=3), default=40, show_default=True)
@click.option("--bot", default="uniform_random", show_default=True, help="A bundled bot.")
def start_up(*, starts: int, bot: str) -> None:
    """Measure the start of a bot, at each level of isolation that holds here, and of commands.

    The starts of all kinds are interleaved, so that a busy moment affects all of them alike.
    """
    print_lines(benchmark.start_up(starts, bot))
