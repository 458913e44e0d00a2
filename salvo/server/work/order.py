"""Orders the plan of a league: who used least time plays first. Pure.

The plan says what is to be played in all, and which games a block holds; the order changes
nothing about them, so that whenever the server is stopped, `salvo submit` goes on from there, and
how fast bots are decides nothing but when they play.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from arena.records import Block, BlockKey
from arena.schedule import Plan

FLOOR = 40
"""Games against others that every bot is to have before any has more."""

PROVISIONAL = 200
"""Games for which a provisional rating goes first: one that lost them all stays provisional."""

_UNKNOWN_ELO = 1500.0

Group = tuple[str, ...]

Minutes = Callable[[str], int]
"""Returns how many whole minutes the author of a bot has used so far, with all bots."""


class Known(Protocol):
    """The facts about a bot, by its name in the record."""

    def elo_of(self, bot: str) -> float | None:
        """Return its rating; None where it has none yet."""
        ...

    def is_provisional(self, bot: str) -> bool:
        """Return whether its interval is still too wide to be useful."""
        ...


class Order:
    """The blocks of a plan that are neither in the record nor in play.

    Of all blocks, the next is one whose bots are of authors who have used least time; of two
    authors, the one counts who has used more. So a slow bot makes its author wait, and not those
    whom it has yet to meet.

    Among bots of the same minute, it is a block of one with fewer games than the floor; where there
    is none, of one whose rating is provisional, for its first games; and then of the bot with the
    fewest games. It meets whom it has met least, and of those the one nearest to it in rating, from
    whom most is learned.

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
        # Who plays in the league plays alone too; in a tournament of its calendar nobody does.
        self._names = plan.soloists or tuple(sorted(self._rivals))
        self._taken: set[BlockKey] = set()
        self._blocks: Counter[Group] = Counter()
        self._met: Counter[str] = Counter()
        for key, games in played.items():
            if games >= len(self._indices(key)) * len(key[0]):
                self._take(key)
        for key in taken:
            self._take(key)

    @property
    def has_pairings(self) -> bool:
        """Whether any two bots are to meet."""
        return bool(self._rivals)

    def _of(self, group: Group) -> tuple[int, int]:
        plan = self._plan
        if len(group) == 1:
            return plan.layouts, plan.block_layouts
        return plan.pairs, plan.block_pairs

    def _is_open(self, group: Group) -> bool:
        whole, size = self._of(group)
        return self._blocks[group] < -(-whole // size)

    def _indices(self, key: BlockKey) -> range:
        """Return the pairs or layouts of a block; a shorter record of it counts for nothing."""
        group, number = key
        whole, size = self._of(group)
        return range(number * size, min((number + 1) * size, whole))

    def _take(self, key: BlockKey) -> None:
        if key in self._taken:
            return
        self._taken.add(key)
        group, _ = key
        self._blocks[group] += 1
        if len(group) > 1:
            for name in group:
                self._met[name] += 2 * self._plan.block_pairs

    def next(self, known: Known, minutes: Minutes) -> Block | None:
        """Return the next block, which from now on is taken; None if there is none."""

        def urgency(name: str) -> tuple[int, int, int, str]:
            games = self._met[name]
            if games < FLOOR:
                return used[name], 0, games, name
            first = games < PROVISIONAL and known.is_provisional(name)
            return used[name], 1 if first else 2, games, name

        used = {name: minutes(name) for name in {*self._names, *self._rivals}}
        best: tuple[int, Group] | None = None
        for name in sorted(self._names, key=urgency):
            if best is not None and best[0] <= used[name]:
                break  # nobody who comes later has a block of less
            group = self._group_of(name, known, used)
            if group is None:
                continue
            most = max(used[one] for one in group)
            if best is None or most < best[0]:
                best = most, group
        return None if best is None else self._block_of(best[1])

    def _group_of(self, name: str, known: Known, used: Mapping[str, int]) -> Group | None:
        """Return with whom a bot is to play next: alone, or with its next rival."""
        rival = self._rival(name, known, used)
        games = self._blocks[name,] * self._plan.block_layouts
        rival_waits = rival is None or used[rival] > used[name] or games <= self._met[name]
        if rival_waits and self._is_open((name,)):
            return (name,)
        return None if rival is None else (min(name, rival), max(name, rival))

    def _rival(self, name: str, known: Known, used: Mapping[str, int]) -> str | None:
        own = known.elo_of(name) or _UNKNOWN_ELO
        found = [
            (
                max(used[name], used[rival]),
                self._blocks[pairing],
                abs((known.elo_of(rival) or _UNKNOWN_ELO) - own),
                rival,
            )
            for rival in self._rivals[name]
            if self._is_open(pairing := (min(name, rival), max(name, rival)))
        ]
        return min(found)[-1] if found else None

    def _block_of(self, group: Group) -> Block:
        number = 0
        while (group, number) in self._taken:
            number += 1
        self._take((group, number))
        indices = self._indices((group, number))
        if len(group) == 1:
            return self._plan.block_of(group[0], number, indices)
        one, other = group
        return self._plan.block_of((one, other), number, indices)
