"""`python -m benchmarks strength`."""

from pathlib import Path

import click

from benchmarks import strength as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange
from salvo.cli.terminal.progress_bars import progress_bar


def _opponents(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse a bot before hours are spent on games alone."""
    known = benchmark.opponents() if names else []
    if unknown := [name for name in names if name not in known]:
        raise click.BadParameter(f"{unknown[0]!r}: give one of {', '.join(known)}.")
    return names


@click.command()
@click.option("--layouts", type=WholeRange(min=2), default=10_000, show_default=True)
@click.option("--salvos", type=WholeRange(min=2), default=2000, show_default=True)
@click.option("--pairs", type=WholeRange(min=2), default=10_000, show_default=True)
@click.option(
    "--against",
    metavar="BOT",
    multiple=True,
    callback=_opponents,
    help="Play for two against this bot only; may be repeated.",
)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("strength.sqlite3"),
    show_default=True,
)
def strength(  # noqa: PLR0913 - one parameter an option
    *, layouts: int, salvos: int, pairs: int, against: tuple[str, ...], workers: int, db: Path
) -> None:
    """Measure the strongest bot step by step; the same command goes on from the record DB.

    LAYOUTS and SALVOS are the layouts that it plays alone, of the classic game and of the full
    salvo; the steps on the way play a tenth of them. For two it plays every other bot until a
    sequential test decides, PAIRS pairs of games at most.
    """
    extent = benchmark.Extent(layouts, salvos, pairs, against, workers, db, progress_bar)
    print_lines(benchmark.strength(extent))
