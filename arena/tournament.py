"""Plays what a tournament still lacks: schedule x executor x store."""

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.bot import Bot
from arena.entrants import ClassEntrant, Copies, Entrant
from arena.errors import BotError
from arena.executors import Executor, Play
from arena.isolation import Choice, Level, Program, hint, readable, start
from arena.origin import Introduced, origin_of
from arena.player import Fault, InProcessPlayer, LogFiles, ProcessTransport, RemotePlayer
from arena.protocol import Introduction
from arena.records import Block, BlockRecord, Fixture, Settings
from arena.referee import play_block
from arena.rules import Rules, view
from arena.schedule import Pending, Plan, Schedule, gauntlet, round_robin
from arena.seeds import Seeds
from arena.store import Store, Tournament

_WITHOUT_PAIRINGS = ("solo", "swiss", "adaptive")


class Workplace(Struct, frozen=True):
    """What only the machine on which blocks are played knows.

    Attributes:
        bots: What plays here, by the names of the entrants: how to start it, or for a bot that
            plays in this process its class.
        isolation: The level at which bots are isolated, and what it was proved to promise here.
        logs: The folder for what they write to stderr, if it is to be kept.
    """

    bots: Mapping[str, Program | type[Bot]]
    isolation: Choice
    logs: Path | None = None

    def log_files(self, block: Block, name: str) -> LogFiles | None:
        """Return the files for what a bot writes to stderr in a block."""
        if self.logs is None:
            return None
        return LogFiles(self.logs / "+".join(block.entrants), f"{block.number}-{name}")


class BlockTask(Struct, frozen=True):
    """What is the same of all blocks of a tournament on every machine; it names no path of any.

    Attributes:
        rules: The rules to play by.
        settings: The time that bots have.
        seeds: The seeds of games that have to be played again.
    """

    rules: Rules
    settings: Settings
    seeds: Seeds

    def play(self, workplace: Workplace, block: Block) -> BlockRecord:
        """Play a block with fresh processes."""
        isolation = workplace.isolation
        players = {
            name: connect(
                workplace.bots[name],
                self.rules,
                self.settings,
                isolation.level,
                workplace.log_files(block, name),
            )
            for name in block.entrants
        }
        remote = [player for player in players.values() if isinstance(player, RemotePlayer)]
        with ExitStack() as ending:
            for player in remote:
                player.sit_with([rival for rival in remote if rival is not player])
                ending.callback(player.stop)
                player.launch()
            games, voids = play_block(block, self.rules, self.settings, players, self._redraw)
        here = [name for name in block.entrants if isinstance(workplace.bots[name], type)]
        level = _in_process(here) if here else isolation.to_json()
        said = {name: player.introduction for name, player in players.items()}
        introduced = {
            name: Introduced(one.name, one.author, one.version)
            for name, one in said.items()
            if one is not None
        }
        return BlockRecord(block, games, level, voids, origin_of(introduced))

    def _redraw(self, fixture: Fixture, attempt: int) -> tuple[int, int]:
        return self.seeds.of_game(fixture.first, fixture.second, fixture.pair, attempt)


def _in_process(names: list[str]) -> str:
    """Return as JSON how isolated a block was of which some bots play in this process: not at all.

    Its other bots are isolated as ever, but a bot in this process can do what the arena can.
    """
    return json.dumps({"level": Level.NONE.value, "promises": {}, "in_process": names})


def play_here(  # noqa: PLR0913 - what every block shares, and what only this machine knows
    rules: Rules,
    settings: Settings,
    seeds: Seeds,
    bots: Mapping[str, Program | type[Bot]],
    isolation: Choice,
    *,
    logs: Path | None = None,
) -> Play:
    """Return what plays blocks between some bots on this machine; see ``Workplace``."""
    return partial(BlockTask(rules, settings, seeds).play, Workplace(bots, isolation, logs))


@contextmanager
def copied(entrants: Iterable[Entrant], level: Level) -> Iterator[Copies]:
    """Copy bots, so that they can play from what their hashes cover; see ``Copies``.

    Raises:
        BotError: If a bot that is to read nothing but its own could read the copies of others.
    """
    entrants = list(entrants)
    with Copies(entrants) as copies:
        readers = [
            replace(one, program=bot)
            for one in entrants
            if isinstance(bot := copies.bots[one.name], Program)
        ]
        refuse_readers(readers, level, {"TMPDIR": copies.folder})
        yield copies


def connect(
    bot: Program | type[Bot],
    rules: Rules,
    settings: Settings,
    isolation: Level,
    logs: LogFiles | None = None,
) -> RemotePlayer | InProcessPlayer:
    """Return the player that a bot is; it is started when it is first needed.

    Args:
        bot: A program, or a class of bots that plays in this process.
        rules: The rules to play by.
        settings: Its time limits.
        isolation: The level to run a program at.
        logs: The files for what a program writes to stderr.
    """
    if isinstance(bot, type):
        return InProcessPlayer(bot, view(rules), settings)

    def transport() -> ProcessTransport:
        child = start(isolation, bot)
        return ProcessTransport(child, None if logs is None else logs.open(), bot.as_written)

    explain = partial(hint, program=bot.original or bot, level=isolation)
    return RemotePlayer(transport, view(rules), settings, explain)


def introduce(
    bot: Program | type[Bot],
    rules: Rules,
    settings: Settings,
    isolation: Level,
    logs: LogFiles | None = None,
) -> Introduction:
    """Start a bot for its introduction alone; see ``connect``.

    Raises:
        arena.player.Fault: If it gives none.
    """
    player = connect(bot, rules, settings, isolation, logs)
    try:
        player.start()
        assert player.introduction is not None
        return player.introduction
    finally:
        player.stop()


def introduce_all(
    players: Sequence[RemotePlayer | InProcessPlayer], at_once: int
) -> Generator[Introduction | Fault, None, None]:
    """Start bots for their introductions alone, and yield in order what comes of each.

    Args:
        players: The bots; see ``connect``.
        at_once: How many of them load at a time.
    """
    try:
        for place, player in enumerate(players):
            for one in players[place : place + at_once]:
                if isinstance(one, RemotePlayer):
                    one.launch()
            yield _introduction(player)
    finally:
        for player in players:
            player.stop()


def _introduction(player: RemotePlayer | InProcessPlayer) -> Introduction | Fault:
    try:
        player.start()
    except Fault as fault:
        return fault
    finally:
        player.stop()
    assert player.introduction is not None
    return player.introduction


def name_tournament(tournament: Tournament) -> Tournament:
    """Return a tournament with a name of its own where the user gave none.

    It is the name of its rules and a short hash of all that the games depend on, so that the
    same command finds its record again and any other begins a new one. What an older Salvo began
    is gone on with under the name that it had: the size of a block does not count, nor common
    layouts, which all tournaments had then, nor their absence where there are no solo games.
    """
    if tournament.name:
        return tournament
    digests = sorted((entrant.name, entrant.digest) for entrant in tournament.entrants)
    identity = msgspec.structs.asdict(replace(tournament, name="", entrants=()))
    del identity["block_pairs"]
    if tournament.common_layouts or tournament.kind == "match":
        del identity["common_layouts"]
    data = msgspec.json.encode([identity, digests])
    name = f"{tournament.rules.name}-{hashlib.sha256(data).hexdigest()[:6]}"
    return replace(tournament, name=name)


def make_plan(tournament: Tournament, *, games: int, layouts: int) -> Plan:
    """Return the plan of a tournament for some games per pairing and layouts per bot.

    Where bots do not all meet, results decide who does: such a plan has the solo games alone.
    """
    names = [entrant.name for entrant in tournament.entrants]
    if tournament.kind in _WITHOUT_PAIRINGS:
        pairings: tuple[tuple[str, str], ...] = ()
    elif tournament.gauntlet is not None:
        pairings = gauntlet(tournament.gauntlet, names)
    else:
        pairings = round_robin(names)
    return Plan(
        tournament=tournament.name,
        seeds=tournament.seeds,
        pairings=pairings,
        soloists=tuple(sorted(names)),
        pairs=games // 2,
        layouts=layouts,
        block_pairs=tournament.block_pairs,
    )


def run(  # noqa: PLR0913 - what is played, and on what, how isolated, into which record
    tournament: Tournament,
    schedule: Schedule,
    *,
    executor: Executor,
    isolation: Choice,
    store: Store,
    progress: Callable[[int, int], object],
    stop: Callable[[], bool] = lambda: False,
    logs: Path | None = None,
) -> None:
    """Play what the record lacks of a schedule, committing every block as it is finished.

    Args:
        tournament: What is played; it is entered in the record.
        schedule: What is played of it, block by block.
        executor: What plays the blocks.
        isolation: The level at which bots are isolated, and what it promises here.
        store: The record.
        progress: Called after each block with the games done and the most there can be.
        stop: Asked before each block; where it says yes, none is begun, and those in play are
            finished and committed.
        logs: The folder for what bots write to stderr, if it is to be kept.

    Raises:
        RecordError: If the record has another tournament of the same name.
        BotError: If the copy from which a bot plays was changed, or a bot that is to read nothing
            but its own could read the record.
    """
    refuse_readers(tournament.entrants, isolation.level, {"--db": store.path, "--log": logs})
    if tournament.kind == "league":
        store.extend(tournament)  # others may have been submitted in the meantime
    else:
        store.enter(tournament)
    pending = Pending(
        schedule,
        store.played(tournament.name),
        lambda key: store.outcomes(tournament.name, key),
    )
    progress(pending.done, schedule.most_games)
    own_logs = tournament.name.replace("/", "_").lstrip(".") or "_"
    with copied(tournament.entrants, isolation.level) as copies:
        play = play_here(
            tournament.rules,
            tournament.settings,
            schedule.seeds,
            copies.bots,
            isolation,
            logs=None if logs is None else logs / own_logs,
        )
        # Closed even on error, so that the workers stop before this process exits.
        with closing(executor.run(lambda: None if stop() else pending.take(), play)) as records:
            for record in records:
                copies.refuse_changed(record.block.entrants)
                store.add(tournament, record)
                pending.settle(record)
                progress(pending.done, schedule.most_games)


def refuse_readers(
    entrants: Iterable[Entrant], level: Level, kept: Mapping[str, Path | None]
) -> None:
    """Refuse bots that could read what is kept of games.

    The record holds the tournament's seed; from what it or another bot wrote to stderr, a bot could
    learn about other games.

    Args:
        entrants: The bots.
        level: The level at which they are isolated.
        kept: The files and folders, by the options that name them.

    Raises:
        BotError: If one could.
    """
    if level not in (Level.LITE, Level.SANDBOX):
        return  # they read everything anyway
    for entrant in entrants:
        if isinstance(entrant, ClassEntrant) or not entrant.program.argv:
            continue  # the same, or it does not play
        for option, path in kept.items():
            place = None if path is None else readable(entrant.program, path)
            if place is not None:
                what = "record" if option == "--db" else option
                raise BotError(
                    f"{what} {path}: {entrant.name} could read it, since it may read {place!r}; "
                    f"name another place with {option}, or take that out of the bot's TOML"
                )
