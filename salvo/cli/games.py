"""`salvo games`: lists the games of a tournament in the record."""

from pathlib import Path

import click

from salvo.cli.options.completing import complete_entrants
from salvo.cli.options.output_options import format_option
from salvo.cli.options.record_options import db_option, tournament_option
from salvo.cli.terminal.output import notify
from salvo.reports.words.stderr_text import describe_stderr

_FOR_THE_EYE = ("table", "markdown")


@click.command()
@db_option
@tournament_option
@click.option(
    "--bot", metavar="NAME", shell_complete=complete_entrants, help="Only the games of this bot."
)
@click.option(
    "--forfeits", is_flag=True, help="Only the games that ended by forfeit, and why they did."
)
@format_option
def games(
    *, db: Path, tournament_name: str | None, bot: str | None, forfeits: bool, format_: str
) -> None:
    """List the games of a tournament; `salvo replay` shows one."""
    from salvo.notebook.record import open_record
    from salvo.reports.tables.game_tables import list_games, without_gaps
    from salvo.reports.tables.table_text import format_table

    record = open_record(db)
    results = record.games(tournament_name, bot=bot, forfeits=forfeits)
    written = record.stderr(tournament_name) if forfeits else {}
    if results.empty and forfeits and format_ == "table":
        notify("no forfeit in it; `salvo tournaments` lists the others of the record")
    listed = list_games(results)
    if forfeits and format_ in {"json", "csv"}:
        listed = listed.assign(stderr=listed["game"].map(written).fillna(""))
    click.echo(format_table(without_gaps(listed) if format_ in _FOR_THE_EYE else listed, format_))
    if format_ == "table":
        for line in describe_stderr(results, written):
            click.echo(line)
