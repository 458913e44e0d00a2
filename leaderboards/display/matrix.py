"""Tabulates who beats whom: points in 100 games, with the games behind each cell."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from leaderboards.display.figures import LOSS_TO_WIN
from leaderboards.elo.ratings import Ratings

MOST_BESIDE = 7  # bots up to which the table needs no more than half of a wide page


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell of the table: the score of one bot against another."""

    points: str
    games: int
    sure: bool  # whether the bot of the row is surely better than that of the column
    colour: str
    title: str  # the score in words


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of the scores of every bot against every other."""

    bots: Sequence[str]
    ranks: Sequence[int]  # those of the table, which bots may share
    # The cells of each bot against each; None where two never met.
    rows: Sequence[Sequence[MatrixCell | None]]
    games: int | None  # how many games stand behind every cell; None where that differs

    @property
    def wide(self) -> bool:
        """Return whether it needs more than half of a wide page."""
        return len(self.bots) > MOST_BESIDE

    @property
    def caption(self) -> str:
        """Return the words above the table."""
        behind = (
            "the number of games below" if self.games is None else f"{self.games:,} games a cell"
        )
        return (
            f"Who beats whom: points in 100 games, row against column ({behind}; bold: surely "
            "better, 95% at once)"
        )


def matrix_of(ratings: Ratings) -> Matrix:
    """Return who beats whom."""
    bots = [str(bot) for bot in ratings.table["bot"]]
    met = {
        (row["bot"], row["opponent"]): _cell(row, ratings.sure)
        for row in ratings.pairings.to_dict("records")
    }
    games = {cell.games for cell in met.values()}
    return Matrix(
        bots,
        ratings.table["rank"].tolist(),
        [[met.get((bot, other)) for other in bots] for bot in bots],
        games.pop() if len(games) == 1 else None,
    )


def _cell(row: Mapping[Hashable, Any], surely_better: pd.DataFrame) -> MatrixCell:
    sure = bool(surely_better.loc[row["bot"], row["opponent"]])
    drawn = f", drew {row['draws']}" if row["draws"] else ""
    games = f"{row['games']} game{'' if row['games'] == 1 else 's'}"
    predicted = (
        "" if row["predicted"] != row["predicted"] else f"; {row['predicted']:.1%} predicted"
    )
    return MatrixCell(
        points=f"{100 * row['score']:.0f}",
        games=int(row["games"]),
        sure=sure,
        colour=_mixed(row["score"]),
        title=f"{row['bot']} against {row['opponent']}: won {row['wins']}{drawn}, lost "
        f"{row['losses']} of {games}, {row['score']:.1%} of the points{predicted}"
        f"{'; surely better (95%)' if sure else ''}",
    )


def _mixed(share: float) -> str:
    half, place = divmod(2 * share, 1) if share < 1 else (1, 1.0)
    low, high = (_parts(colour) for colour in LOSS_TO_WIN[int(half) : int(half) + 2])
    mixed = [round(one + place * (two - one)) for one, two in zip(low, high, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _parts(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
