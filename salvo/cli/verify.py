"""`salvo verify RECORD`: plays a sample of a record again, and compares."""

import math
import random
import re
import secrets
import shlex
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import click
from msgspec.structs import replace

from arena.entrants import Entrant, split_bot
from arena.errors import BotError, RecordError
from arena.executors import Cluster, Executor, LocalWorkers
from arena.league import Storage
from arena.records import BlockKey
from arena.store import Store, Tournament, is_forgotten
from arena.text import first_few
from arena.tournament import copied, play_here
from arena.tournament.remote_block import payload_of
from arena.tournament.verifying import find_again, play_again, seeds_of
from salvo.bundled import bundled_bots
from salvo.cli.options.option_types import EXISTING_FILE, Parsed, WholeRange
from salvo.cli.options.record_options import tournament_option
from salvo.cli.options.run_options import (
    choose_level,
    cluster_option,
    isolation_option,
    workers_option,
)
from salvo.cli.terminal.output import notify

_DIFFERS = 1
_TOLD = "they had the network, or secrets"
_GONE = "their data were deleted"
_SEED_BITS = 32
_SHARE = re.compile(r"(\d{1,3}(?:\.\d+)?)%")


def _share(text: str) -> float:
    found = _SHARE.fullmatch(text)
    share = float(found.group(1)) / 100 if found else 0.0
    if not 0 < share <= 1:
        raise ValueError(
            f"{text!r} is not a percentage; write one above 0% and up to 100%, such as 5%"
        )
    return share


@click.command()
@click.argument("record", type=EXISTING_FILE)
@click.argument("bots", nargs=-1, metavar="[NAME=BOT]...")
@click.option(
    "--sample",
    type=Parsed("percent", _share),
    default="1%",
    show_default=True,
    help="How much of the blocks of games to play again; one at least.",
)
@click.option(
    "--seed",
    type=WholeRange(min=0),
    help="Which blocks: the same seed draws the same.  [default: drawn, and named]",
)
@tournament_option
@cluster_option
@workers_option
@isolation_option
def verify(  # noqa: PLR0913 - one parameter an option
    *,
    record: Path,
    bots: tuple[str, ...],
    sample: float,
    seed: int | None,
    tournament_name: str | None,
    cluster: str | None,
    workers: int,
    isolation: str,
) -> None:
    """Play a sample of a record's games again, and compare all but the time that answers took.

    Before that all of the record is compared with its checksums.

    Bots are looked for by their content where the record says, and among the bundled ones; NAME=BOT
    says where one is now. The exit code is 1 if a game came out otherwise.
    """
    seed = secrets.randbits(_SEED_BITS) if seed is None else seed
    with ExitStack() as stack:
        store = stack.enter_context(Store(record, create=False))
        store.check()
        tournament = store.tournament(tournament_name)
        deque(store.each_game(tournament.name), maxlen=0)  # compares all with their checksums
        blocks = sorted(store.played(tournament.name))
        if not blocks:
            raise RecordError(f"record {record}: it holds no game of '{tournament.name}'")
        told = {one.name for one in tournament.entrants if one.program.waits or one.program.secrets}
        gone = {one.name for one in tournament.entrants if is_forgotten(one)}
        blocks = [block for block in blocks if (told | gone).isdisjoint(block[0])]
        for names, why in ((told, _TOLD), (gone, _GONE)):
            if names:
                notify(f"games of {first_few(sorted(names))} cannot be played again: {why}")
        if not blocks:
            raise RecordError(f"record {record}: it holds no other games of '{tournament.name}'")
        drawn = random.Random(seed).sample(blocks, math.ceil(sample * len(blocks)))
        seeds, level = seeds_of(tournament), choose_level(isolation)
        there = replace(tournament, entrants=tuple(_found(tournament, drawn, bots, record)))
        copies = stack.enter_context(copied(there.entrants, level.level))
        play = play_here(there.rules, there.settings, seeds, copies.bots, level)
        executor: Executor = LocalWorkers(workers)
        if cluster is not None:
            executor = Cluster(cluster, payload_of(there, seeds, level.level), workers)
        records = store.blocks(tournament.name, drawn)
        games = differing = interrupted = 0
        for block in stack.enter_context(closing(play_again(records, tournament, executor, play))):
            interrupted += block.interrupted
            games += 0 if block.interrupted else len(block.record.games)
            differing += len(block.differences)
            for line in block.differences:
                click.echo(line)
    if interrupted:
        notify(
            f"{interrupted:,} of the blocks had games that were interrupted, and so are played on "
            "other seeds: nothing is compared there"
        )
    outcome = f"{differing:,} of them differ" if differing else "all of them are the same"
    click.echo(
        f"all games are as their checksums say; {games:,} games in {len(drawn) - interrupted:,} of "
        f"{len(blocks):,} blocks were played again; {outcome} (--seed {seed} draws the same blocks)"
    )
    if differing:
        raise click.exceptions.Exit(_DIFFERS)


def _found(
    tournament: Tournament, drawn: Sequence[BlockKey], bots: Sequence[str], record: Path
) -> list[Entrant]:
    """Return the bots of some blocks as they are on this machine."""
    named = {}
    entered = {entrant.name: entrant for entrant in tournament.entrants}
    for text in bots:
        name, words = split_bot(text)
        if name not in entered:
            raise BotError(
                f"{text!r}: no bot called {name!r} plays in the record; write NAME=BOT with one of "
                f"{', '.join(sorted(entered))}"
            )
        named[name] = words
    found = []
    copies = Storage(record.resolve().parent / "bots")
    for name in sorted({name for entrants, _ in drawn for name in entrants}):
        copies.unpack(entered[name].digest)  # if this is the record of a league that packed it
        entrant = find_again(entered[name], named.get(name, ()), bundled_bots())
        if entrant is None:
            which = f"{shlex.join(named[name])} is not" if name in named else "no bot here is"
            raise BotError(
                f"bot {name}: {which} the version that played (SHA-256 "
                f"{entered[name].digest[:12]}); say where it is, as in `salvo verify {record} "
                f"{name}=PATH`, and use the Salvo that played it"
            )
        found.append(entrant)
    return found
