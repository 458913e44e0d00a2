"""`salvo match A B`: plays all games of two bots, or as many as a sequential test takes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from arena.errors import BotError, UserError
from arena.records import BlockKey, Outcome, Shard
from arena.schedule import Plan, Until, sizes_of
from arena.store import Look, Store
from arena.tournament import make_plan
from salvo.cli.options.bot_arguments import bot_argument
from salvo.cli.options.option_types import Parsed, WholeRange, even
from salvo.cli.options.rating_options import rating_options, refuse_anchor
from salvo.cli.options.run_options import RunOptions, run_options
from salvo.cli.runs.forfeits import exit_if_unplayed
from salvo.cli.runs.sharding import own_record, play_shard, shard_option
from salvo.reports.how_rated import HowRated

if TYPE_CHECKING:
    from salvo.reacting import EndOfTest
    from salvo.reports.standings.standing import Standing

_GAMES = 200
_MOST_GAMES = 20_000
"""Games after which a sequential test is given up; nearly all are decided by then."""


_FARTHEST = 1000  # leads beyond this in Elo are those of bots that win always


def _leads(text: str) -> tuple[float, float]:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not ELO0,ELO1, such as 0,20.") from None
    if not -_FARTHEST <= elo0 < elo1 <= _FARTHEST:
        raise ValueError(
            f"{text!r}: give two leads in Elo, the smaller first, between -{_FARTHEST} and "
            f"{_FARTHEST}."
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
    f"[default: {_GAMES}; with --sprt at most {_MOST_GAMES}]",
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
    plan = make_plan(entered, games=games or (_MOST_GAMES if sprt else _GAMES), layouts=0)
    if shard is not None:
        play_shard(entered, plan, shard, run)
        return
    names = entrants[0].name, entrants[1].name
    contest = None if sprt is None else _Contest(*names, sprt, plan)
    with Store(run.db, create=True) as store:
        missed = play(entered, plan if contest is None else contest.schedule(), run, store)
        from salvo.reports.standings.standing import Standing  # only now, as in `salvo tournament`

        if contest is None:
            look = Look(plan.pairs)
            standing = Standing(store, entered, plan, how=how, look=look)
        else:
            recorded = partial(store.outcomes, entered.name)
            sizes = sizes_of(contest.schedule(), recorded)
            look = Look(sum(sizes.values()), contest.rule)
            standing = Standing(store, entered, plan, how=how, sizes=sizes, look=look)
            standing.more["sprt"] = contest.judge(recorded, look.pairs)
        _add_verdict(standing, contest)
        click.echo(standing.text(run.format_, run.table))
        store.note_look(entered.name, look)
    exit_if_unplayed(missed)


def _add_verdict(standing: "Standing", contest: "_Contest | None") -> None:
    from leaderboards import verdict
    from salvo.reports.words.confidence import plain_verdict

    ratings = standing.ratings
    if ratings is None or len(ratings.table) < 2:  # noqa: PLR2004 - a verdict is on two
        return
    better, other = ratings.table["bot"]
    sequential = contest is not None
    found = verdict(ratings, better, other, extended=sequential or standing.extended)
    standing.more["verdict"] = plain_verdict(found)
    standing.elo_verdict = found.lines() if contest is None else contest.words()


class _Contest:
    """A match that a sequential test ends."""

    def __init__(self, first: str, second: str, leads: tuple[float, float], plan: Plan) -> None:
        from leaderboards.sprt import Hypotheses

        self._names, self._hypotheses, self._plan = (first, second), Hypotheses(*leads), plan
        self._end = self._fresh()
        self._pairs = 0
        self.rule = "{:g} against {:g} Elo".format(*leads)

    def _fresh(self) -> "EndOfTest":
        from salvo.reacting import EndOfTest

        return EndOfTest(self._names[0], self._hypotheses)

    def schedule(self) -> Until:
        return Until(self._plan, self._fresh())

    def judge(
        self, recorded: Callable[[BlockKey], Sequence[Outcome]], pairs: int
    ) -> dict[str, Any]:
        from salvo.reports.words.confidence import plain_test

        self._pairs = pairs
        for block in self._plan.blocks():
            outcomes = recorded(block.key)[: len(block.fixtures)]
            if len(outcomes) < len(block.fixtures) or self._end(outcomes):
                break
        return plain_test(self._end.state, *self._names, self._hypotheses)

    def words(self) -> list[str]:
        state = self._end.state
        told = [state.sentence(*self._names, self._hypotheses)]
        if state.decided and self._pairs > state.pairs:
            told.append(
                f"The table also counts the {self._pairs - state.pairs} pairs that were being "
                "played when the test decided."
            )
        elif not state.decided:
            told.append("Raise --games to play on.")
        return told
