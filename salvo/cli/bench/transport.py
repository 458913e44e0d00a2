"""`salvo bench transport`."""

import click

from arena.rules import Rules
from salvo.bench import transport as benchmark
from salvo.cli.bench.printing import print_lines
from salvo.cli.numbers import WholeRange
from salvo.cli.options import choose_level, isolation_option, rules_option

__all__ = ["transport"]


@click.command()
@click.option("--pairs", type=WholeRange(min=1), default=500, show_default=True)
@click.option("--rounds", type=WholeRange(min=1), default=5, show_default=True)
@isolation_option
@rules_option
def transport(*, pairs: int, rounds: int, isolation: str, rules: Rules) -> None:
    """Measure round trips a second between one worker and two bots, against C to C over pipes.

    Both are measured in turn, round by round; a round's share is taken against the C of the same
    round, and the median share is the headline. The same games are then played by the same bots in
    this process, as training plays them.
    """
    print_lines(benchmark.transport(pairs, rounds, choose_level(isolation), rules))
