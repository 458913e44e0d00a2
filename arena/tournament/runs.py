"""Plays what a tournament still lacks: schedule x executor x store."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.entrants import ClassEntrant, Copies, Entrant
from arena.errors import BotError
from arena.executors import Executor
from arena.isolation import Choice, Level, Program, readable
from arena.records import BlockRecord
from arena.schedule import Pending, Plan, Schedule, gauntlet, round_robin
from arena.store import Store, Tournament
from arena.tournament.block_task import play_here
from arena.tournament.outages import Outages, PutOff, Queue, waiting

_WITHOUT_PAIRINGS = ("solo", "swiss", "adaptive")


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
    played: Callable[[BlockRecord], object] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    logs: Path | None = None,
) -> list[PutOff]:
    """Play what the record lacks of a schedule, committing every block as it is finished.

    ``played`` is called with each block that was committed, and then ``progress`` with the games
    done and the most there can be. ``stop`` is asked before each block; where it says yes, none is
    begun, and those in play are finished and committed. ``logs`` is the folder for what bots write
    to stderr, if it is to be kept.

    Returns:
        The blocks that were put off, since what a bot needs from outside was not available.

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
        schedule, store.played(tournament.name), lambda key: store.outcomes(tournament.name, key)
    )
    names = waiting(tournament.entrants)
    queue = Queue(pending, Outages(store, tournament.name, schedule.seeds, names))
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
        with closing(executor.run(lambda: None if stop() else queue.take(), play)) as records:
            for record in records:
                copies.refuse_changed(record.block.entrants)
                whole = queue.settle(record)
                if whole is None:
                    continue
                store.add(tournament, whole)
                pending.settle(whole)
                played(whole)
                progress(pending.done, schedule.most_games)
    return queue.left()


def refuse_readers(
    entrants: Iterable[Entrant], level: Level, kept: Mapping[str, Path | None]
) -> None:
    """Refuse bots that could read what is kept of games: files and folders, by their options.

    The record holds the tournament's seed; from what it or another bot wrote to stderr, a bot could
    learn about other games.

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
