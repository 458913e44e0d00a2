"""`salvo tournament`: a round robin or a gauntlet, with both leaderboards and the report."""

from pathlib import Path

import click

from arena.errors import BotError
from arena.store import Store
from arena.tournament import make_plan
from salvo.cli.completing import complete_bots
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
from salvo.cli.progress import progress_bar
from salvo.cli.renamed import refuse_old_names

__all__ = ["tournament"]


@click.command()
@click.argument(
    "bots", nargs=-1, metavar="[BOT]...", callback=refuse_old_names, shell_complete=complete_bots
)
@click.option(
    "--gauntlet",
    metavar="BOT",
    callback=refuse_old_names,
    shell_complete=complete_bots,
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
    from salvo.cli.running import enter, play
    from salvo.playing import make_tournament
    from salvo.reports.standing import Standing

    field = enter(bots, run, gauntlet)
    if len(field.entrants) == 1:
        raise BotError(f"only {field.entrants[0].name} is entered; a tournament needs two bots")
    entered = make_tournament("tournament", field.entrants, run, field.challenger)
    plan = make_plan(entered, games=games, layouts=layouts)
    with Store(run.db, create=True) as store:
        missed = play(entered, plan, run, store)
        notes = field.notes(run.rules)
        standing = Standing(store, entered, plan, prior=prior, notes=notes)
        click.echo(standing.text(run.format_))
        write_page(standing.page(store, progress_bar), report_path, "--report")
    click.echo(f"salvo: {report_path} shows it; {run.db} holds every game", err=True)
    exit_if_unplayed(missed)
