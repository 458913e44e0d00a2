"""Draws Swiss rounds: bots that are near in strength meet, and no two twice if possible."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from arena.records import Outcome
from arena.schedule.rounds import Pairing

TooFar = Callable[[Sequence[Sequence[Outcome]]], Sequence[Sequence[int]]]
"""Returns by how much any two bots, in the order of their names, differ more than near ones do."""

_Costs = tuple[int, int]
_Cost = Callable[[str, str], _Costs]
_NOTHING: _Costs = (0, 0)
"""The least that a pairing costs: the two are near, and have not met."""


class Swiss:
    """Draws the rounds of a Swiss tournament, one block for each bot.

    In an order that is drawn for each round, each bot meets the nearest of those it has met least
    often; then two pairs change partners as long as that makes fewer bots meet again, or nearer
    ones. All near ones are equally near: were it always the nearest, lucky bots would meet lucky
    ones, and no later game would show that it was luck. Where the number of bots is odd, the last
    of those that sat out least often sits out.

    The order is that of a hash with the tournament's name and the number of blocks so far.
    """

    def __init__(self, bots: Iterable[str], tournament: str, too_far: TooFar) -> None:
        self._bots = sorted(bots)
        self._tournament = tournament
        self._too_far = too_far

    def __call__(self, played: Sequence[Sequence[Outcome]], size: int) -> list[Pairing]:
        """Return the pairings of the next round; see ``Draw``."""
        met = Counter(_pairing(block[0]) for block in played)
        order = self._order(len(played))
        if len(order) % 2:
            games = Counter(bot for pairing in met.elements() for bot in pairing)
            most = max(games[bot] for bot in order)
            order.remove(next(bot for bot in reversed(order) if games[bot] == most))
        too_far = self._too_far(played)
        place = {bot: index for index, bot in enumerate(self._bots)}

        def cost(one: str, other: str) -> _Costs:
            return met.get(_sorted(one, other), 0), too_far[place[one]][place[other]] ** 2

        pairs = []
        while order:
            one = order.pop(0)
            pairs.append((one, order.pop(_cheapest(one, order, cost))))
        assert len(pairs) == size, "a round has a block for every two bots"
        while _improved(pairs, cost):
            pass
        return [_sorted(*pair) for pair in pairs]

    def _order(self, blocks: int) -> list[str]:
        def hashed(bot: str) -> bytes:
            text = f"{self._tournament}\0{blocks}\0{bot}"
            return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()

        return sorted(self._bots, key=hashed)


def _cheapest(one: str, others: Sequence[str], cost: _Cost) -> int:
    """Return the place of the first of the others with whom a pairing costs least."""
    costs = []
    for other in others:
        costs.append(cost(one, other))
        if costs[-1] == _NOTHING:
            break
    return costs.index(min(costs))


def _improved(pairs: list[Pairing], cost: _Cost) -> bool:
    """Let two pairs change partners where that costs less; return whether any did."""
    changed = False
    costs = [cost(*pair) for pair in pairs]
    for here, there in itertools.combinations(range(len(pairs)), 2):
        if costs[here] == costs[there] == _NOTHING:
            continue
        (a, b), (c, d) = before = (pairs[here], pairs[there])
        pairs[here], pairs[there] = min(
            before, ((a, c), (b, d)), ((a, d), (b, c)), key=lambda both: _total(both, cost)
        )
        if (pairs[here], pairs[there]) != before:
            changed = True
            costs[here], costs[there] = cost(*pairs[here]), cost(*pairs[there])
    return changed


def _total(both: tuple[Pairing, Pairing], cost: _Cost) -> tuple[int, int]:
    (met, far), (met_too, far_too) = cost(*both[0]), cost(*both[1])
    return met + met_too, far + far_too


def _pairing(game: Outcome) -> Pairing:
    assert game.second is not None
    return _sorted(game.first, game.second)


def _sorted(one: str, other: str) -> Pairing:
    return (one, other) if one < other else (other, one)
