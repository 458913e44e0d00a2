"""Puts the records of shards together into the record of the tournament that they are parts of."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from arena.errors import RecordError
from arena.records import BlockKey, BlockRecord, Shard
from arena.schedule import Plan, ShardPlan
from arena.store import Look, Store, Tournament, difference, open_whole
from arena.tournament import make_plan


class _Source(Struct, frozen=True):
    """The record of a shard."""

    path: Path
    tournament: Tournament
    shard: Shard
    played: dict[BlockKey, int]

    def __str__(self) -> str:
        return f"shard {self.shard} ({self.path})"


def merge(paths: Sequence[Path], into: Path, name: str | None = None) -> tuple[Tournament, Plan]:
    """Put the records of all shards together, everything or nothing; return what was asked for.

    The record that is written may hold an earlier, smaller merge of the same tournament. Without a
    name, the newest tournament of each record is taken.

    Raises:
        RecordError: If they do not belong together, one is missing, or one has not been played to
            its end; the message says which.
    """
    for path in paths:
        if path.resolve() == into.resolve():
            raise RecordError(
                f"--db {into}: it is one of the records to be merged; name another file"
            )
    sources = [_read(path, name) for path in paths]
    first, *others = sources
    for other in others:
        _refuse_stranger(first, other)
    _refuse_incomplete_set(sources)
    plan = make_plan(first.tournament, games=first.shard.games, layouts=first.shard.layouts)
    for source in sources:
        _refuse_unfinished(source, plan)
    with open_whole(into) as store:
        store.enter(first.tournament)
        store.add_all(first.tournament, _blocks(sources, plan))
        if plan.pairs:
            # Whoever adds games later is told so, as where all was played on one machine.
            store.note_look(first.tournament.name, Look(plan.pairs))
    return first.tournament, plan


def _read(path: Path, name: str | None) -> _Source:
    with Store(path, create=False) as store:
        store.check()
        tournament = store.tournament(name)
        shard = store.shard(tournament.name)
        if shard is None:
            raise RecordError(
                f"record {path}: its tournament '{tournament.name}' was not played with --shard; "
                "leave it out"
            )
        return _Source(path, tournament, shard, store.played(tournament.name))


def _refuse_stranger(first: _Source, other: _Source) -> None:
    mine, theirs = first.tournament, other.tournament
    reason = difference(mine, theirs, "{} and {}")
    for what, one, another in (
        ("the tournament's name", mine.name, theirs.name),
        ("the number of shards", first.shard.of, other.shard.of),
        ("--games", first.shard.games, other.shard.games),
        ("--layouts", first.shard.layouts, other.shard.layouts),
    ):
        if reason is None and one != another:
            reason = f"{what}: {one} and {another}"
    if reason is not None:
        raise RecordError(
            f"records {first.path} and {other.path} do not belong together; they differ in {reason}"
        )


def _refuse_incomplete_set(sources: Sequence[_Source]) -> None:
    """Refuse records in which a shard is missing, or is there twice."""
    of = sources[0].shard.of
    numbers = Counter(source.shard.number for source in sources)
    twice = next((number for number, times in numbers.items() if times > 1), None)
    if twice is not None:
        paths = " and ".join(str(source.path) for source in sources if source.shard.number == twice)
        raise RecordError(f"shard {twice}/{of} is there more than once, in {paths}; leave one out")
    missing = [number for number in range(1, of + 1) if number not in numbers]
    if missing:
        which = f"shard{'s' * (len(missing) > 1)} {numbers_in_words(missing)} of {of}"
        rest = (
            "are missing; name their records" if len(missing) > 1 else "is missing; name its record"
        )
        raise RecordError(f"{which} {rest} too")


def numbers_in_words(numbers: Iterable[int]) -> str:
    """Return ascending numbers in words, such as "1, 4 to 9, 12"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    words = {1: "{0}", 2: "{0} to {1}"}
    return ", ".join(words[len(run)].format(*run) for run in runs)


def _refuse_unfinished(source: _Source, plan: Plan) -> None:
    shard = ShardPlan(plan, source.shard)
    done = shard.games_in(source.played)
    if done < shard.most_games:
        raise RecordError(
            f"{source} has {done:,} of its {shard.most_games:,} games; run its command again, "
            "which plays the others"
        )


def _blocks(sources: Iterable[_Source], plan: Plan) -> Iterator[BlockRecord]:
    for source in sources:
        keys = (block.key for block in ShardPlan(plan, source.shard).blocks())
        with Store(source.path, create=False) as store:
            yield from store.blocks(source.tournament.name, keys)
