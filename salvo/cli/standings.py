"""`salvo standings`: the leaderboards of a tournament, of a league, or of games from a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from arena.errors import UserError
from arena.league import League
from arena.store import Store
from salvo.cli.adjusting import adjusted_option, work_out_luck
from salvo.cli.options import (
    db_option,
    format_option,
    rating_options,
    refuse_table,
    table_option,
    tournament_option,
    workers_option,
)
from salvo.reports.choices import HowRated, Table

if TYPE_CHECKING:
    from salvo.reports.results import Results

__all__ = ["standings"]


@click.command()
@db_option
@tournament_option
@click.option(
    "--league",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The standings of the league in this folder.",
)
@click.option(
    "--all", "all_versions", is_flag=True, help="Of a league, every version ever entered."
)
@click.option(
    "--from",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Rate the games of a CSV or Parquet file: first, second, and result or first_won.",
)
@adjusted_option
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
) -> None:
    """Print both leaderboards of a tournament in the record, of a league, or of a file."""
    from salvo.reports.games_file import read_games
    from salvo.reports.results import Results

    refuse_table(table, format_)
    if file is not None:
        _refuse_beside(context, "from", "a file has one table of games")
        shown: Results = Results(read_games(file), how=how)
    elif folder is not None:
        _refuse_beside(context, "league", "a league has a record and a scale of its own")
        shown = _of_league(folder, how, all_versions=all_versions, luck=workers * adjusted)
    else:
        if all_versions:
            raise UserError("--all: only leagues have versions; name one with --league")
        shown = _of_record(db, tournament_name, how, luck=workers * adjusted)
    click.echo(shown.text(format_, table))


_BESIDE: dict[str, dict[str, str]] = {
    "from": {
        "db": "--db",
        "tournament_name": "--tournament",
        "folder": "--league",
        "all_versions": "--all",
        "adjusted": "--adjusted",
    },
    "league": {"db": "--db", "tournament_name": "--tournament", "anchor": "--anchor"},
}


def _refuse_beside(context: click.Context, option: str, why: str) -> None:
    """Refuse options that mean nothing beside another.

    Raises:
        UserError: If one was given.
    """
    for name, shown in _BESIDE[option].items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise UserError(f"--{option}: {why}; leave out {shown}")


def _of_record(db: Path, tournament_name: str | None, how: HowRated, luck: int) -> "Results":
    """Return the standing of a tournament.

    Args:
        db: The record.
        tournament_name: Its name; None for the newest.
        how: How games are rated.
        luck: Workers that work out the luck; 0 to leave it.
    """
    from salvo.reports.standing import Standing

    with Store(db, create=bool(luck) and db.exists()) as store:
        tournament = store.tournament(tournament_name)
        if luck:
            work_out_luck(store, tournament, luck)
        names = store.tournament_names()
        standing = Standing(store, tournament, how=how)
    if tournament_name is None and len(names) > 1:
        told = f"{tournament.name}, {tournament.rules.name}; --tournament names another of"
        click.echo(f"salvo: the newest of {db}, {told} {', '.join(names)}", err=True)
    return standing


def _of_league(folder: Path, how: HowRated, *, all_versions: bool, luck: int) -> "Results":
    """Return the standing of a league; see ``_of_record``.

    Raises:
        UserError: If nothing was played yet.
    """
    from salvo.reports.league_standing import league_standing

    league = League(folder)
    if not league.record.exists():
        raise UserError(
            f"league folder {folder}: no game has been played yet; "
            f"`salvo submit --league {folder}` plays them"
        )
    with Store(league.record, create=bool(luck)) as store:
        if luck:
            work_out_luck(store, league.tournament(), luck)
        return league_standing(league, store, all_versions=all_versions, how=how)
