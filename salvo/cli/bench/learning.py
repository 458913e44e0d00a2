"""`salvo bench learning`."""

import os

import click

from salvo.cli.bench.printing import print_lines
from salvo.cli.numbers import WholeRange
from salvo.cli.options import workers_option

__all__ = ["learning"]


@click.command()
@click.option("--layouts", type=WholeRange(min=2), default=1000, show_default=True)
@click.option("--games", type=WholeRange(min=100), default=10_000, show_default=True)
@click.option("--shots", type=WholeRange(min=1), default=10_000_000, show_default=True)
@workers_option
def learning(*, layouts: int, games: int, shots: int, workers: int) -> None:
    """Play the bots that learned, and train again what is compared.

    It takes some ten minutes; 10,000 layouts, as the targets have them, an hour and a half.
    """
    # As `salvo train` does, before numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from salvo.bench import learning as benchmark  # noqa: PLC0415

    print_lines(benchmark.learning(layouts=layouts, games=games, shots=shots, workers=workers))
