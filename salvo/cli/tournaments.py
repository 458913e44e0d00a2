"""`salvo tournaments`: lists what a record holds."""

from pathlib import Path

import click

from salvo.cli.options.output_options import format_option
from salvo.cli.options.record_options import db_option


@click.command()
@db_option
@format_option
def tournaments(*, db: Path, format_: str) -> None:
    """List the tournaments of a record, oldest first, with how much of each was played."""
    from salvo.notebook.record import open_record
    from salvo.reports.tables.table_text import format_table

    click.echo(format_table(open_record(db).tournaments, format_))
