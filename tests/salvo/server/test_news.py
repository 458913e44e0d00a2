"""Those who follow a game hear of it, also after a look has failed."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Self

import pytest

from salvo.server.web.news import News


class Games:
    """Games of people of which one grows by a salvo whenever it is looked at."""

    looks = 0

    def __init__(self, _league: Path) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None: ...

    def number_of(self, _game: str) -> int:
        """Return how far the game is."""
        return max(Games.looks - 2, 0)

    def changes(self) -> int:
        """Return how much has changed; the first look fails."""
        Games.looks += 1
        if Games.looks == 1:
            raise sqlite3.OperationalError("disk I/O error")
        return Games.looks


def test_a_look_that_failed_is_begun_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("salvo.server.web.news.HumanGames", Games)
    monkeypatch.setattr("salvo.server.web.signals._COMMENT_S", 0.01)

    async def heard() -> list[str]:
        found = []
        async for told in News(tmp_path).of("game"):
            found.append(told)
            if told.startswith("data: ") and told != "data: 0\n\n":
                return found
        return found

    told = asyncio.run(asyncio.wait_for(heard(), 60))
    assert told[:2] == ["retry: 1000\n\n", "data: 0\n\n"]
    assert told[-1].startswith("data: ")
