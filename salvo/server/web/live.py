"""Sends what happens as server-sent events: to all who follow, each once and in order."""

import asyncio
import itertools
import logging
import sqlite3
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path

from salvo.server.database.server_database import Database, Event
from salvo.server.web.signals import Signal, wait_for

_log = logging.getLogger(__name__)

_KEPT = 1000
_LOOK_S = 0.25

RETRY_MS = 2000


class Live:
    """Reads events from the database and passes them on.

    There are no queues: each stream has a place in the one list of events, and asks for those after
    it. One that is too far behind is told to read the page again. ``rated`` changes when the
    leaderboards do.
    """

    def __init__(self, league: Path) -> None:
        self._league = league
        self._events: deque[Event] = deque(maxlen=_KEPT)
        self._news = Signal()
        self._forgotten = 0
        self._last = 0
        self.rated = 0

    async def follow(self) -> None:
        """Read events as they come, for ever."""
        with Database(self._league) as db:
            self._last = self._forgotten = self.rated = db.last_event()
            while True:
                try:
                    found = db.events_after(self._last)
                except sqlite3.OperationalError:  # somebody has it to themselves for a moment
                    _log.warning("events could not be read; it is tried again")
                    found = []
                if found:
                    self._take(found)
                await asyncio.sleep(_LOOK_S)

    def _take(self, found: list[Event]) -> None:
        for event in found:
            if len(self._events) == _KEPT:
                self._forgotten = self._events[0].id
            self._events.append(event)
            if event.kind == "board":
                self.rated = event.id
        self._last = found[-1].id
        self._news.give()

    async def stream(self, last: int | None) -> AsyncIterator[str]:
        """Yield the events after one, or from now on, as the browser wants them."""
        place = self._last if last is None else last
        yield f"retry: {RETRY_MS}\n\n"
        while True:
            news = self._news.next()
            if place < self._forgotten or place > self._last:
                place = self._last
                yield f"id: {place}\nevent: reset\ndata: {{}}\n\n"
            if found := self._after(place):
                place = found[-1].id
                yield "".join(
                    f"id: {one.id}\nevent: {one.kind}\ndata: {one.data}\n\n" for one in found
                )
                continue
            if comment := await wait_for(news):
                yield comment

    def _after(self, place: int) -> list[Event]:
        newest = itertools.takewhile(lambda event: event.id > place, reversed(self._events))
        return list(newest)[::-1]
