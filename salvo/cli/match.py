"""`salvo match A B`: all games of two bots."""

import click

from arena.errors import BotError
from arena.store import Store, Tournament
from arena.tournament import make_plan, name_tournament
from leaderboards import Ratings
from salvo.cli.options import RunOptions, games_option, prior_option, run_options
from salvo.cli.playing import enter, play
from salvo.cli.renamed import refuse_old_names
from salvo.reports.confidence import likelihoods, percent
from salvo.reports.standing import Standing

__all__ = ["match"]


@click.command()
@click.argument("first", metavar="BOT", callback=refuse_old_names)
@click.argument("second", metavar="BOT", callback=refuse_old_names)
@games_option
@prior_option
@run_options
def match(*, first: str, second: str, games: int, prior: bool, run: RunOptions) -> None:
    """Let two bots play each other, and say who is better and how sure that is."""
    entrants, _ = enter([first, second], run)
    if len(entrants) == 1:
        raise BotError(f"only {entrants[0].name} plays {run.rules.name}; a match needs two bots")
    entered = name_tournament(
        Tournament(
            name=run.tournament_name or "",
            kind="match",
            rules=run.rules,
            seed=str(run.seed),
            settings=run.settings,
            entrants=tuple(entrants),
        )
    )
    plan = make_plan(entered, games=games, layouts=0)
    with Store(run.db, create=True) as store:
        play(entered, plan, run, store)
        standing = Standing(store, entered, plan, prior=prior)
    if standing.ratings is not None:
        standing.notes.append(_verdict(standing.ratings))
    standing.show(run.format_)


def _verdict(ratings: Ratings) -> str:
    """Return how likely it is that the bot above is better than the one below."""
    better, other = (str(name) for name in ratings.table["bot"])
    chance = likelihoods(ratings, better)[other]
    if chance is None:
        return f"No game tells who is better, {better} or {other}."
    return f"Likelihood that {better} is better than {other}: {percent(chance)}."
