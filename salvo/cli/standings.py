"""`salvo standings`: both leaderboards of a tournament in the record, or of a league."""

from pathlib import Path

import click
from click.core import ParameterSource

from arena.errors import UserError
from arena.league import League
from arena.store import Store
from salvo.cli.adjusting import adjusted_option, work_out_luck
from salvo.cli.options import (
    db_option,
    format_option,
    prior_option,
    tournament_option,
    workers_option,
)

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
@adjusted_option
@workers_option
@prior_option
@format_option
@click.pass_context
def standings(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    db: Path,
    tournament_name: str | None,
    folder: Path | None,
    all_versions: bool,
    adjusted: bool,
    workers: int,
    prior: bool,
    format_: str,
) -> None:
    """Print both leaderboards of a tournament in the record, or of a league."""
    from salvo.reports.league_standing import league_standing
    from salvo.reports.standing import Standing

    if folder is None:
        if all_versions:
            raise UserError("--all: only leagues have versions; name one with --league")
        with Store(db, create=adjusted and db.exists()) as store:
            tournament = store.tournament(tournament_name)
            if adjusted:
                work_out_luck(store, tournament, workers)
            names = store.tournament_names()
            standing = Standing(store, tournament, prior=prior)
        if tournament_name is None and len(names) > 1:
            told = f"{tournament.name}, {tournament.rules.name}; --tournament names another of"
            click.echo(f"salvo: the newest of {db}, {told} {', '.join(names)}", err=True)
        click.echo(standing.text(format_))
        return
    if tournament_name or context.get_parameter_source("db") is not ParameterSource.DEFAULT:
        raise UserError(
            "--league: a league has a record of its own; leave --db and --tournament out"
        )
    league = League(folder)
    if not league.record.exists():
        raise UserError(
            f"league folder {folder}: no game has been played yet; "
            f"`salvo submit --league {folder}` plays them"
        )
    with Store(league.record, create=adjusted) as store:
        if adjusted:
            work_out_luck(store, league.tournament(), workers)
        standing = league_standing(league, store, all_versions=all_versions, prior=prior)
    click.echo(standing.text(format_))
