"""The games of a field of bots, boiled down to what a rating depends on.

A *pair* of games (seats swapped) is the unit of analysis: its two games may be correlated. Pairs
with the same two bots and the same outcomes are one kind of pair with a count, so that a fit costs
the same for a hundred games as for a million, and the order of the rows cannot matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse.csgraph import connected_components

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

OUTCOMES = 3
"""Won, drawn and lost, in this order, seen from the first seat."""


@dataclass(frozen=True, slots=True)
class Field:
    """Kinds of pairs between N bots, and how often each was seen.

    Attributes:
        bots: N names in order.
        one: (K,) index of the bot whose name comes first, for K kinds of pairs.
        other: (K,) index of its opponent.
        outcomes: (K, 2, 3) games of such a pair by who sat first (`one`, `other`) and by outcome
            for the first seat (won, drawn, lost).
        counts: (K,) how many pairs were of this kind.
    """

    bots: tuple[str, ...]
    one: Integers
    other: Integers
    outcomes: Integers
    counts: Integers

    def table(self) -> Integers:
        """Return the games as (N, N, 3): by first seat, second seat and outcome for the first."""
        size = len(self.bots)
        games = np.zeros((size, size, OUTCOMES), dtype=np.int64)
        weighted = self.outcomes * self.counts[:, None, None]
        np.add.at(games, (self.one, self.other), weighted[:, 0])
        np.add.at(games, (self.other, self.one), weighted[:, 1])
        return games

    def by_bot(self) -> Integers:
        """Return the games as (N, N, 3): by bot, opponent and outcome for the bot, in any seat."""
        games = self.table()
        return games + games.transpose(1, 0, 2)[:, :, ::-1]

    def restricted(self, keep: Sequence[int]) -> "Field":
        """Return the field of the bots with these indices and the games between them."""
        place = np.full(len(self.bots), -1, dtype=np.int64)
        place[list(keep)] = np.arange(len(keep))
        inside = (place[self.one] >= 0) & (place[self.other] >= 0)
        return Field(
            bots=tuple(self.bots[index] for index in keep),
            one=place[self.one[inside]],
            other=place[self.other[inside]],
            outcomes=self.outcomes[inside],
            counts=self.counts[inside],
        )

    def components(self) -> list[list[int]]:
        """Return the groups of bots that games link, as lists of indices, largest first."""
        met = self.table().sum(axis=2) > 0
        return _groups(met, "weak")

    def cores(self) -> list[list[int]]:
        """Return the groups inside which everybody beats everybody along some chain of games.

        A maximum-likelihood fit without a prior exists inside such groups (Ford, "Solution of a
        ranking problem from binary comparisons", 1957). A drawn game counts both ways in a field
        that only draws; elsewhere draws have a chance of their own, and bound no strength.
        """
        games = self.table()
        won, drawn = games[:, :, 0] + games[:, :, 2].T, games[:, :, 1]
        scored = won if won.any() else drawn + drawn.T
        return _groups(scored > 0, "strong")


def field_of(games: pd.DataFrame) -> Field:
    """Boil checked games down to a `Field`.

    Args:
        games: What `leaderboards.inputs.checked_games` returns.

    Returns:
        The bots that played, by name, and the kinds of pairs they played, in a canonical order.
    """
    first, second = games["first"].to_numpy(dtype=object), games["second"].to_numpy(dtype=object)
    bots = sorted(set(first) | set(second))
    index = {bot: place for place, bot in enumerate(bots)}
    seats = np.array([[index[bot] for bot in seat] for seat in (first, second)], dtype=np.int64)
    one, other = seats.min(axis=0), seats.max(axis=0)
    swapped = (seats[0] != one).astype(np.int64)
    outcome = games["result"].map({"first": 0, "draw": 1, "second": 2}).to_numpy(dtype=np.int64)
    _, pair = np.unique(games["pair"].to_numpy(dtype=np.int64), return_inverse=True)
    span = int(pair.max(initial=0)) + 1
    meetings, unit = np.unique((one * len(bots) + other) * span + pair, return_inverse=True)
    kinds = np.bincount(
        unit * 2 * OUTCOMES + swapped * OUTCOMES + outcome, minlength=len(meetings) * 2 * OUTCOMES
    ).reshape(-1, 2 * OUTCOMES)
    pairing = (meetings // span)[:, None]
    rows, counts = np.unique(np.hstack([pairing, kinds]), axis=0, return_counts=True)
    return Field(
        bots=tuple(bots),
        one=rows[:, 0] // max(len(bots), 1),
        other=rows[:, 0] % max(len(bots), 1),
        outcomes=rows[:, 1:].reshape(-1, 2, OUTCOMES),
        counts=counts,
    )


def _groups(edges: npt.NDArray[np.bool_], connection: str) -> list[list[int]]:
    if not len(edges):
        return []
    number, labels = connected_components(edges, directed=True, connection=connection)
    groups = [np.flatnonzero(labels == label).tolist() for label in range(number)]
    return sorted(groups, key=lambda group: (-len(group), group))
