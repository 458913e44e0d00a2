"""Plays what a tournament still lacks: schedule x executor x store."""

import hashlib
from collections.abc import Callable
from contextlib import closing

import msgspec
from msgspec import Struct

from arena.entrants import stamps
from arena.errors import BotError
from arena.executors import Executor
from arena.isolation import Choice, Level, Program, start
from arena.player import ProcessTransport, RemotePlayer
from arena.protocol import Introduction
from arena.records import Block, BlockRecord, Settings
from arena.referee import play_block
from arena.rules import Rules, view
from arena.schedule import Plan, gauntlet, missing_blocks, round_robin
from arena.store import Store, Tournament

__all__ = ["Hall", "Stage", "connect", "introduce", "make_plan", "name_tournament", "run"]


class Stage(Struct, frozen=True):
    """What a block needs to be played anywhere: rules, settings, and the programs of the bots.

    Attributes:
        rules: The rules to play by.
        settings: The time that bots have.
        isolation: The level at which they are isolated, and what it promises here.
        programs: How to start each entrant.
    """

    rules: Rules
    settings: Settings
    isolation: Choice
    programs: dict[str, Program]

    def __call__(self, block: Block) -> BlockRecord:
        """Play a block with fresh processes."""
        players = {
            name: connect(self.programs[name], self.rules, self.settings, self.isolation.level)
            for name in block.entrants
        }
        for player in players.values():
            player.sit_with([rival for rival in players.values() if rival is not player])
        games = play_block(block, self.rules, self.settings, players)
        return BlockRecord(block, games, self.isolation.to_json())


def connect(program: Program, rules: Rules, settings: Settings, isolation: Level) -> RemotePlayer:
    """Return the player that a program is; it is started when it is first needed."""
    return RemotePlayer(lambda: ProcessTransport(start(isolation, program)), view(rules), settings)


def introduce(program: Program, rules: Rules, settings: Settings, isolation: Level) -> Introduction:
    """Start a bot for its introduction alone.

    Raises:
        arena.player.Fault: If it gives none.
    """
    player = connect(program, rules, settings, isolation)
    try:
        player.start()
        assert player.introduction is not None
        return player.introduction
    finally:
        player.stop()


def name_tournament(tournament: Tournament) -> Tournament:
    """Return a tournament with a name of its own where the user gave none.

    It is the name of its rules and a short hash of all that the games depend on, so that the
    same command finds its record again and any other begins a new one.
    """
    if tournament.name:
        return tournament
    digests = sorted((entrant.name, entrant.digest) for entrant in tournament.entrants)
    identity = msgspec.structs.replace(tournament, name="", entrants=())
    data = msgspec.json.encode([identity, digests])
    name = f"{tournament.rules.name}-{hashlib.sha256(data).hexdigest()[:6]}"
    return msgspec.structs.replace(tournament, name=name)


def make_plan(tournament: Tournament, *, games: int, layouts: int) -> Plan:
    """Return the plan of a tournament for so many games a pairing and layouts a bot."""
    names = [entrant.name for entrant in tournament.entrants]
    if tournament.kind == "solo":
        pairings: tuple[tuple[str, str], ...] = ()
    elif tournament.gauntlet is not None:
        pairings = gauntlet(tournament.gauntlet, names)
    else:
        pairings = round_robin(names)
    return Plan(
        tournament=tournament.name,
        rules=tournament.rules,
        seed=tournament.seed,
        pairings=pairings,
        soloists=tuple(sorted(names)),
        pairs=games // 2,
        layouts=layouts,
    )


class Hall(Struct, frozen=True):
    """Where a tournament is played: on what, how isolated, and into which record."""

    executor: Executor
    isolation: Choice
    store: Store


def run(
    tournament: Tournament, plan: Plan, hall: Hall, progress: Callable[[int, int], object]
) -> None:
    """Play what the record lacks of a plan, committing every block as it is finished.

    Args:
        tournament: What is played; it is entered in the record.
        plan: How much of it.
        hall: Where it is played.
        progress: Told after each block how many games are done and how many are wanted.

    Raises:
        RecordError: If the record has another tournament of the same name.
        BotError: If the files of a bot were changed while it played.
    """
    if tournament.kind == "league":
        hall.store.extend(tournament)  # others may have been submitted meanwhile
    else:
        hall.store.enter(tournament)
    blocks = missing_blocks(plan, hall.store.played(tournament.name))
    wanted = len(plan.pairings) * plan.pairs * 2 + len(plan.soloists) * plan.layouts
    done = wanted - sum(len(block.fixtures) for block in blocks)
    progress(done, wanted)
    stage = Stage(
        tournament.rules,
        tournament.settings,
        hall.isolation,
        {entrant.name: entrant.program for entrant in tournament.entrants},
    )
    programs = stage.programs
    before = {name: stamps(program.files) for name, program in programs.items()}
    # Closing it at once, whatever happens here, ends the workers while this process still lives.
    with closing(hall.executor.run(blocks, stage)) as records:
        for record in records:
            for name in record.block.entrants:
                if stamps(programs[name].files) != before[name]:
                    raise BotError(
                        f"{name}: its files were changed while it played; this block is not kept, "
                        "what was played before is. Play it again as what it is now"
                    )
            hall.store.add(tournament, record)
            done += len(record.games)
            progress(done, wanted)
