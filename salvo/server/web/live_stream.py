"""Sends the salvos of games in play to all who watch: one task looks, however many there are."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from anyio import to_thread

from salvo.server.web.channels import OnAir
from salvo.server.web.signals import Signal, wait_for

_LOOK_S = 0.25

_STREAM_S = 120.0
"""The browser asks again after so long, and whether it may is then found out anew."""

_log = logging.getLogger(__name__)


class Airing(NamedTuple):
    """The game on the air; if it is in play, also its salvos so far, as JSON."""

    on_air: OnAir
    salvos: list[str]


class LiveStream:
    """Sends salvos as server-sent events. Use it in the event loop alone.

    There are no queues: each who watches has a place in the one list of salvos, and is sent those
    after it. Nobody looks while nobody watches.

    Args:
        read: Returns what is on the air of a channel; called in a thread.
    """

    def __init__(self, read: Callable[[str], Airing | None]) -> None:
        self._read = read
        self._watchers: Counter[str] = Counter()
        self._found: dict[str, Airing | None] = {}
        self._changed = Signal()
        self._looking: asyncio.Task[None] | None = None

    async def of(self, channel: str, game: str, place: int) -> AsyncIterator[str]:
        """Yield the salvos of a game after the first so many.

        It ends when the game is not in play any more, or is played anew.
        """
        yield "retry: 1000\n\n"
        self._watchers[channel] += 1
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        ends = time.monotonic() + _STREAM_S
        try:
            while time.monotonic() < ends:
                changed, found = self._changed.next(), self._found.get(channel)
                if found is not None:
                    if not _goes_on(found, game, place):
                        yield "event: next\ndata: {}\n\n"
                        return
                    if len(found.salvos) > place:
                        yield _event(found, place)
                        place = len(found.salvos)
                if comment := await wait_for(changed):
                    yield comment
        finally:
            self._watchers[channel] -= 1
            if not self._watchers[channel]:
                del self._watchers[channel]
                self._found.pop(channel, None)

    async def _look(self) -> None:
        try:
            while self._watchers:
                found = await to_thread.run_sync(self._read_all, list(self._watchers))
                news = {
                    channel: one
                    for channel, one in found.items()
                    if channel in self._watchers and _differ(one, self._found.get(channel))
                }
                if news:
                    self._found |= news
                    self._changed.give()
                await asyncio.sleep(_LOOK_S)
        finally:
            self._looking = None

    def _read_all(self, channels: Sequence[str]) -> dict[str, Airing | None]:
        found: dict[str, Airing | None] = {}
        for channel in channels:
            try:
                found[channel] = self._read(channel)
            except Exception:  # noqa: BLE001 - whatever fails, those who watch wait for what comes
                _log.exception("what is on the air could not be read")
                found[channel] = None
        return found


def _differ(one: Airing | None, other: Airing | None) -> bool:
    if one is None or other is None:
        return one is not other
    before, now = other.on_air, one.on_air
    return (before.game, before.stage, len(other.salvos)) != (now.game, now.stage, len(one.salvos))


def _goes_on(found: Airing, game: str, place: int) -> bool:
    """Return whether what is on the air is what somebody watches who has so many salvos of it."""
    now = found.on_air
    return now.game == game and now.stage == "in play" and now.salvos >= place


def _event(found: Airing, place: int) -> str:
    now = found.on_air
    told = f'"from":{place},"at_s":{now.at_s:.3f},"salvo_s":{now.salvo_s:.3f}'
    return f'data: {{{told},"salvos":[{",".join(found.salvos[place:])}]}}\n\n'
