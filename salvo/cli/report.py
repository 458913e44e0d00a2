"""`salvo report`: the report of a tournament in the record."""

from pathlib import Path

import click

from salvo.cli.options import db_option, prior_option, report_option, tournament_option
from salvo.cli.output import write_page
from salvo.cli.progress import progress_bar

__all__ = ["report"]


@click.command()
@db_option
@tournament_option
@prior_option
@report_option
def report(*, db: Path, tournament_name: str | None, prior: bool, report_path: Path) -> None:
    """Write the report of a tournament in the record: one HTML file that needs no network."""
    from salvo.record import open_record

    page = open_record(db).report(tournament_name, prior=prior, progress=progress_bar)
    write_page(page, report_path, "--report")
    click.echo(report_path)
