"""Puts off the blocks of bots that wait for something outside which is not available.

A block that an outage breaks off keeps its finished games, and goes on later from the one that was
void: with fresh processes and other seeds, since a bot with the network may have left itself a
note. All of it is in the record, so that it survives any interruption.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.entrants import ClassEntrant, Entrant
from arena.records import Block, BlockKey, BlockRecord
from arena.schedule import Pending
from arena.seeds import Seeds
from arena.store import Store

OUTAGES_BEFORE_FORFEIT = 10
"""How many games of a tournament an entrant may break off; the next time is a forfeit."""


def waiting(entrants: Iterable[Entrant]) -> set[str]:
    """Return the names of those that wait for something outside, or can do what the arena can."""
    return {one.name for one in entrants if isinstance(one, ClassEntrant) or one.program.waits}


class Outages:
    """The outages of a tournament, and the blocks that they broke off.

    Attributes:
        names: The entrants that may say that there is one.
    """

    def __init__(self, store: Store, tournament: str, seeds: Seeds, names: Collection[str]) -> None:
        self._store, self._tournament, self._seeds = store, tournament, seeds
        self.names = names
        self._in_play: dict[BlockKey, tuple[Block, tuple[str, ...]]] = {}
        self._parts: dict[BlockKey, BlockRecord] = {}
        self._counts: Counter[str] = Counter()
        for part in store.outages(tournament):
            self._note(part)

    def _note(self, part: BlockRecord) -> None:
        self._parts[part.block.key] = part
        self._counts[part.voids[-1].entrant] += 1

    def in_play(self, name: str) -> int:
        """Return in how many blocks in play an entrant is."""
        return sum(name in block.entrants for block, _ in self._in_play.values())

    def may_begin(self, block: Block) -> bool:
        """Return whether a block in play would leave every entrant the outages that it has left."""
        return all(
            self._is_used_up(name)
            or self._counts[name] + self.in_play(name) < OUTAGES_BEFORE_FORFEIT
            for name in block.entrants
            if name in self.names
        )

    def _is_used_up(self, name: str) -> bool:
        return self._counts[name] >= OUTAGES_BEFORE_FORFEIT

    def begin(self, block: Block) -> Block:
        """Return what is to be played of a block: of one that was broken off, what is left."""
        excused = tuple(
            name for name in block.entrants if name in self.names and not self._is_used_up(name)
        )
        self._in_play[block.key] = block, excused
        part = self._parts.get(block.key)
        left = block.fixtures if part is None else block.fixtures[len(part.games) :]
        if part is not None and left:
            game, attempt = left[0], part.voids[-1].attempt + 1
            seeds = self._seeds.of_game(game.first, game.second, game.pair, attempt)
            left = (replace(game, seeds=seeds, attempt=attempt), *left[1:])
        return replace(block, fixtures=left, excused=excused)

    def settle(self, record: BlockRecord) -> BlockRecord:
        """Return a block with what there was of it before; if it is broken off, commit that."""
        block, _ = self._in_play.pop(record.block.key)
        part = self._parts.get(block.key)
        games, voids = record.games, record.voids
        if part is not None:
            games, voids = (*part.games, *games)[: len(block.fixtures)], (*part.voids, *voids)
        whole = with_checksum(replace(record, block=block, games=games, voids=voids))
        if whole.broken_off is not None:
            self._store.note_outage(self._tournament, whole)
            self._note(whole)
        return whole

    def drop(self, block: Block) -> None:
        """Take note that a block is not in play any more, and came to nothing."""
        self._in_play.pop(block.key, None)


class PutOff(Struct, frozen=True):
    """A block that is not played in this run, and why."""

    entrants: tuple[str, ...]
    entrant: str
    reason: str


class _Stage(Enum):
    FINE = auto()
    OUT = auto()  # its blocks come after all others
    TRIED = auto()  # one of them is in play to see whether the outage is over
    GIVEN_UP = auto()  # it was not: none of them is played in this run


class Queue:
    """The blocks that a tournament lacks; those of an entrant with an outage come last."""

    def __init__(self, pending: Pending, outages: Outages) -> None:
        self._pending, self._outages = pending, outages
        self._aside: list[Block] = []
        self._stages: defaultdict[str, _Stage] = defaultdict(lambda: _Stage.FINE)
        self._reasons: dict[str, str] = {}

    def take(self) -> Block | None:
        """Return the next block; None if there is none, at least for now."""
        while (block := self._pending.take()) is not None:
            if self._may_begin(block):
                return self._outages.begin(block)
            self._aside.append(block)
        for place, block in enumerate(self._aside):
            if self._may_begin(block, again=True):
                for name in block.entrants:
                    if self._stages[name] is _Stage.OUT:
                        self._stages[name] = _Stage.TRIED
                return self._outages.begin(self._aside.pop(place))
        return None

    def _may_begin(self, block: Block, *, again: bool = False) -> bool:
        return self._outages.may_begin(block) and all(
            self._stages[name] is _Stage.FINE
            or (again and self._stages[name] is _Stage.OUT and not self._outages.in_play(name))
            for name in block.entrants
        )

    def settle(self, record: BlockRecord) -> BlockRecord | None:
        """Return a block as it is to be committed; None if it was broken off, to be tried again."""
        whole = self._outages.settle(record)
        void = whole.broken_off
        if void is None:
            for name in whole.block.entrants:
                if self._stages[name] is _Stage.TRIED:
                    self._stages[name] = _Stage.FINE
            return whole
        tried = self._stages[void.entrant] in {_Stage.TRIED, _Stage.GIVEN_UP}
        self._stages[void.entrant] = _Stage.GIVEN_UP if tried else _Stage.OUT
        for name in whole.block.entrants:
            if self._stages[name] is _Stage.TRIED:
                self._stages[name] = _Stage.OUT  # the other one was out
        self._reasons[void.entrant] = void.reason
        self._aside.append(whole.block)
        return None

    def left(self) -> list[PutOff]:
        """Return the blocks that were put off to the end."""
        return [
            PutOff(block.entrants, name, self._reasons[name])
            for block in self._aside
            for name in block.entrants
            if self._stages[name] is _Stage.GIVEN_UP
        ]
