"""Finds the blocks that a schedule still has to play, given a record."""

import itertools
from collections.abc import Callable, Mapping, Sequence

from arena.records import Block, BlockKey, BlockRecord, Outcome
from arena.schedule.schedule import WAIT, Schedule


class Pending:
    """The blocks of a schedule that a record lacks, in order.

    Args:
        played: The number of games of each block in the record. One that is shorter than wanted
            is played again whole: its processes must have met all of its games in order.
        recorded: Returns the outcomes of a block in the record.

    Attributes:
        done: How many games of the schedule are in the record.
    """

    def __init__(
        self,
        schedule: Schedule,
        played: Mapping[BlockKey, int],
        recorded: Callable[[BlockKey], Sequence[Outcome]],
    ) -> None:
        self._schedule = schedule
        self._played = played
        self._recorded = recorded
        self._position = 0
        self._in_play: dict[BlockKey, int] = {}
        self._results: list[Sequence[Outcome]] = []
        self._ahead: dict[int, Sequence[Outcome]] = {}
        self.done = schedule.games_in(played)
        self._next = self._skip()

    def take(self) -> Block | None:
        """Return the next block to play; None if there is none, or none before more results."""
        block = self._next or self._skip()
        self._next = None
        if block is not None:
            self._in_play[block.key] = self._position
            self._position += 1
        return block

    def _skip(self) -> Block | None:
        while True:
            block = self._schedule.block(self._position, self._results)
            if block is None or block is WAIT:
                return None
            games = len(block.fixtures)
            if self._played.get(block.key, 0) < games:
                return block
            if self._schedule.reacts:
                self._note(self._position, self._recorded(block.key)[:games])
            self._position += 1

    def settle(self, record: BlockRecord) -> None:
        """Take in a block that was played."""
        position = self._in_play.pop(record.block.key)
        self.done += len(record.games)
        if self._schedule.reacts:
            self._note(position, record.outcomes())

    def _note(self, position: int, outcomes: Sequence[Outcome]) -> None:
        """Keep the outcomes of a block until those of all before it are there."""
        self._ahead[position] = outcomes
        while len(self._results) in self._ahead:
            self._results.append(self._ahead.pop(len(self._results)))


def sizes_of(
    schedule: Schedule, recorded: Callable[[BlockKey], Sequence[Outcome]]
) -> dict[tuple[str, ...], int]:
    """Return how many pairs of each pairing, and layouts of each soloist, a schedule came to.

    Of a block that is not in the record, ``recorded`` returns no outcomes.
    """
    sizes: dict[tuple[str, ...], int] = {}
    results: list[Sequence[Outcome]] = []
    while isinstance(block := schedule.block(len(results), results), Block):
        outcomes = recorded(block.key)
        if len(outcomes) < len(block.fixtures):
            break
        results.append(outcomes[: len(block.fixtures)])
        sizes[block.entrants] = block.fixtures[-1].pair + 1
    return sizes


def others_blocks(
    schedule: Schedule,
    played: Mapping[BlockKey, int],
    recorded: Callable[[BlockKey], Sequence[Outcome]],
) -> set[BlockKey]:
    """Return the blocks of two bots in a record that a schedule, given its results, lacks."""
    left = {key for key in played if len(key[0]) > 1}
    results: list[Sequence[Outcome]] = []
    missing = False
    for position in itertools.count():
        block = schedule.block(position, results)
        if not isinstance(block, Block):
            return left
        left.discard(block.key)
        missing |= played.get(block.key, 0) < len(block.fixtures)
        if not missing:
            results.append(recorded(block.key)[: len(block.fixtures)])
    return left
