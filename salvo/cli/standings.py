"""`salvo standings`: prints the leaderboards of a tournament, a league, or a file of games."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.store import Store
from salvo.cli.options.option_types import FILE
from salvo.cli.options.output_options import format_option, refuse_table, table_option
from salvo.cli.options.rating_options import rating_options
from salvo.cli.options.record_options import (
    all_option,
    db_option,
    of_league_option,
    record_of,
    refuse_all,
    refuse_beside,
    tournament_of,
    tournament_option,
)
from salvo.cli.options.run_options import workers_option
from salvo.cli.runs.adjusting import adjusted_option, work_out_luck
from salvo.reports.how_rated import HowRated, Table

if TYPE_CHECKING:
    from salvo.reports.standings.results import Results


@click.command()
@db_option
@tournament_option
@of_league_option
@all_option
@click.option(
    "--from",
    "file",
    type=FILE,
    help="Rate the games of a CSV or Parquet file: columns first and second, and result (first, "
    "second or draw) or first_won (1, 0 or 0.5).",
)
@adjusted_option
@click.option(
    "--explain",
    is_flag=True,
    help="Say under the tables how sure they are, and by which method.",
)
@workers_option
@rating_options
@format_option
@table_option
@click.pass_context
def standings(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    db: Path,
    tournament_name: str | None,
    folder: Path | None,
    all_versions: bool,
    file: Path | None,
    adjusted: bool,
    workers: int,
    how: HowRated,
    format_: str,
    table: Table | None,
    explain: bool,
) -> None:
    """Print both leaderboards of a tournament in the record, of a league, or of a file."""
    from salvo.reports.standings.results import Results
    from salvo.reports.tables.games_file import read_games

    refuse_table(table, format_)
    if file is not None:
        refuse_beside(context, "from", "a file has one table of games")
        shown: Results = Results(read_games(file), how=how)
    else:
        record = db if folder is None else record_of(context, folder)
        shown = _of_record(
            record,
            tournament_of(tournament_name, folder),
            how,
            all_versions=all_versions,
            luck_workers=workers if adjusted else None,
        )
    click.echo(shown.text(format_, table, explain=explain))


def _of_record(
    db: Path,
    tournament_name: str | None,
    how: HowRated,
    *,
    all_versions: bool,
    luck_workers: int | None,
) -> "Results":
    """Return the standing of a tournament."""
    from salvo.reports.standings.league_standing import standing_in

    with Store(db, create=luck_workers is not None and db.exists()) as store:
        tournament = store.tournament(tournament_name)
        if all_versions:
            refuse_all(tournament)
        if luck_workers is not None:
            work_out_luck(store, tournament, luck_workers)
        names = store.tournament_names()
        standing = standing_in(store, tournament, all_versions=all_versions, how=how)
    if tournament_name is None and len(names) > 1:
        others = ", ".join(name for name in names if name != tournament.name)
        told = f"{tournament.name} (rules {tournament.rules.name}) is the newest in {db}"
        click.echo(f"salvo: {told}; --tournament shows another: {others}", err=True)
    return standing
