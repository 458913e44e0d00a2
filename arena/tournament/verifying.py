"""Plays blocks of a record again, and compares the games."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import Entrant, Terms, enter
from arena.errors import BotError
from arena.executors import Executor, Play
from arena.isolation import USUAL_MB
from arena.records import BlockRecord, Game, Step, comparable
from arena.seeds import DERIVATION, Seeds
from arena.store import Tournament

_SHOWN = 60
"""Characters of a value that differs."""


class Compared(Struct, frozen=True):
    """A block that was played again.

    Attributes:
        differences: In what games differ from it, one line each.
        interrupted: Whether a game was interrupted in either run, by a kill from outside or for
            want of a processor: such games are played on other seeds, and nothing is compared.
    """

    record: BlockRecord
    differences: tuple[str, ...] = ()
    interrupted: bool = False


def play_again(
    records: Iterable[BlockRecord], tournament: Tournament, executor: Executor, play: Play
) -> Generator[Compared, None, None]:
    """Play blocks again, and yield each as it is finished, compared with its record."""
    by_key = {}
    for record in records:
        if record.voids:
            yield Compared(record, interrupted=True)
        else:
            by_key[record.block.key] = record
    blocks = iter([record.block for record in by_key.values()])
    with closing(executor.run(lambda: next(blocks, None), play)) as again:
        for now in again:
            then = by_key[now.block.key]
            if now.voids:
                yield Compared(then, interrupted=True)
            else:
                yield Compared(then, tuple(compare(then, now, tournament)))


def seeds_of(tournament: Tournament) -> Seeds:
    """Return what the seeds of a tournament's games derive from; a league keeps that secret."""
    return tournament.seeds if _derives(tournament) else Seeds(0, tournament.rules)


def _derives(tournament: Tournament) -> bool:
    # In a league they derive from a secret, and each game against a person has seeds of its own.
    return (
        tournament.kind not in {"league", "planned", "play"} and tournament.derivation == DERIVATION
    )


def compare(then: BlockRecord, now: BlockRecord, tournament: Tournament) -> Iterator[str]:
    """Yield a line for each game in which two runs of a block differ."""
    seeds = seeds_of(tournament)
    known = _derives(tournament)
    for was, is_ in zip(then.games, now.games, strict=True):
        fixture = was.fixture
        game = f"game {fixture.id} of {' and '.join(then.block.entrants)}"
        derived = seeds.of_game(fixture.first, fixture.second, fixture.pair, fixture.attempt)
        if known and derived != fixture.seeds:
            yield f"{game}: its seeds do not derive from the tournament's"
        elif comparable(was) != comparable(is_):
            yield f"{game}: {_first_difference(was, is_)}"


def _first_difference(was: Game, is_: Game) -> str:
    """Return in words where two runs of a game part."""
    if was.layouts == is_.layouts:
        for number, (one, other) in enumerate(zip(was.steps, is_.steps, strict=False), 1):
            before, after = _untimed(one), _untimed(other)
            if before != after:
                return f"answer {number} was {_show(before)}, and is {_show(after)}"
    # What ended a game early says more than that it has fewer answers.
    for field in ("layouts", "termination", "reason", "result", "tallies"):
        one, other = getattr(was, field), getattr(is_, field)
        if one != other:
            return f"{field}: {_show(one)} in the record, {_show(other)} now"
    return f"answers: {len(was.steps)} in the record, {len(is_.steps)} now"


def _untimed(step: Step) -> str:
    *parts, _charge = msgspec.to_builtins(step)
    return " ".join(map(str, parts))


def _show(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def find_again(
    entrant: Entrant, named: Sequence[str], bundled: Mapping[str, Path]
) -> Entrant | None:
    """Return a bot of a record as it is on this machine, or None if no bot here has its content.

    Its paths are of the machine that it played on; ``named`` are words that name it here, if the
    user gave any.
    """
    program = entrant.program
    terms = Terms(
        max_memory_mb=max(USUAL_MB, program.memory_mb),
        processes=program.processes,
        max_temporary_mb=program.temporary_mb,
        grants=program.grants,
        network=program.network,
    )
    for words in [list(named)] if named else _guesses(entrant, bundled):
        with suppress(BotError):
            # In a league names have versions, as no name that is entered.
            found = enter("found", words, bundled, terms)
            if found.digest == entrant.digest:
                return replace(found, name=entrant.name)
    return None


def _guesses(entrant: Entrant, bundled: Mapping[str, Path]) -> Iterator[list[str]]:
    """Yield what may name a bot: a bundled name, where it was, and its command."""
    argv, files = entrant.program.argv, entrant.program.files
    own = Path(files[0]) if files else None
    at = [place for place, word in enumerate(argv) if own and Path(word).is_relative_to(own)]
    options = list(argv[at[0] + 1 :]) if at else []
    if own is not None:
        for name in (entrant.name, own.stem):
            if name in bundled:
                yield [name, *options]
        yield [str(own), *options]
        yield [str(own)]  # its TOML may have the options
    if argv:
        yield list(argv)
