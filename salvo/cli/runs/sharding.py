"""`--shard 3/40`: plays one part of what a command plays, into a record of its own."""

import dataclasses
import re

import click
from click.core import ParameterSource
from msgspec.structs import replace

from arena.errors import RecordError, UserError
from arena.records import Shard
from arena.schedule import Plan, ShardPlan
from arena.store import Store, Tournament
from salvo.cli.options.option_types import Parsed
from salvo.cli.options.run_options import RunOptions
from salvo.cli.runs.forfeits import exit_if_unplayed
from salvo.cli.terminal.output import notify

_PART = re.compile(r"(?P<number>\d{1,6})/(?P<of>\d{1,6})")
_TABLES = ("format_", "table", "report_path", "prior", "anchor", "without_forfeits", "adjusted")
"""The parameters that say how tables come out, of which a part of the games has none."""


def _shard(text: str) -> Shard:
    found = _PART.fullmatch(text)
    if found is None or not 1 <= int(found["number"]) <= int(found["of"]):
        raise ValueError(
            f"{text!r} names no shard; give its number and how many there are, such as 3/40"
        )
    return Shard(int(found["number"]), int(found["of"]))


shard_option = click.option(
    "--shard",
    type=Parsed("number/all", _shard),
    metavar="NUMBER/ALL",
    help="Play this part alone, such as 3/40, into a record of its own; `salvo merge` puts all "
    "parts together.",
)


def own_record(run: RunOptions, shard: Shard | None) -> RunOptions:
    """Return the options of a command, with a record named after its shard if none was named.

    Raises:
        UserError: If an option was given that shapes tables.
    """
    if shard is None:
        return run
    context = click.get_current_context()
    given = [
        param
        for param in context.command.params
        if context.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
    ]
    for param in given:
        if param.name in _TABLES:
            raise UserError(
                f"{param.opts[0]}: a shard prints no tables and writes no report; leave that out, "
                "and give it to `salvo standings` or `salvo report` after `salvo merge`"
            )
    if any(param.name == "db" for param in given):
        return run
    number = f"{shard.number:0{len(str(shard.of))}}"
    return dataclasses.replace(
        run, db=run.db.with_name(f"{run.db.stem}-{number}-of-{shard.of}{run.db.suffix}")
    )


def play_shard(tournament: Tournament, plan: Plan, shard: Shard, run: RunOptions) -> None:
    """Play a shard of a plan, and report where its games are.

    Raises:
        RecordError: If the record holds anything else of the tournament.
        click.exceptions.Exit: If it was stopped, or every game of a match was a forfeit.
    """
    from salvo.cli.runs.running import play

    with Store(run.db, create=True) as store:
        tournament = store.resumed(tournament)
        own = ShardPlan(replace(plan, block_pairs=tournament.block_pairs), shard)
        store.enter(tournament)
        _note(store, tournament, replace(shard, games=2 * plan.pairs, layouts=plan.layouts))
        if run.cluster is None and own.count < run.workers:
            notify(_too_little(own, run.workers))
        missed = play(tournament, own, run, store)
    notify(
        f"shard {shard} of tournament {tournament.name}: its {own.most_games:,} games are in "
        f"{run.db}; `salvo merge` puts the records of all {shard.of} together"
    )
    exit_if_unplayed(missed)


def _too_little(own: ShardPlan, workers: int) -> str:
    """Return a warning that a shard has not enough blocks for its workers, with what would do."""
    [blocks] = _counts(own.plan, 1)
    if not own.count:
        return (
            f"shard {own.shard} has nothing to play: there are only {blocks} blocks of games; "
            "`salvo merge` takes its empty record with the others"
        )
    most = blocks // workers
    while most and min(_counts(own.plan, most)) < workers:
        most -= 1
    fix = "ask for more games"
    if most:
        fix = "play without --shard" if most == 1 else f"divide into {most} or fewer"
    return (
        f"shard {own.shard} has {own.count} block{'s' * (own.count > 1)} of games for {workers} "
        f"workers, so that some have nothing to play; {fix}"
    )


def _counts(plan: Plan, of: int) -> list[int]:
    return [ShardPlan(plan, Shard(number, of)).count for number in range(1, of + 1)]


def _note(store: Store, tournament: Tournament, shard: Shard) -> None:
    """Commit which shard the record is to hold."""
    before = store.shard(tournament.name) or shard
    if before is shard and store.played(tournament.name):
        there = "games that were played without --shard"
    elif str(before) != str(shard):
        there = f"shard {before}"
    else:
        # What was played stays, so a smaller number than before asks for nothing less.
        games, layouts = max(before.games, shard.games), max(before.layouts, shard.layouts)
        store.note_shard(tournament.name, replace(shard, games=games, layouts=layouts))
        return
    raise RecordError(
        f"record {store.path}: of tournament '{tournament.name}' it holds {there}; name another "
        "file with --db"
    )
