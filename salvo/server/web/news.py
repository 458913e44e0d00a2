"""Tells those who follow a game that something happened in it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from salvo.server.database.human_games import HumanGames
from salvo.server.web.signals import Signal, wait_for

_LOOK_S = 0.02


class News:
    """Follows the games of people. Use it in the event loop alone.

    One task looks for all who follow, and only while somebody does.
    """

    def __init__(self, league: Path) -> None:
        self._league = league
        self._followers = 0
        self._changed = Signal()
        self._looking: asyncio.Task[None] | None = None

    async def of(self, game: str) -> AsyncIterator[str]:
        """Yield the number of a game now, and whenever it has grown; end when it is gone."""
        yield "retry: 1000\n\n"
        self._followers += 1
        last = -1
        try:
            with HumanGames(self._league) as games:
                while True:
                    if self._looking is None:
                        self._looking = asyncio.create_task(self._look())
                    changed = self._changed.next()
                    number = games.number_of(game)
                    if number is None:
                        yield "event: gone\ndata: 0\n\n"
                        return
                    if number != last:
                        last = number
                        yield f"data: {number}\n\n"
                        continue
                    if comment := await wait_for(changed):
                        yield comment
        finally:
            self._followers -= 1

    async def _look(self) -> None:
        try:
            with HumanGames(self._league) as games:
                seen = games.changes()
                while self._followers:
                    changes = games.changes()
                    if changes != seen:
                        seen = changes
                        self._changed.give()
                    await asyncio.sleep(_LOOK_S)
        finally:
            self._looking = None  # who still follows, if it failed, begins it anew
