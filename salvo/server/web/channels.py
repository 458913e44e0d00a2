"""Says which game is on the air: the same for all who watch, at a speed that a person can follow.

Bots play a game in a fraction of a second. Each is shown once it is in the record, salvo by salvo;
then comes the newest that was not shown yet. Whoever watches asks where it stands and plays it by
itself: the server sends each game once to each watcher, and nothing in between.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

from msgspec import Struct

SALVO_S, LONGEST_S, PAUSE_S = 1.0, 60.0, 4.0
"""Seconds a salvo, for all salvos of a game at most, and after it."""

_REMEMBERED = 500  # games that are not shown again
_LOOK_S = 1.0  # how often it is looked for another game
_CHANNELS = 64


class OnAir(Struct):
    """The game on the air: how long it has been shown for, and how long a salvo is shown."""

    game: str
    at_s: float
    salvo_s: float


class Channel:
    """Shows one game after the other.

    Args:
        games: Returns the games that there are now, the one to show first first.
        salvos: Returns how many salvos a game has.
        salvo_s: Seconds a salvo, but no more than ``longest_s`` for a game, and then ``pause_s``.
    """

    def __init__(
        self,
        games: Callable[[], Sequence[str]],
        salvos: Callable[[str], int],
        *,
        salvo_s: float = SALVO_S,
        longest_s: float = LONGEST_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._games, self._salvos = games, salvos
        self._each_s, self._longest_s, self._pause_s = salvo_s, longest_s, pause_s
        self._shown: deque[str] = deque(maxlen=_REMEMBERED)
        self._began = self._looked = self._lasts_s = 0.0
        self._salvo_s = SALVO_S
        self._lock = threading.Lock()

    def now(self) -> OnAir | None:
        """Return the game on the air, or the last one that was; None before the first."""
        with self._lock:
            at_s = time.monotonic() - self._began
            if (not self._shown or at_s > self._lasts_s) and self._next():
                at_s = 0.0
            return OnAir(self._shown[-1], at_s, self._salvo_s) if self._shown else None

    def _next(self) -> bool:
        now = time.monotonic()
        if self._looked and now < self._looked + _LOOK_S:
            return False
        self._looked = now
        for game in self._games():
            if game not in self._shown and (salvos := self._salvos(game)):
                self._shown.append(game)
                self._salvo_s = min(self._each_s, self._longest_s / salvos)
                self._began, self._lasts_s = now, salvos * self._salvo_s + self._pause_s
                return True
        return False


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
