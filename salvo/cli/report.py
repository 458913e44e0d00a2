"""`salvo report`: the report of a tournament in the record."""

from pathlib import Path

import click

from arena.store import Store
from salvo.cli.options import db_option, prior_option, report_option, tournament_option
from salvo.reports.standing import Standing

__all__ = ["report"]


@click.command()
@db_option
@tournament_option
@prior_option
@report_option
def report(*, db: Path, tournament_name: str | None, prior: bool, report_path: Path) -> None:
    """Write the report of a tournament in the record: one HTML file that needs no network."""
    with Store(db, create=False) as store:
        standing = Standing(store, store.tournament(tournament_name), prior=prior)
        standing.write_report(report_path, store)
    click.echo(report_path)
