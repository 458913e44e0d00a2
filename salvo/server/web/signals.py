"""Wakes all streams that wait for news, and keeps them open while there is none."""

import asyncio

_COMMENT_S = 15.0
"""A line is sent so often even if nothing happens, which tells that the other side is there."""

_COMMENT = ": nothing new\n\n"


class Signal:
    """Something that happens again and again. Use it in the event loop alone."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def give(self) -> None:
        """Wake all who wait for the next time."""
        given, self._next = self._next, asyncio.Event()
        given.set()

    def next(self) -> asyncio.Event:
        """Return the next time it happens; take it before you look whether it has happened."""
        return self._next


async def wait_for(news: asyncio.Event) -> str:
    """Return "" once there are news, or a comment to be sent where that takes long."""
    try:
        async with asyncio.timeout(_COMMENT_S):
            await news.wait()
    except TimeoutError:
        return _COMMENT
    return ""
