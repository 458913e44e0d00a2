"""`salvo solo`: plays each bot alone, against layouts of the arena."""

import click

from arena.records import Shard
from arena.store import Store
from arena.tournament import make_plan
from salvo.cli.options.bot_arguments import bot_argument
from salvo.cli.options.run_options import RunOptions, run_options
from salvo.cli.runs.adjusting import adjusted_option, refuse_unadjusted, work_out_luck
from salvo.cli.runs.forfeits import exit_if_unplayed
from salvo.cli.runs.game_counts import Amount, common_layouts_option, layouts_option
from salvo.cli.runs.sharding import own_record, play_shard, shard_option


@click.command()
@bot_argument("bots", nargs=-1, metavar="[BOT]...")
@layouts_option
@common_layouts_option
@adjusted_option
@shard_option
@run_options
def solo(
    *,
    bots: tuple[str, ...],
    layouts: int | None,
    adjusted: bool,
    shard: Shard | None,
    run: RunOptions,
) -> None:
    """Let each bot shoot alone at layouts of its own, and count its turns to sink the fleet.

    Without any BOT, the default field plays.
    """
    from salvo.cli.runs.running import enter, play
    from salvo.playing.recording import make_tournament

    run = own_record(run, shard)
    if adjusted:
        refuse_unadjusted(run.rules)
    field = enter(bots, run)
    entered = make_tournament("solo", field.entrants, run)
    amount = Amount.of(0, layouts, named=bool(bots))
    plan = make_plan(entered, games=amount.games, layouts=amount.layouts)
    if shard is not None:
        play_shard(entered, plan, shard, run)
        return
    with Store(run.db, create=True) as store:
        missed = play(entered, plan, run, store)
        from salvo.reports.standings.standing import Standing  # only now, as in `salvo tournament`

        if adjusted:
            work_out_luck(store, entered, run.workers)
        standing = Standing(store, entered, plan, notes=field.notes(run.rules))
    click.echo(standing.text(run.format_, run.table))
    exit_if_unplayed(missed)
