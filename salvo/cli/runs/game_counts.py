"""Decides how much is played where the command does not say, and announces it."""

from dataclasses import dataclass

import click

from arena.schedule import Plan
from salvo.cli.options.option_types import WholeRange, even
from salvo.cli.terminal.output import notify

GAME_S = 0.04
"""Seconds of a core that a game of the default field takes by its own rules.

With the two below it is what ``python -m benchmarks field`` times together.
"""
SOLO_S = 0.025
START_S = 15.0


@dataclass(frozen=True)
class Amount:
    """The games a pairing and the solo games a bot that are played."""

    games: int
    layouts: int

    @classmethod
    def of(cls, games: int | None, layouts: int | None, *, named: bool) -> "Amount":
        """Return what was asked for; what was not is as usual, or less if no bots are named."""
        less = USUAL if named else DEFAULT_FIELD
        return cls(
            less.games if games is None else games, less.layouts if layouts is None else layouts
        )


USUAL = Amount(games=200, layouts=500)
DEFAULT_FIELD = Amount(games=20, layouts=100)
"""Where no bots are named many play, and some think long; the first run is to be short."""

field_games_option = click.option(
    "--games",
    type=WholeRange(min=2),
    callback=even,
    default=None,
    show_default=f"{USUAL.games}, in the default field {DEFAULT_FIELD.games}",
    help="Games per pairing, an even number; raise it later to extend the record.",
)
layouts_option = click.option(
    "--layouts",
    type=WholeRange(min=0),
    default=None,
    show_default=f"{USUAL.layouts}, in the default field {DEFAULT_FIELD.layouts}",
    help="Solo games per bot, each on a layout of its own.",
)
common_layouts_option = click.option(
    "--common-layouts",
    is_flag=True,
    help="Let all bots search the same layouts, which tells bots that play alike apart in fewer "
    "games. One can then pass another what it saw: only for bots that you trust.",
)


def tell_plan(plan: Plan, done: int, workers: int, *, usual: bool) -> None:
    """Say what is going to be played and, for the ``usual`` field and rules, how long it takes."""
    games = len(plan.pairings) * 2 * plan.pairs
    alone = len(plan.soloists) * plan.layouts
    many = len(plan.pairings)
    where = f"in each of {many} pairings" if many > 1 else "with each other"
    parts = [f"{2 * plan.pairs} {where}"]
    parts += [f"{plan.layouts} alone each"] * bool(alone)
    text = f"{len(plan.soloists)} bots play {plan.most_games:,} games: {', '.join(parts)}"
    left = 1 - done / plan.most_games
    if done:
        text += f"; {done:,} of them are in the record"
    if usual and left:
        seconds = START_S + (games * GAME_S + alone * SOLO_S) * left
        about_s = -(-seconds / workers // 10) * 10
        text += f"; that takes about {about_s:.0f} s with {workers} worker{'s' * (workers > 1)}"
    notify(text)
