"""`salvo merge RECORD...`: puts the records of all shards of a tournament together."""

from pathlib import Path

import click

from arena.tournament.merging import merge as put_together
from salvo.cli.options.option_types import EXISTING_FILE
from salvo.cli.options.record_options import db_option, tournament_option
from salvo.cli.terminal.output import notify


@click.command()
@click.argument(
    "records",
    nargs=-1,
    required=True,
    metavar="RECORD...",
    type=EXISTING_FILE,
)
@db_option
@tournament_option
def merge(*, records: tuple[Path, ...], db: Path, tournament_name: str | None) -> None:
    """Put the records of all shards of a tournament together, as if one machine had played it.

    A RECORD is what `salvo tournament --shard`, `match` or `solo` wrote. All have to be there,
    played to their end, with the same bots, rules and seed; else nothing is written.
    """
    tournament, plan = put_together(records, db, tournament_name)
    notify(
        f"{len(records)} shards of tournament {tournament.name}, "
        f"{plan.most_games:,} games, are now in {db}; `salvo standings --db {db}` rates the bots"
    )
