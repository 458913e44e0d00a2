"""`salvo site DIR`: writes a league as static pages."""

from pathlib import Path

import click

from arena.errors import UserError, not_installed
from salvo.cli.options.option_types import FOLDER, WholeRange
from salvo.cli.options.record_options import league_option
from salvo.cli.terminal.progress_bars import progress_bar


@click.command()
@click.argument("target", type=FOLDER, metavar="DIR")
@league_option
@click.option(
    "--games",
    type=WholeRange(min=0, max=1000),
    default=20,
    show_default=True,
    help="How many of the latest games of each bot can be watched.",
)
def site(*, target: Path, folder: Path, games: int) -> None:
    """Write a league that was served into DIR, as pages for any web host.

    They need no server, and no script to be read: leaderboards, bots, games with replays, tables.
    A former site in DIR is replaced.
    """
    try:
        from salvo.server.database.server_database import is_served
        from salvo.server.site import write_site
    except ModuleNotFoundError as error:
        raise UserError(f"salvo site: {not_installed(str(error.name), 'serve')}") from error
    if not is_served(folder):
        raise UserError(
            f"league folder {folder}: it was never served; `salvo serve --league {folder}` does "
            "it, and `salvo report` makes one page of any league"
        )
    done = write_site(folder, target, games_a_bot=games, progress=progress_bar)
    click.echo(
        f"{target / 'index.html'} is a site of {done.bots} bots, with {done.games:,} games to watch"
    )
