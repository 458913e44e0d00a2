"""`python -m benchmarks transport`."""

from pathlib import Path

import click

from arena.rules import Rules
from benchmarks import transport as benchmark
from benchmarks.command.against import against_option
from benchmarks.command.printing import print_lines
from salvo.cli.options.common import choose_level, isolation_option, rules_option
from salvo.cli.options.numbers import WholeRange


@click.command()
@click.option(
    "--rounds",
    type=WholeRange(min=1),
    default=10,
    show_default=True,
    help="How often to begin anew, with fresh processes.",
)
@click.option(
    "--slices",
    type=WholeRange(min=1),
    default=100,
    show_default=True,
    help="How many slices of each in a round.",
)
@against_option
@isolation_option
@rules_option
def transport(
    *, rounds: int, slices: int, against: Path | None, isolation: str, rules: Rules
) -> None:
    """Measure the processor time of round trips between the arena and two bots, beside C to C.

    That of the arena's process, both bots and the record is summed up, in slices of two games that
    alternate between those compared; of each the least counts. The starts of processes do not
    count. The same games are then played by the same bots in this process, as training plays them.
    """
    level = choose_level(isolation).level
    print_lines(benchmark.transport(rounds, slices, level, rules, against))
