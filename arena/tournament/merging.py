"""Puts the records of shards together into the record of the tournament that they are parts of."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from arena.errors import RecordError
from arena.records import BlockRecord, Shard
from arena.schedule import Plan, ShardPlan
from arena.store import Store, Tournament, difference
from arena.tournament import make_plan


class _Source(Struct, frozen=True):
    """The record of a shard."""

    store: Store
    tournament: Tournament
    shard: Shard

    def __str__(self) -> str:
        return f"shard {self.shard} ({self.store.path})"


def merge(paths: Sequence[Path], into: Path, name: str | None = None) -> tuple[Tournament, Plan]:
    """Put the records of all shards together, everything or nothing; return what was asked for.

    The record that is written may hold an earlier, smaller merge of the same tournament. Without a
    name, the newest tournament of each record is taken.

    Raises:
        RecordError: If they do not belong together, one is missing, or one has not been played to
            its end; the message says which.
    """
    with ExitStack() as stack:
        for path in paths:
            if path.resolve() == into.resolve():
                raise RecordError(
                    f"--db {into}: it is one of the records to be merged; name another file"
                )
        stores = [stack.enter_context(Store(path, create=False)) for path in paths]
        sources = [_opened(store, name) for store in stores]
        first, *others = sources
        for other in others:
            _refuse_stranger(first, other)
        _refuse_incomplete_set(sources)
        plan = make_plan(first.tournament, games=first.shard.games, layouts=first.shard.layouts)
        for source in sources:
            _refuse_unfinished(source, plan)
        store = stack.enter_context(Store(into, create=True))
        store.enter(first.tournament)
        store.add_all(first.tournament, _blocks(sources, plan))
    return first.tournament, plan


def _opened(store: Store, name: str | None) -> _Source:
    tournament = store.tournament(name)
    shard = store.shard(tournament.name)
    if shard is None:
        raise RecordError(
            f"record {store.path}: its tournament '{tournament.name}' was not played with --shard; "
            "leave it out"
        )
    return _Source(store, tournament, shard)


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
            f"records {first.store.path} and {other.store.path} do not belong together; they "
            f"differ in {reason}"
        )


def _refuse_incomplete_set(sources: Sequence[_Source]) -> None:
    """Refuse records in which a shard is missing, or is there twice."""
    of = sources[0].shard.of
    numbers = Counter(source.shard.number for source in sources)
    twice = next((number for number, times in numbers.items() if times > 1), None)
    if twice is not None:
        paths = " and ".join(
            str(source.store.path) for source in sources if source.shard.number == twice
        )
        raise RecordError(f"shard {twice}/{of} is there more than once, in {paths}; leave one out")
    missing = [number for number in range(1, of + 1) if number not in numbers]
    if missing:
        which = f"shard{'s' * (len(missing) > 1)} {numbers_in_words(missing)} of {of}"
        are = "are" if len(missing) > 1 else "is"
        raise RecordError(f"{which} {are} missing; name their records too")


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
    done = shard.games_in(source.store.played(source.tournament.name))
    if done < shard.most_games:
        raise RecordError(
            f"{source} has {done:,} of its {shard.most_games:,} games; run its command again, "
            "which plays the others"
        )


def _blocks(sources: Iterable[_Source], plan: Plan) -> Iterator[BlockRecord]:
    for source in sources:
        keys = (b.key for b in ShardPlan(plan, source.shard).blocks())
        yield from source.store.blocks(source.tournament.name, keys)
