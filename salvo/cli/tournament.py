"""`salvo tournament`: plays each against each, or by a schedule; prints leaderboards."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from arena.errors import BotError, RecordError, UserError
from arena.records import Shard
from arena.rules import preset
from arena.schedule import others_blocks, sizes_of
from arena.store import Look, Store
from arena.tournament import make_plan
from salvo.cli.options.bot_arguments import bot_argument, bot_option
from salvo.cli.options.output_options import report_option
from salvo.cli.options.rating_options import rating_options, refuse_anchor
from salvo.cli.options.run_options import RunOptions, run_options
from salvo.cli.runs.forfeits import exit_if_unplayed
from salvo.cli.runs.game_counts import (
    Amount,
    common_layouts_option,
    field_games_option,
    layouts_option,
    tell_plan,
)
from salvo.cli.runs.sharding import own_record, play_shard, shard_option
from salvo.cli.terminal.output import write_page
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.conditions import GAMES_A_BLOCK, MATCHING, Matching
from salvo.reports.how_rated import HowRated

USUAL_RULES = "salvo"


@click.command()
@bot_argument("bots", nargs=-1, metavar="[BOT]...")
@bot_option(
    "--gauntlet",
    metavar="BOT",
    help="This bot meets every other, and they meet nobody else.",
)
@click.option(
    "--schedule",
    type=click.Choice(["round-robin", *MATCHING]),
    default="round-robin",
    show_default=True,
    help="Who meets whom: all; bots near in strength, in rounds; or where it tells most.",
)
@field_games_option
@layouts_option
@common_layouts_option
@shard_option
@rating_options
@report_option
@run_options
def tournament(  # noqa: PLR0913 - one parameter an option
    *,
    bots: tuple[str, ...],
    gauntlet: str | None,
    schedule: str,
    games: int | None,
    layouts: int | None,
    shard: Shard | None,
    how: HowRated,
    report_path: Path,
    run: RunOptions,
) -> None:
    """Play bots against each other, print both leaderboards and write the report.

    A BOT is a bundled name (`salvo bots` lists them), a path, or a command in quotes, with its
    options; NAME=BOT gives it another name. Without any, the default field plays. With --schedule
    swiss or adaptive, bots do not all meet, and --games are those of a bot.
    """
    from salvo.cli.runs.running import enter, play
    from salvo.playing.recording import make_tournament

    amount = Amount.of(games, layouts, named=bool(bots) or schedule in MATCHING)
    run = own_record(run, shard)
    matching = _matching(schedule, gauntlet, amount.games, shard)
    field = enter(bots, run, gauntlet)
    if len(field.entrants) == 1:
        raise BotError(f"only {field.entrants[0].name} is entered; a tournament needs two bots")
    names = [entrant.name for entrant in field.entrants]
    refuse_anchor(how, names)
    entered = make_tournament(matching or "tournament", field.entrants, run, field.challenger)
    if shard is not None:
        play_shard(entered, make_plan(entered, **asdict(amount)), shard, run)
        return
    look = Look(amount.games // 2)
    notes = field.notes(run.rules)
    with Store(run.db, create=True) as store:
        entered = store.resumed(entered)
        plan = make_plan(entered, **asdict(amount))
        sizes = None
        if matching is None:
            usual = not bots and gauntlet is None and run.rules == preset(USUAL_RULES)
            done = plan.games_in(store.played(entered.name))
            tell_plan(plan, done, run.workers, usual=usual)
            missed = play(entered, plan, run, store)
        else:
            from salvo.reacting import describe_rounds, draw_of, in_rounds

            played, recorded = store.played(entered.name), partial(store.outcomes, entered.name)
            rounds = partial(in_rounds, matching, plan, draw=draw_of(matching, plan))
            # As many rounds as the record may have, whatever is asked for.
            most = rounds(GAMES_A_BLOCK * (1 + len(played)))
            if others_blocks(most, played, recorded):
                raise RecordError(
                    f"record {run.db}: the rounds of its tournament '{entered.name}' are not those "
                    f"that --schedule {matching} draws in this Salvo: it can be shown and rated, "
                    "but not extended; give this one another name with --tournament"
                )
            missed = play(entered, rounds(amount.games), run, store)
            sizes = sizes_of(rounds(amount.games), recorded)
            notes.append(describe_rounds(matching, sizes, names))
        # Only now: with pandas and Plotly in it, this process would fork its workers, and these
        # their bots, more slowly, and the first game would come later.
        from salvo.reports.pages.report_page import report_page
        from salvo.reports.standings.standing import Standing

        standing = Standing(store, entered, plan, how=how, sizes=sizes, look=look, notes=notes)
        click.echo(standing.text(run.format_, run.table))
        store.note_look(entered.name, look)
        write_page(report_page(standing, store, progress_bar), report_path, "--report")
    click.echo(f"salvo: {report_path} shows it; {run.db} holds every game", err=True)
    exit_if_unplayed(missed)


def _matching(
    schedule: str, gauntlet: str | None, games: int, shard: Shard | None
) -> Matching | None:
    """Return the schedule in which bots do not all meet, or None."""
    matching = next((one for one in MATCHING if one == schedule), None)
    if matching is None:
        return None
    if gauntlet is not None:
        raise UserError(f"--schedule {schedule}: a gauntlet has its own; leave out one of them")
    if shard is not None:
        raise UserError(
            f"--shard {shard}: with --schedule {schedule} the results of all decide who meets; "
            "leave out one of them"
        )
    if games % GAMES_A_BLOCK:
        less = games - games % GAMES_A_BLOCK
        options = f"{less} or {less + GAMES_A_BLOCK}" if less else f"{GAMES_A_BLOCK}"
        raise UserError(
            f"--games {games}: with --schedule {schedule} these are the games of a bot, in blocks "
            f"of {GAMES_A_BLOCK}; ask for {options}"
        )
    return matching
