"""Counts the games of a run while it is played, and shows them as a small table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from arena.records import BlockRecord, Game
from arena.rules import Result, Seat
from arena.store import RESULT_COLUMNS

_MOST_BOTS = 20


@dataclass
class _Score:
    """The games of one bot: against others, and alone."""

    won: int = 0
    lost: int = 0
    games: int = 0
    alone: int = 0
    turns_alone: int = 0

    @property
    def share(self) -> float:
        """The share of games won, a draw being half a win."""
        return (self.won + (self.games - self.won - self.lost) / 2) / max(self.games, 1)

    @property
    def mean_turns(self) -> float:
        """The mean turns to sink a fleet, playing alone."""
        return self.turns_alone / self.alone if self.alone else float("inf")


class SoFar:
    """The games won and lost so far, and the turns alone, of each bot."""

    def __init__(self, names: Iterable[str]) -> None:
        self._scores = {name: _Score() for name in names}

    def add_results(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Count games of a record, given its ``RESULT_COLUMNS``."""
        places = [
            RESULT_COLUMNS.index(one)
            for one in ("first", "second", "result", "forfeit", "first_turns")
        ]
        for row in rows:
            self._count(*(row[place] for place in places))

    def add(self, record: BlockRecord) -> None:
        """Count the games of a block that was played."""
        for game in record.games:
            self._count_game(game)

    def _count_game(self, game: Game) -> None:
        fixture = game.fixture
        turns = game.tallies[0].turns
        self._count(fixture.first, fixture.second, game.result, game.forfeit, turns)

    def _count(
        self, first: str, second: str | None, result: Result, forfeit: Seat | None, turns: int
    ) -> None:
        scores = self._scores
        if second is None:
            score = scores.get(first)
            if score is not None and forfeit is None:
                score.alone += 1
                score.turns_alone += turns
            return
        for name, seat in ((first, "first"), (second, "second")):
            if (score := scores.get(name)) is not None:
                score.games += 1
                score.won += result == seat
                score.lost += result not in (seat, "draw")

    def lines(self, most: int) -> list[str]:
        """Return the table, about so many lines: the best bots first, and how many more."""
        room = min(most - 1, _MOST_BOTS)
        if room < 1:
            return []
        order = sorted(self._scores.items(), key=lambda item: (_rank(item[1]), item[0]))
        places: dict[tuple[float, float], int] = {}
        for place, (_, score) in enumerate(order, start=1):
            places.setdefault(_rank(score), place)
        shown = order if len(order) <= room else order[: max(1, room - 1)]
        played = any(score.games for score in self._scores.values())
        alone = any(score.alone for score in self._scores.values())
        rows = [
            (f"{places[_rank(score)]}", name, *_cells(score, played=played, alone=alone))
            for name, score in shown
        ]
        heads = (*("won", "lost", "share") * played, *("turns alone",) * alone)
        table = _aligned([("#", "bot, so far", *heads), *rows])
        rest = len(order) - len(shown)
        return [*table, f"and {rest:,} more"] if rest else table


def _rank(score: _Score) -> tuple[float, float]:
    """Return what bots are ordered by: the share of games won, or else the turns alone."""
    return (-score.share, 0.0) if score.games else (0.0, score.mean_turns)


def _cells(score: _Score, *, played: bool, alone: bool) -> Iterator[str]:
    if played:
        yield from (f"{score.won:,}", f"{score.lost:,}")
        yield f"{score.share:.0%}" if score.games else "-"
    if alone:
        yield f"{score.mean_turns:.2f}" if score.alone else "-"


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Return rows as lines, their second cells aligned left and the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place == 1 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
