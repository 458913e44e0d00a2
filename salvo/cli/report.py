"""`salvo report`: writes the report of a tournament in the record, or of a league."""

from pathlib import Path

import click

from arena.store import Store
from salvo.cli.options.output_options import report_option
from salvo.cli.options.rating_options import rating_options
from salvo.cli.options.record_options import (
    all_option,
    db_option,
    of_league_option,
    record_of,
    refuse_all,
    tournament_of,
    tournament_option,
)
from salvo.cli.terminal.output import write_page
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.reports.how_rated import HowRated


@click.command()
@db_option
@tournament_option
@of_league_option
@all_option
@rating_options
@report_option
@click.pass_context
def report(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    db: Path,
    tournament_name: str | None,
    folder: Path | None,
    all_versions: bool,
    how: HowRated,
    report_path: Path,
) -> None:
    """Write the report of a tournament in the record: one HTML file that needs no network.

    That of a league leaves out versions that were replaced or withdrawn, except for their history.
    """
    from salvo.reports.pages.report_page import report_page
    from salvo.reports.pages.versions import history_in
    from salvo.reports.standings.league_standing import standing_in

    record = db if folder is None else record_of(context, folder)
    with Store(record, create=False) as store:
        tournament = store.tournament(tournament_of(tournament_name, folder))
        if all_versions:
            refuse_all(tournament)
        standing = standing_in(store, tournament, all_versions=all_versions, how=how)
        further = history_in(store, tournament, standing, how=how)
        page = report_page(standing, store, progress_bar, further)
        write_page(page, report_path, "--report")
    click.echo(report_path)
