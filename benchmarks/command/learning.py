"""`python -m benchmarks learning`."""

import os
from pathlib import Path

import click

from benchmarks.command.printing import print_lines
from salvo.cli.options.common import workers_option
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.option("--layouts", type=WholeRange(min=2), default=1000, show_default=True)
@click.option("--games", type=WholeRange(min=100), default=10_000, show_default=True)
@click.option("--shots", type=WholeRange(min=1), default=10_000_000, show_default=True)
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("learning.sqlite3"),
    show_default=True,
)
@workers_option
def learning(*, layouts: int, games: int, shots: int, db: Path, workers: int) -> None:
    """Play the bots that learned, and train again what is compared.

    LAYOUTS are those that deep_salvo plays the classic game on; others play at most 1,000 of them.
    It takes some ten minutes; 10,000 layouts, as the targets have them, an hour. The classic games
    go into the record DB, and the same command goes on from there.
    """
    # As `salvo train` does, before numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from benchmarks import learning as benchmark  # noqa: PLC0415
    from benchmarks.compared.deep import Extent  # noqa: PLC0415

    extent = Extent(layouts, workers, db, progress_bar)
    print_lines(benchmark.learning(extent, games=games, shots=shots))
