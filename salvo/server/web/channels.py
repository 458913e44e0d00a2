"""Says which game is on the air: the same for all who watch, at a speed that a person can follow.

A game in play is shown as it goes on. One that goes faster than a person can follow, and one that
is over, is shown salvo by salvo; then comes the next that was not shown yet. Whoever watches asks
where it stands and plays what is known of it by itself.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

SALVO_S, LONGEST_S, PAUSE_S = 1.0, 60.0, 4.0
"""Seconds a salvo, for all salvos of a game that is over at most, and after it."""

FAST_S, BEHIND = 0.4, 2
"""Seconds a salvo of a game in play that is more salvos ahead of what is shown."""

_REMEMBERED = 500  # games that are not shown again
_LOOK_S = 1.0  # how often it is looked for another game
_QUIET_S = 60.0  # a game in play in which nothing happens for so long makes way for another
_CHANNELS = 64

Stage = Literal["in play", "over", "gone"]
"""Of a game: whether there is more to come; it is gone if its play was broken off."""


class OnAir(Struct):
    """The game on the air: how long it has been shown for, and how long a salvo is shown.

    Attributes:
        stage: Whether it is in play, over, or gone: then it was broken off.
        salvos: How many are known; of a game that is in play, no more are shown until there are.
    """

    game: str
    at_s: float
    salvo_s: float
    stage: Stage
    salvos: int


class Progress(NamedTuple):
    """How far a game is: salvos so far, whether there are more to come, and the time it took."""

    salvos: int
    stage: Stage
    took_s: float = 0.0


class Channel:
    """Shows one game after the other.

    Args:
        games: Returns the games that there are now, the one to show first first.
        progress: Returns how far a game is; None if there is no such game any more.
        salvo_s: Seconds a salvo, but no more than ``longest_s`` for a game, and then ``pause_s``.
    """

    def __init__(
        self,
        games: Callable[[], Sequence[str]],
        progress: Callable[[str], Progress | None],
        *,
        salvo_s: float = SALVO_S,
        longest_s: float = LONGEST_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._games, self._progress = games, progress
        self._each_s, self._longest_s, self._pause_s = salvo_s, longest_s, pause_s
        self._shown: deque[str] = deque(maxlen=_REMEMBERED)
        self._game: str | None = None
        self._known = Progress(0, "over")
        self._place = 0.0  # in salvos
        self._salvo_s = salvo_s
        self._as_of = self._grew = self._looked = 0.0
        self._lock = threading.Lock()

    def now(self) -> OnAir | None:
        """Return the game on the air, or the last one that was; None before the first."""
        with self._lock:
            now = time.monotonic()
            if self._game is not None:
                self._go_on(self._game, now)
            if self._game is None or self._makes_way(now):
                self._next(now)
            if self._game is None:
                return None
            at_s = self._place * self._salvo_s
            return OnAir(self._game, at_s, self._salvo_s, self._known.stage, self._known.salvos)

    def _go_on(self, game: str, now: float) -> None:
        known = self._known
        self._place += (now - self._as_of) / self._salvo_s
        self._as_of = now
        if known.stage != "in play":
            return
        self._place = min(self._place, known.salvos)
        self._known = self._progress(game) or known._replace(stage="gone")
        if self._known.salvos != known.salvos:
            self._grew = now
        self._salvo_s = self._pace()
        if self._known.stage == "gone":
            self._shown.remove(game)  # it may be played again

    def _pace(self) -> float:
        """Return how long each salvo is shown that is to come."""
        behind = self._known.salvos - self._place
        if self._known.stage == "over":
            return min(self._each_s, self._longest_s / max(1.0, behind))
        return min(self._each_s, FAST_S) if behind > BEHIND else self._each_s

    def _makes_way(self, now: float) -> bool:
        if self._known.stage == "in play":
            return self._place >= self._known.salvos and now > self._grew + _QUIET_S
        return (self._place - self._known.salvos) * self._salvo_s > self._pause_s

    def _next(self, now: float) -> None:
        if self._looked and now < self._looked + _LOOK_S:
            return
        self._looked = now
        for game in self._games():
            known = None if game in self._shown else self._progress(game)
            if known is None or not known.salvos:
                continue
            self._shown.append(game)
            self._game, self._known, self._as_of, self._grew = game, known, now, now
            self._place = 0.0
            if known.stage == "in play" and known.took_s >= known.salvos * FAST_S:
                self._place = known.salvos - 1  # it can be followed from where it stands
            self._salvo_s = self._pace()
            return


class Channels:
    """The channels that were watched last, by name."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Channel] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str, make: Callable[[], Channel]) -> Channel:
        """Return a channel, which is made for the first who watches it."""
        with self._lock:
            channel = self._kept.get(name) or make()
            self._kept[name] = channel
            self._kept.move_to_end(name)
            if len(self._kept) > _CHANNELS:
                self._kept.popitem(last=False)
            return channel
