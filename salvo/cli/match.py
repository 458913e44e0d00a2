"""`salvo match A B`: plays all games of two bots, or as many as a sequential test takes."""

from typing import TYPE_CHECKING

import click

from arena.errors import BotError, UserError
from arena.records import Shard
from arena.store import Look, Store
from arena.tournament import make_plan
from salvo.cli.options.bot_arguments import bot_argument
from salvo.cli.options.option_types import Parsed, WholeRange, even
from salvo.cli.options.rating_options import rating_options, refuse_anchor
from salvo.cli.options.run_options import RunOptions, run_options
from salvo.cli.runs.forfeits import exit_if_unplayed
from salvo.cli.runs.sharding import own_record, play_shard, shard_option
from salvo.conditions import FARTHEST_TESTED_ELO, MOST_TESTED_GAMES
from salvo.reports.how_rated import HowRated

if TYPE_CHECKING:
    from salvo.reports.standings.standing import Standing

_GAMES = 200


def _leads(text: str) -> tuple[float, float]:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not ELO0,ELO1, such as 0,20.") from None
    if not -FARTHEST_TESTED_ELO <= elo0 < elo1 <= FARTHEST_TESTED_ELO:
        raise ValueError(
            f"{text!r}: give two leads in Elo, the smaller first, between "
            f"-{FARTHEST_TESTED_ELO} and {FARTHEST_TESTED_ELO}."
        )
    return elo0, elo1


@click.command()
@bot_argument("first", metavar="BOT")
@bot_argument("second", metavar="BOT")
@click.option(
    "--games",
    type=WholeRange(min=2),
    callback=even,
    help="Games, an even number; raise it later to extend the record.  "
    f"[default: {_GAMES}; with --sprt at most {MOST_TESTED_GAMES}]",
)
@click.option(
    "--sprt",
    type=Parsed("elo0,elo1", _leads),
    metavar="ELO0,ELO1",
    help="Play until a sequential test accepts that the first bot leads by ELO0 or by ELO1.",
)
@shard_option
@rating_options
@run_options
def match(  # noqa: PLR0913 - one parameter an option
    *,
    first: str,
    second: str,
    games: int | None,
    sprt: tuple[float, float] | None,
    shard: Shard | None,
    how: HowRated,
    run: RunOptions,
) -> None:
    """Play two bots against each other, and say which is better and how sure that is."""
    from salvo.cli.runs.running import enter, play
    from salvo.playing.recording import make_tournament

    run = own_record(run, shard)
    if shard is not None and sprt is not None:
        raise UserError(
            f"--shard {shard}: with --sprt all results decide when to stop; leave out one of them"
        )
    entrants = enter([first, second], run).entrants
    if len(entrants) == 1:
        raise BotError(f"only {entrants[0].name} plays {run.rules.name}; a match needs two bots")
    refuse_anchor(how, (entrant.name for entrant in entrants))
    entered = make_tournament("match", entrants, run)
    plan = make_plan(entered, games=games or (MOST_TESTED_GAMES if sprt else _GAMES), layouts=0)
    if shard is not None:
        play_shard(entered, plan, shard, run)
        return
    names = entrants[0].name, entrants[1].name
    with Store(run.db, create=True) as store:
        if sprt is None:
            missed = play(entered, plan, run, store)
            from salvo.reports.standings.standing import Standing  # only now: see `tournament`

            look = Look(plan.pairs)
            standing = Standing(store, entered, plan, how=how, look=look)
        else:
            from salvo.playing.sequential_match import SequentialMatch

            contest = SequentialMatch(names, sprt, plan)
            missed = play(entered, contest.schedule(), run, store)
            look = contest.look(store, entered)
            standing = contest.standing(store, entered, how)
        _add_verdict(standing)
        click.echo(standing.text(run.format_, run.table))
        store.note_look(entered.name, look)
    exit_if_unplayed(missed)


def _add_verdict(standing: "Standing") -> None:
    from leaderboards import verdict
    from salvo.reports.words.confidence import plain_verdict

    ratings = standing.ratings
    if ratings is None or len(ratings.table) < 2:  # noqa: PLR2004 - a verdict is on two
        return
    better, other = ratings.table["bot"]
    found = verdict(ratings, better, other)
    standing.more["verdict"] = plain_verdict(found)
