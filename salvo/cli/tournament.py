"""`salvo tournament`: a round robin or a gauntlet, with both leaderboards and the report."""

from pathlib import Path

import click

from arena.entrants import refuse_alike
from arena.errors import BotError
from arena.store import Store
from arena.tournament import make_plan
from salvo.cli.forfeits import exit_if_unplayed
from salvo.cli.options import (
    RunOptions,
    games_option,
    layouts_option,
    prior_option,
    report_option,
    run_options,
)
from salvo.cli.output import write_page
from salvo.cli.playing import Entered, enter, make_tournament, play
from salvo.cli.progress import progress_bar
from salvo.cli.renamed import refuse_old_names
from salvo.reports.standing import Standing

__all__ = ["tournament"]


@click.command()
@click.argument("bots", nargs=-1, metavar="[BOT]...", callback=refuse_old_names)
@click.option(
    "--gauntlet",
    metavar="BOT",
    callback=refuse_old_names,
    help="This bot meets every other, and they meet nobody else.",
)
@games_option
@layouts_option
@prior_option
@report_option
@run_options
def tournament(  # noqa: PLR0913 - one parameter an option
    *,
    bots: tuple[str, ...],
    gauntlet: str | None,
    games: int,
    layouts: int,
    prior: bool,
    report_path: Path,
    run: RunOptions,
) -> None:
    """Play every bot against every other, print both leaderboards and write the report.

    A BOT is a bundled name (`salvo bots` lists them), a path, or a command in quotes, with its
    options; NAME=BOT gives it another name. Without any, the default field plays.
    """
    field, challenger = _field(bots, gauntlet, run)
    if len(field.entrants) == 1:
        raise BotError(f"only {field.entrants[0].name} is entered; a tournament needs two bots")
    entered = make_tournament("tournament", field.entrants, run, challenger)
    plan = make_plan(entered, games=games, layouts=layouts)
    with Store(run.db, create=True) as store:
        missed = play(entered, plan, run, store)
        notes = field.notes(run.rules)
        standing = Standing(store, entered, plan, prior=prior, notes=notes)
        click.echo(standing.text(run.format_))
        write_page(standing.page(store, progress_bar), report_path, "--report")
    click.echo(f"salvo: {report_path} shows it; {run.db} holds every game", err=True)
    exit_if_unplayed(missed)


def _field(
    bots: tuple[str, ...], gauntlet: str | None, run: RunOptions
) -> tuple[Entered, str | None]:
    """Return who takes part, and the name of the challenger of a gauntlet."""
    if gauntlet is None:
        return enter(bots, run), None
    [challenger] = enter([gauntlet], run).entrants
    others, left_out = enter(bots, run)
    field = [entrant for entrant in others if entrant.name != challenger.name]
    refuse_alike([challenger.name, *(entrant.name for entrant in field)])
    return Entered([challenger, *field], left_out), challenger.name
