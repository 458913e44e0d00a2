"""`salvo withdraw NAME`: take a bot out of a league."""

from pathlib import Path

import click

from arena.league import League
from salvo.cli.completing import complete_members
from salvo.cli.leagues import league_option

__all__ = ["withdraw"]


@click.command()
@click.argument("name", shell_complete=complete_members)
@league_option
def withdraw(*, name: str, folder: Path) -> None:
    """Take NAME out of a league; its games stay in the record.

    To bring it back, submit it again: games that it has played are not played again.
    """
    entry = League(folder).withdraw(name)
    click.echo(f"{entry.full_name} is withdrawn; its games stay in the record.")
