"""`salvo bench field`."""

import click

from salvo.bench import field as benchmark
from salvo.cli.bench.printing import print_lines
from salvo.cli.numbers import WholeRange

__all__ = ["field"]


@click.command()
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
def field(*, workers: int) -> None:
    """Time `salvo tournament` with its defaults in an empty folder; the target is two minutes."""
    print_lines(benchmark.field(workers))
