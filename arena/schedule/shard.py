"""Divides a plan among machines that play it without knowing of one another."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from arena.records import Block, BlockKey, Outcome, Shard
from arena.schedule.plan import Plan
from arena.seeds import Seeds


class _Share(Struct, frozen=True):
    """The blocks of one shard, among those that all pairings, or all soloists, play in turn.

    The blocks are dealt out in the order of the plan, and after each round, in which every group
    has come to every shard that it can come to, by one further: a pairing of slow bots is not left
    to one shard alone. Raising the number of blocks moves none to another shard.

    Attributes:
        index: Which shard, from 0.
        of: How many shards there are.
        groups: How many pairings or soloists.
    """

    index: int
    of: int
    groups: int

    def position(self, number: int) -> int:
        """Return the place in the whole of one of its blocks."""
        round_, inside = divmod(number, self._round // self.of)
        return round_ * self._round + inside * self.of + (self.index - round_) % self.of

    def count(self, positions: int) -> int:
        """Return how many of the first places of the whole are its own."""
        round_, inside = divmod(positions, self._round)
        first = (self.index - round_) % self.of
        return round_ * (self._round // self.of) + max(0, -((first - inside) // self.of))

    def has(self, position: int) -> bool:
        """Return whether a place in the whole is its own."""
        return self.count(position + 1) > self.count(position)

    @property
    def _round(self) -> int:
        return math.lcm(max(1, self.groups), self.of)


class _Family(Struct, frozen=True):
    """The blocks of one shard, among those of all pairings or all soloists.

    Attributes:
        start: The place in the plan of the first block of them all.
        rounds: How many blocks each group plays.
        share: Which of the blocks are the shard's own.
        games: The games of a block, but for the last of each group.
        last: The games of the last block of each group.
    """

    start: int
    rounds: int
    share: _Share
    games: int
    last: int

    @property
    def blocks(self) -> int:
        """How many blocks are the shard's own."""
        return self.share.count(self.share.groups * self.rounds)

    @property
    def most_games(self) -> int:
        """How many games these come to."""
        before = self.share.count(self.share.groups * max(0, self.rounds - 1))
        return before * self.games + (self.blocks - before) * self.last


class ShardPlan(Struct, frozen=True):
    """The blocks of a plan that one machine plays; all shards together are the plan.

    Attributes:
        plan: The whole.
        shard: Which part of it.
    """

    plan: Plan
    shard: Shard

    @property
    def seeds(self) -> Seeds:
        """The seeds of its games: those of the plan."""
        return self.plan.seeds

    @property
    def reacts(self) -> bool:
        """Return False: no result changes it."""
        return False

    @property
    def most_games(self) -> int:
        """How many games it comes to."""
        return self._alone.most_games + self._in_pairs.most_games

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        """Return how many of its games a record holds; see ``Schedule``."""
        there = {entrants for entrants, _ in played}
        places: dict[tuple[str, ...], tuple[_Share, int]] = {
            (name,): (self._alone.share, place) for place, name in enumerate(self.plan.soloists)
        }
        share = self._in_pairs.share
        for place, group in enumerate(self.plan.pairings if there else ()):
            if group in there:
                places[group] = (share, place)
        own = {}
        for (entrants, number), games in played.items():
            if entrants in places:
                share, place = places[entrants]
                if share.has(number * share.groups + place):
                    own[entrants, number] = games
        return self.plan.games_in(own)

    def block(self, position: int, results: Sequence[Sequence[Outcome]] = ()) -> Block | None:
        """Return the block at a position; see ``Schedule``. No result changes it."""
        del results
        for family in (self._alone, self._in_pairs):
            if position < family.blocks:
                return self.plan.block(family.start + family.share.position(position))
            position -= family.blocks
        return None

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks in order."""
        for position in itertools.count():
            block = self.block(position)
            if block is None:
                return
            yield block

    @property
    def _alone(self) -> _Family:
        share = _Share(self.shard.number - 1, self.shard.of, len(self.plan.soloists))
        size = self.plan.block_layouts
        rounds = -(-self.plan.layouts // size)
        last = self.plan.layouts - (rounds - 1) * size
        return _Family(0, rounds, share, size, last)

    @property
    def _in_pairs(self) -> _Family:
        # Dealt out from the last shard to the first, so that those that get one solo block more
        # get one less of these.
        share = _Share(self.shard.of - self.shard.number, self.shard.of, len(self.plan.pairings))
        size = self.plan.block_pairs
        rounds = -(-self.plan.pairs // size)
        last = self.plan.pairs - (rounds - 1) * size
        start = self._alone.rounds * len(self.plan.soloists)
        return _Family(start, rounds, share, 2 * size, 2 * last)
