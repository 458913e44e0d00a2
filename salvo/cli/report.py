"""`salvo report`: the report of a tournament in the record."""

from pathlib import Path

import click

from arena.store import Store
from salvo.cli.options import db_option, rating_options, report_option, tournament_option
from salvo.cli.output import write_page
from salvo.cli.progress import progress_bar
from salvo.reports.choices import HowRated

__all__ = ["report"]


@click.command()
@db_option
@tournament_option
@rating_options
@report_option
def report(*, db: Path, tournament_name: str | None, how: HowRated, report_path: Path) -> None:
    """Write the report of a tournament in the record: one HTML file that needs no network."""
    from salvo.reports.standing import Standing

    with Store(db, create=False) as store:
        standing = Standing(store, store.tournament(tournament_name), how=how)
        write_page(standing.page(store, progress_bar), report_path, "--report")
    click.echo(report_path)
