"""Describes the spread of the shots of solo games: a histogram for each bot, and its quartiles.

A histogram draws nothing where no game was: smoothed densities end in slopes that no game is under.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from leaderboards.inputs import checked_solo

_MOST_BINS = 28


@dataclass(frozen=True, slots=True)
class Spread:
    """The shots that one bot took, game by game."""

    bot: str
    # Where each bin begins; it holds this many whole numbers of shots.
    starts: npt.NDArray[np.int64]
    width: int  # how many numbers of shots a bin holds
    # The share of the games in each bin; the first and the last hold some.
    shares: npt.NDArray[np.float64]
    # The fewest shots, a quarter, half and three quarters of the games, and the most.
    quartiles: tuple[float, float, float, float, float]


def spreads(solo: pd.DataFrame, bots: Sequence[str]) -> list[Spread]:
    """Return how the shots of some bots spread, all in bins of one width.

    Raises:
        LeaderboardError: If the table breaks the contract.
    """
    checked = checked_solo(solo)
    shots = {
        str(bot): games["shots"].to_numpy(dtype=np.int64)
        for bot, games in checked.groupby("bot", sort=True)
    }
    step = _step(checked)
    everything = checked["shots"].to_numpy(dtype=np.int64)
    width = step * max(1, -(-int(np.ptp(everything)) // (step * _MOST_BINS)))
    return [_spread(bot, shots[bot], width) for bot in bots]


def spread_cells(found: Sequence[Spread]) -> list[dict[str, str]]:
    """Return the quartiles of each bot as text by head, for a person to read."""
    heads = ("fewest", "a quarter took", "half took", "three quarters took", "most")
    return [
        {
            "bot": spread.bot,
            **{
                f"{head} up to" if head.endswith("took") else head: f"{shots:g}"
                for head, shots in zip(heads, spread.quartiles, strict=True)
            },
        }
        for spread in found
    ]


def _spread(bot: str, shots: npt.NDArray[np.int64], width: int) -> Spread:
    # Bins end at multiples of their width: with five shots a turn, a bin of five holds one turn.
    bins = -(-shots // width)
    first = int(bins.min())
    counts = np.bincount(bins - first)
    starts = (np.arange(len(counts), dtype=np.int64) + first - 1) * width + 1
    low, one, two, three, high = np.quantile(shots, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return Spread(bot, starts, width, counts / len(shots), (low, one, two, three, high))


def _step(solo: pd.DataFrame) -> int:
    """Return what all numbers of shots are multiples of, at most the shots of a turn.

    The most shots are left out: where they are all cells, the last turn may have been cut short.
    """
    shots = solo["shots"].to_numpy()
    most = int(np.ceil((shots / solo["turns"]).max()))
    fewer = shots[shots < shots.max()]
    return min(int(np.gcd.reduce(fewer if len(fewer) else shots)), most)
