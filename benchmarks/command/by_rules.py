"""`python -m benchmarks by-rules`."""

from pathlib import Path

import click

from benchmarks import by_rules as benchmark
from benchmarks.command.printing import print_lines
from salvo.cli.options.numbers import WholeRange


@click.command()
@click.argument("chosen", nargs=-1, metavar="[RULES]...", type=click.Choice(list(benchmark.GAMES)))
@click.option("--layouts", type=WholeRange(min=2), default=1000, show_default=True)
@click.option("--first", type=WholeRange(min=2), default=100, show_default=True)
@click.option("--workers", type=WholeRange(min=1), default=2, show_default=True)
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("by-rules.sqlite3"),
    show_default=True,
)
def by_rules(*, chosen: tuple[str, ...], layouts: int, first: int, workers: int, db: Path) -> None:
    """Set the best bot by the posterior beside the best rule of thumb, under each of RULES.

    RULES are presets, or paper-by-ship; without any, all. Of both kinds of bots the best on the
    FIRST layouts plays LAYOUTS others. The same command goes on from the record DB.
    """
    extent = benchmark.Extent(layouts, first, workers, db)
    print_lines(benchmark.by_rules(chosen or list(benchmark.GAMES), extent))
