"""`salvo games`: lists the games of a tournament in the record."""

from pathlib import Path

import click

from arena.store import Store
from salvo.cli.options.completing import complete_entrants
from salvo.cli.options.output_options import format_option
from salvo.cli.options.record_options import db_option, tournament_option
from salvo.cli.terminal.output import echo_lines, notify
from salvo.reports.words.stderr_text import describe_stderr


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
    from salvo.reports.tables.listings import list_games
    from salvo.reports.tables.table_text import table_lines

    as_data = format_ in {"json", "csv"}
    with Store(db, create=False) as store:
        tournament = store.tournament(tournament_name)
        table = list_games(
            store, tournament, bot=bot, forfeits=forfeits, stderr=forfeits and as_data
        )
        if forfeits and not as_data and not any(table.rows):
            notify("no forfeit in it; `salvo tournaments` lists the others of the record")
            return
        echo_lines(table_lines(table, format_))
        if forfeits and format_ == "table":
            echo_lines(describe_stderr(store.listed(tournament.name, bot=bot, forfeits=True)))
