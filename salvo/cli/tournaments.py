"""`salvo tournaments`: lists what a record holds."""

from pathlib import Path

import click

from arena.store import Store
from salvo.cli.options.output_options import format_option
from salvo.cli.options.record_options import db_option
from salvo.cli.terminal.output import echo_lines


@click.command()
@db_option
@format_option
def tournaments(*, db: Path, format_: str) -> None:
    """List the tournaments of a record, oldest first, with how much of each was played."""
    from salvo.reports.tables.listings import list_tournaments
    from salvo.reports.tables.table_text import table_lines

    with Store(db, create=False) as store:
        echo_lines(table_lines(list_tournaments(store), format_))
