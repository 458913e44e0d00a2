"""`salvo withdraw NAME`: takes a bot out of a league."""

from pathlib import Path

import click

from arena.league import League
from salvo.cli.options.completing import complete_members
from salvo.cli.options.record_options import league_option


@click.command()
@click.argument("name", shell_complete=complete_members)
@league_option
def withdraw(*, name: str, folder: Path) -> None:
    """Take NAME out of a league; its games stay in the record.

    To bring it back, submit it again: games that it has played are not played again.
    """
    from salvo.server.database.ownership import withdraw as withdraw_served
    from salvo.server.database.server_database import Database, is_served

    league = League(folder)
    if is_served(folder):
        # What waits of it, or is being checked, is not to come in later.
        with Database(folder) as db:
            done = withdraw_served(db, folder, name)
    else:
        done = f"{league.withdraw(name).full_name} is withdrawn"
    click.echo(f"{done}; its games stay in the record.")
