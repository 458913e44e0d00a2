"""Plans a fixed number of games per pairing and of layouts per bot."""

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.records import LAYOUTS_PER_BLOCK, PAIRS_PER_BLOCK, Block, BlockKey, Fixture, Outcome
from arena.seeds import Seeds


def round_robin(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return every pairing of some names."""
    return tuple(itertools.combinations(sorted(names), 2))


def gauntlet(challenger: str, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairings of one name with each of the others."""
    return tuple(
        (min(challenger, name), max(challenger, name))
        for name in sorted(names)
        if name != challenger
    )


class Plan(Struct, frozen=True, kw_only=True):
    """A schedule of fixed size: the solo blocks first, then the pairings side by side.

    Which games a block holds does not depend on how many are asked for, except that the last
    block of a pairing may be cut short.
    """

    tournament: str  # its name, which the ids of its games depend on
    seeds: Seeds
    pairings: tuple[tuple[str, str], ...]  # who meets whom, each pairing in the order of the names
    soloists: tuple[str, ...]
    pairs: int
    layouts: int
    block_pairs: int = PAIRS_PER_BLOCK
    block_layouts: int = LAYOUTS_PER_BLOCK

    reacts: ClassVar = False

    def without(self, names: AbstractSet[str]) -> Self:
        """Return the plan without the games of some entrants."""
        return replace(
            self,
            pairings=tuple(both for both in self.pairings if names.isdisjoint(both)),
            soloists=tuple(name for name in self.soloists if name not in names),
        )

    @property
    def most_games(self) -> int:
        """The number of its games."""
        return len(self.pairings) * self.pairs * 2 + len(self.soloists) * self.layouts

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        """Return how many of its games a record holds; see ``Schedule``."""
        # Of what was played alone: a plan of a million pairings is begun at once.
        there = {entrants for entrants, _ in played}
        whole: dict[tuple[str, ...], tuple[int, int, int]] = {
            (name,): (self.layouts, self.block_layouts, 1) for name in self.soloists
        }
        both = (pairing for pairing in self.pairings if pairing in there) if there else ()
        whole |= dict.fromkeys(both, (self.pairs, self.block_pairs, 2))
        held = 0
        for (entrants, number), games in played.items():
            wanted, size, games_each = whole.get(entrants, (0, 1, 1))
            wanted = games_each * max(0, min(size, wanted - number * size))
            held += wanted if games >= wanted else 0
        return held

    def block(self, position: int, results: Sequence[Sequence[Outcome]] = ()) -> Block | None:
        """Return the block at a position; see ``Schedule``. No result changes it."""
        del results
        for groups, whole, size in (
            (self.soloists, self.layouts, self.block_layouts),
            (self.pairings, self.pairs, self.block_pairs),
        ):
            blocks = len(groups) * -(-whole // size)
            if position < blocks:
                number, group = divmod(position, len(groups))
                start = number * size
                return self.block_of(groups[group], number, range(start, min(start + size, whole)))
            position -= blocks
        return None

    def blocks(self) -> Iterator[Block]:
        """Return all blocks in order."""
        positions = itertools.count()
        return iter(lambda: self.block(next(positions)), None)

    def block_of(self, group: str | tuple[str, str], number: int, indices: range) -> Block:
        """Return a block of some pairs of a pairing, or of some layouts of a soloist."""
        entrants: tuple[str, ...]
        seats: tuple[tuple[str, str | None], ...]
        if isinstance(group, str):
            entrants, seats = (group,), ((group, None),)
        else:
            entrants, seats = group, (group, group[::-1])
        fixtures = (
            Fixture(
                _game_id(self.tournament, *filter(None, (first, second)), str(pair)),
                first,
                second,
                pair,
                self.seeds.of_game(first, second, pair),
            )
            for pair in indices
            for first, second in seats
        )
        return Block(entrants, number, tuple(fixtures))


def _game_id(*parts: str) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]
