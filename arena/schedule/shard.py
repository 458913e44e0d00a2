"""Divides a plan among machines that play it without knowing of one another."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from arena.records import Block, BlockKey, Outcome, Shard
from arena.schedule.plan import Plan
from arena.seeds import Seeds


class _Family(Struct, frozen=True):
    """The blocks of one shard, among those that all pairings, or all soloists, play in turn.

    The blocks are dealt out in the order of the plan, and after each round, in which every group
    has come to every shard that it can come to, by one further: a pairing of slow bots is not left
    to one shard alone. Raising the number of blocks moves none to another shard.
    """

    index: int  # which shard, from 0
    of: int
    groups: int
    start: int  # the place in the plan of the first block of them all
    whole: int  # how many pairs or layouts each group plays
    size: int  # how many of them a block has, but for the last of each group
    each: int

    @property
    def _round(self) -> int:
        return math.lcm(max(1, self.groups), self.of)

    def position(self, number: int) -> int:
        """Return the place in the plan of one of the shard's blocks."""
        round_, inside = divmod(number, self._round // self.of)
        place = round_ * self._round + inside * self.of + (self.index - round_) % self.of
        return self.start + place

    def count(self, positions: int) -> int:
        """Return how many of the first blocks of all groups are the shard's own."""
        round_, inside = divmod(positions, self._round)
        first = (self.index - round_) % self.of
        return round_ * (self._round // self.of) + max(0, -((first - inside) // self.of))

    def has(self, position: int) -> bool:
        return self.count(position + 1) > self.count(position)

    @property
    def rounds(self) -> int:
        return -(-self.whole // self.size)

    @property
    def blocks(self) -> int:
        return self.count(self.groups * self.rounds)

    @property
    def most_games(self) -> int:
        before = self.count(self.groups * max(0, self.rounds - 1))
        last = self.whole - (self.rounds - 1) * self.size
        return self.each * (before * self.size + (self.blocks - before) * last)


class ShardPlan(Struct, frozen=True):
    """The blocks of a plan that one machine plays; all shards together are the plan."""

    plan: Plan
    shard: Shard

    reacts: ClassVar = False

    @property
    def seeds(self) -> Seeds:
        """The seeds of its games: those of the plan."""
        return self.plan.seeds

    @property
    def most_games(self) -> int:
        """The number of its games."""
        return self._alone.most_games + self._in_pairs.most_games

    @property
    def count(self) -> int:
        """The number of its blocks."""
        return self._alone.blocks + self._in_pairs.blocks

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        """Return how many of its games a record holds; see ``Schedule``."""
        there = {entrants for entrants, _ in played}
        places: dict[tuple[str, ...], tuple[_Family, int]] = {
            (name,): (self._alone, place) for place, name in enumerate(self.plan.soloists)
        }
        family = self._in_pairs
        for place, group in enumerate(self.plan.pairings if there else ()):
            if group in there:
                places[group] = (family, place)
        own = {}
        for (entrants, number), games in played.items():
            if entrants in places:
                family, place = places[entrants]
                if family.has(number * family.groups + place):
                    own[entrants, number] = games
        return self.plan.games_in(own)

    def block(self, position: int, results: Sequence[Sequence[Outcome]] = ()) -> Block | None:
        """Return the block at a position; see ``Schedule``. No result changes it."""
        del results
        for family in (self._alone, self._in_pairs):
            if position < family.blocks:
                return self.plan.block(family.position(position))
            position -= family.blocks
        return None

    def blocks(self) -> Iterator[Block]:
        """Return all blocks in order."""
        positions = itertools.count()
        return iter(lambda: self.block(next(positions)), None)

    @property
    def _alone(self) -> _Family:
        plan, shard = self.plan, self.shard
        groups = len(plan.soloists)
        return _Family(
            shard.number - 1, shard.of, groups, 0, plan.layouts, plan.block_layouts, each=1
        )

    @property
    def _in_pairs(self) -> _Family:
        # Dealt out from the last shard to the first, so that those that get one solo block more
        # get one less of these.
        plan, shard, alone = self.plan, self.shard, self._alone
        start, groups = alone.rounds * alone.groups, len(plan.pairings)
        return _Family(
            shard.of - shard.number, shard.of, groups, start, plan.pairs, plan.block_pairs, each=2
        )
