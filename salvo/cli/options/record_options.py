"""Makes the options that name a record, a tournament in it, or a league."""

from pathlib import Path

import click
from click.core import ParameterSource

from arena.errors import UserError
from arena.league import League
from arena.store import Tournament
from salvo.cli.options.completing import complete_tournaments
from salvo.cli.options.option_types import FILE, FOLDER

DEFAULT_DB = Path("salvo.sqlite3")

db_option = click.option(
    "--db", type=FILE, default=DEFAULT_DB, show_default=True, help="The record of games."
)
tournament_option = click.option(
    "--tournament",
    "tournament_name",
    metavar="NAME",
    shell_complete=complete_tournaments,
    help="Tournament in the record; by default the newest, or this command's own.",
)
league_option = click.option(
    "--league",
    "folder",
    type=FOLDER,
    default="league",
    show_default=True,
    help="The folder of the league.",
)
of_league_option = click.option(
    "--league",
    "folder",
    type=FOLDER,
    help="The league in this folder, or with --tournament one of its calendar.",
)
all_option = click.option(
    "--all", "all_versions", is_flag=True, help="Of a league, every version ever entered."
)


_BESIDE: dict[str, dict[str, str]] = {
    "from": {
        "db": "--db",
        "tournament_name": "--tournament",
        "folder": "--league",
        "all_versions": "--all",
        "adjusted": "--adjusted",
    },
    "league": {"db": "--db", "anchor": "--anchor"},
}


def refuse_beside(context: click.Context, option: str, why: str) -> None:
    """Refuse options that mean nothing beside another.

    Raises:
        UserError: If one was given.
    """
    for name, shown in _BESIDE[option].items():
        if context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            raise UserError(f"--{option}: {why}; leave out {shown}")


def record_of(context: click.Context, folder: Path) -> Path:
    """Return the record of a league.

    Raises:
        UserError: If there is no league, nothing has been played in it, or options were given that
            mean nothing beside it.
    """
    refuse_beside(context, "league", "a league has a record and a scale of its own")
    record = League(folder).record
    if not record.exists():
        raise UserError(
            f"league folder {folder}: no game has been played yet; "
            f"`salvo submit --league {folder}` plays them"
        )
    return record


def tournament_of(name: str | None, folder: Path | None) -> str | None:
    """Return the tournament that is meant: in a league its own games, unless another is named."""
    return name or (None if folder is None else "league")


def refuse_all(tournament: Tournament) -> None:
    """Refuse ``--all`` for what has no versions.

    Raises:
        UserError: Always, but for a league.
    """
    if tournament.kind != "league":
        raise UserError("--all: only leagues have versions; name one with --league")
