"""`salvo games`: the games of a tournament in the record."""

from pathlib import Path

import click

from arena.errors import UserError
from arena.store import Store
from salvo.cli.options import db_option, format_option, tournament_option
from salvo.reports.formats import format_table
from salvo.reports.stderr_text import describe_stderr
from salvo.reports.tables import game_table, list_games, without_gaps

__all__ = ["games"]

_FOR_THE_EYE = ("table", "markdown")


@click.command()
@db_option
@tournament_option
@click.option("--bot", metavar="NAME", help="Only the games of this bot.")
@click.option(
    "--forfeits", is_flag=True, help="Only the games that ended by forfeit, and why they did."
)
@format_option
def games(
    *, db: Path, tournament_name: str | None, bot: str | None, forfeits: bool, format_: str
) -> None:
    """List the games of a tournament; `salvo replay` shows one."""
    with Store(db, create=False) as store:
        tournament = store.tournament(tournament_name)
        results = game_table(store, tournament.name)
        written = store.stderr(tournament.name) if forfeits else {}
    if bot is not None:
        names = [entrant.name for entrant in tournament.entrants]
        if bot not in names:
            raise UserError(
                f"--bot {bot}: no bot of that name in {tournament.name}; "
                f"its bots are {', '.join(names)}"
            )
        results = results[(results["first"] == bot) | (results["second"] == bot)]
    if forfeits:
        results = results[results["forfeit"].notna()]
    listed = list_games(results)
    if forfeits and format_ in {"json", "csv"}:
        listed = listed.assign(stderr=listed["game"].map(written).fillna(""))
    click.echo(format_table(without_gaps(listed) if format_ in _FOR_THE_EYE else listed, format_))
    if format_ == "table":
        for line in describe_stderr(results, written):
            click.echo(line)
