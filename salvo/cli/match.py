"""`salvo match A B`: all games of two bots."""

import click

from arena.errors import BotError
from arena.store import Store
from arena.tournament import make_plan
from salvo.cli.completing import complete_bots
from salvo.cli.forfeits import exit_if_unplayed
from salvo.cli.options import RunOptions, games_option, prior_option, run_options
from salvo.cli.renamed import refuse_old_names

__all__ = ["match"]


@click.command()
@click.argument(
    "first",
    metavar="BOT",
    callback=refuse_old_names,
    shell_complete=complete_bots,
)
@click.argument(
    "second",
    metavar="BOT",
    callback=refuse_old_names,
    shell_complete=complete_bots,
)
@games_option
@prior_option
@run_options
def match(*, first: str, second: str, games: int, prior: bool, run: RunOptions) -> None:
    """Play two bots against each other, and say which is better and how sure that is."""
    from salvo.cli.running import enter, play
    from salvo.playing import make_tournament
    from salvo.reports.confidence import describe_match
    from salvo.reports.standing import Standing

    entrants = enter([first, second], run).entrants
    if len(entrants) == 1:
        raise BotError(f"only {entrants[0].name} plays {run.rules.name}; a match needs two bots")
    entered = make_tournament("match", entrants, run)
    plan = make_plan(entered, games=games, layouts=0)
    with Store(run.db, create=True) as store:
        missed = play(entered, plan, run, store)
        standing = Standing(store, entered, plan, prior=prior)
    if standing.ratings is not None:
        standing.notes.append(describe_match(standing.ratings))
    click.echo(standing.text(run.format_))
    exit_if_unplayed(missed)
