"""`salvo bench learning`."""

import os

import click

from salvo.cli.bench.printing import print_lines
from salvo.cli.numbers import WholeRange

__all__ = ["learning"]


@click.command()
@click.option("--layouts", type=WholeRange(min=2), default=1000, show_default=True)
@click.option("--games", type=WholeRange(min=100), default=10_000, show_default=True)
@click.option("--shots", type=WholeRange(min=1), default=10_000_000, show_default=True)
def learning(*, layouts: int, games: int, shots: int) -> None:
    """Play the learned bots of the sources' games, and train again what is compared.

    It takes a few minutes.
    """
    # As `salvo train` does, before numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from salvo.bench import learning as benchmark  # noqa: PLC0415

    print_lines(benchmark.learning(layouts=layouts, games=games, shots=shots))
