"""Compares the games of two records, shot by shot."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from msgspec import Struct

from arena.records import Game, comparable
from arena.store import Store

_SHOWN = 5


class Differences(Struct, frozen=True):
    """The number of games, and those whose layouts, shots or answers differ: who played each."""

    games: int
    differing: dict[str, tuple[str, ...]]

    def lines(self) -> Iterator[str]:
        """Yield some of the games that differ, and how many there are of each bot."""
        for game, bots in islice(self.differing.items(), _SHOWN):
            yield f"differs: game {game}, {' against '.join(bots)}"
        if self.differing:
            of_bots = Counter(bot for bots in self.differing.values() for bot in bots)
            told = ", ".join(f"{games} of {bot}" for bot, games in of_bots.most_common())
            yield f"games that differ: {told}"


def compare_records(one: Path, other: Path) -> Differences:
    """Return how the games of two records of one tournament each differ, those missing included.

    Games are the same if they have the same id and differ in nothing but times and stderr.
    """
    games = _games(one), _games(other)
    players = _players(*games)
    differing = {
        name: tuple(bots)
        for name, bots in players.items()
        if len({comparable(of[name]) for of in games if name in of}) > 1
        or not all(name in of for of in games)
    }
    return Differences(len(players), differing)


def _games(record: Path) -> dict[str, Game]:
    with Store(record, create=False) as store:
        return {game.fixture.id: game for game in store.games(store.tournament().name)}


def _players(*records: Mapping[str, Game]) -> dict[str, list[str]]:
    return {name: list(game.fixture.seats.values()) for of in records for name, game in of.items()}
