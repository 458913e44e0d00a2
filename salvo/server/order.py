"""In which order the plan of a league is played: those first about whom least is known. Pure.

The plan says what is to be played in all, and which games a block holds; the order changes
nothing about them, so that whenever the server is stopped, `salvo submit` goes on from there.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import Protocol

from arena.records import Block, BlockKey
from arena.schedule import LAYOUTS_PER_BLOCK, PAIRS_PER_BLOCK, Plan

__all__ = ["FLOOR", "PROVISIONAL", "Known", "Order"]

FLOOR = 40
"""Games against others that every bot is to have before any has more: two blocks."""

PROVISIONAL = 200
"""Games for which a provisional rating goes first: one that lost them all stays provisional."""

_UNKNOWN_ELO = 1500.0

Group = tuple[str, ...]


class Known(Protocol):
    """What is known of a bot by its name in the record."""

    def elo_of(self, bot: str) -> float | None:
        """Return its rating; None where it has none yet."""
        ...

    def is_provisional(self, bot: str) -> bool:
        """Return whether its interval is still too wide to be useful."""
        ...


class Order:
    """The blocks of a plan that are neither in the record nor in play.

    The next block is that of a bot with fewer games than the floor; where there is none, of one
    whose rating is provisional, for its first games; and then of the bot with the fewest games. It
    meets whom it has met least, and of those the one nearest to it in rating, from whom most is
    learned.

    Args:
        plan: What is to be played in all.
        played: How many games of each block the record holds.
        taken: What else is not to be given out: in play, or given up.
    """

    def __init__(
        self, plan: Plan, played: Mapping[BlockKey, int], taken: Collection[BlockKey] = ()
    ) -> None:
        self._plan = plan
        self._rivals: dict[str, list[str]] = defaultdict(list)
        for one, other in plan.pairings:
            self._rivals[one].append(other)
            self._rivals[other].append(one)
        self._taken: set[BlockKey] = set()
        self._blocks: Counter[Group] = Counter()
        self._met: Counter[str] = Counter()
        for key, games in played.items():
            if games >= self._size(key):
                self._take(key)
        for key in taken:
            self._take(key)

    def _most(self, group: Group) -> int:
        """Return how many blocks of a pairing, or of a bot alone, the plan has."""
        if len(group) == 1:
            return -(-self._plan.layouts // LAYOUTS_PER_BLOCK)
        return -(-self._plan.pairs // PAIRS_PER_BLOCK)

    def _size(self, key: BlockKey) -> int:
        """Return how many games a block has; a shorter record of it counts for nothing."""
        group, number = key
        if len(group) == 1:
            return min(LAYOUTS_PER_BLOCK, self._plan.layouts - number * LAYOUTS_PER_BLOCK)
        return 2 * min(PAIRS_PER_BLOCK, self._plan.pairs - number * PAIRS_PER_BLOCK)

    def _take(self, key: BlockKey) -> None:
        if key in self._taken:
            return
        self._taken.add(key)
        group, _ = key
        self._blocks[group] += 1
        if len(group) > 1:
            for name in group:
                self._met[name] += 2 * PAIRS_PER_BLOCK

    def next(self, known: Known) -> Block | None:
        """Return the next block, which from now on is taken; None if there is none."""

        def urgency(name: str) -> tuple[int, int, str]:
            games = self._met[name]
            if games < FLOOR:
                return 0, games, name
            first = games < PROVISIONAL and known.is_provisional(name)
            return 1 if first else 2, games, name

        for name in sorted(self._plan.soloists, key=urgency):
            block = self._block_of(name, known)
            if block is not None:
                self._take((block.entrants, block.number))
                return block
        return None

    def _block_of(self, name: str, known: Known) -> Block | None:
        alone, met = self._blocks[name,], self._met[name] // (2 * PAIRS_PER_BLOCK)
        rival = self._rival(name, known)
        if alone < self._most((name,)) and (rival is None or 2 * alone <= met):
            number = self._free((name,))
            start = number * LAYOUTS_PER_BLOCK
            end = min(start + LAYOUTS_PER_BLOCK, self._plan.layouts)
            return self._plan.block_of(name, number, range(start, end))
        if rival is None:
            return None
        pairing = (min(name, rival), max(name, rival))
        number = self._free(pairing)
        start = number * PAIRS_PER_BLOCK
        end = min(start + PAIRS_PER_BLOCK, self._plan.pairs)
        return self._plan.block_of(pairing, number, range(start, end))

    def _rival(self, name: str, known: Known) -> str | None:
        own = known.elo_of(name) or _UNKNOWN_ELO
        found = [
            (met, abs((known.elo_of(rival) or _UNKNOWN_ELO) - own), rival)
            for rival in self._rivals[name]
            if (met := self._blocks[min(name, rival), max(name, rival)]) < self._most((name, rival))
        ]
        return min(found)[2] if found else None

    def _free(self, group: Group) -> int:
        number = 0
        while (group, number) in self._taken:
            number += 1
        return number
