"""`salvo games`: the games of a tournament in the record."""

from pathlib import Path

import click

from salvo.cli.completing import complete_entrants
from salvo.cli.options import db_option, format_option, tournament_option

__all__ = ["games"]


@click.command()
@db_option
@tournament_option
@click.option(
    "--bot", metavar="NAME", shell_complete=complete_entrants, help="Only the games of this bot."
)
@click.option("--forfeits", is_flag=True, help="Only the games that ended by forfeit.")
@format_option
def games(
    *, db: Path, tournament_name: str | None, bot: str | None, forfeits: bool, format_: str
) -> None:
    """List the games of a tournament; `salvo replay` shows one."""
    from salvo.record import open_record
    from salvo.reports.formats import format_table
    from salvo.reports.tables import list_games

    found = open_record(db).games(tournament_name, bot=bot, forfeits=forfeits)
    click.echo(format_table(list_games(found), format_))
