"""Draws Swiss rounds: bots with about the same score meet, and no two twice if possible."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from arena.records import Outcome
from arena.schedule.rounds import Pairing

_Cost = Callable[[str, str], tuple[int, int]]


class Swiss:
    """Draws the rounds of a Swiss tournament, one block for each bot.

    Bots are ordered by their points a game, those with equal ones by the points of their opponents.
    From the top, each meets the nearest of those it has met least often; then two pairs change
    partners as long as that makes fewer bots meet again, or nearer ones. Before the first round all
    are equal, and their order is that of a hash with the tournament's name. Where their number is
    odd, the last of those that sat out least often sits out.
    """

    def __init__(self, bots: Iterable[str], tournament: str) -> None:
        def hashed(bot: str) -> bytes:
            return hashlib.sha256(
                f"{tournament}\0{bot}".encode("utf-8", "surrogateescape")
            ).digest()

        self._bots = sorted(bots, key=hashed)

    def __call__(self, played: Sequence[Sequence[Outcome]], size: int) -> list[Pairing]:
        """Return the pairings of the next round; see ``Draw``."""
        met = Counter(_pairing(block[0]) for block in played)
        order = self._order(played)
        if len(order) % 2:
            games = Counter(bot for pairing in met.elements() for bot in pairing)
            most = max(games[bot] for bot in order)
            order.remove(next(bot for bot in reversed(order) if games[bot] == most))
        place = {bot: index for index, bot in enumerate(order)}

        def cost(one: str, other: str) -> tuple[int, int]:
            return met[_sorted(one, other)], abs(place[one] - place[other]) ** 2

        pairs = []
        while order:
            one = order.pop(0)
            other = min(order, key=lambda bot: cost(one, bot))
            order.remove(other)
            pairs.append((one, other))
        assert len(pairs) == size, "a round has a block for every two bots"
        while _improved(pairs, cost):
            pass
        return [_sorted(*pair) for pair in pairs]

    def _order(self, played: Sequence[Sequence[Outcome]]) -> list[str]:
        points, games = Counter[str](), Counter[str]()
        opponents: dict[str, list[str]] = {bot: [] for bot in self._bots}
        for block in played:
            one, other = _pairing(block[0])
            opponents[one].append(other)
            opponents[other].append(one)
            for game in block:
                assert game.second is not None
                halves = {"first": (2, 0), "second": (0, 2), "draw": (1, 1)}[game.result]
                for bot, half in zip((game.first, game.second), halves, strict=True):
                    points[bot] += half
                    games[bot] += 2

        def score(bot: str) -> float:
            return points[bot] / games[bot] if games[bot] else 0.5

        def strength_of_opponents(bot: str) -> float:
            met = opponents[bot]
            return sum(map(score, met)) / len(met) if met else 0.5

        keys = {bot: (-score(bot), -strength_of_opponents(bot)) for bot in self._bots}
        return sorted(self._bots, key=lambda bot: keys[bot])


def _improved(pairs: list[Pairing], cost: _Cost) -> bool:
    """Let two pairs change partners where that costs less; return whether any did."""
    changed = False
    for here, there in itertools.combinations(range(len(pairs)), 2):
        (a, b), (c, d) = before = (pairs[here], pairs[there])
        pairs[here], pairs[there] = min(
            before, ((a, c), (b, d)), ((a, d), (b, c)), key=lambda both: _total(both, cost)
        )
        changed |= (pairs[here], pairs[there]) != before
    return changed


def _total(both: tuple[Pairing, Pairing], cost: _Cost) -> tuple[int, int]:
    (met, far), (met_too, far_too) = cost(*both[0]), cost(*both[1])
    return met + met_too, far + far_too


def _pairing(game: Outcome) -> Pairing:
    assert game.second is not None
    return _sorted(game.first, game.second)


def _sorted(one: str, other: str) -> Pairing:
    return (one, other) if one < other else (other, one)
