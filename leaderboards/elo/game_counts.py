"""Reduces the games of a field of bots to what a rating depends on.

What may be correlated is one *unit* of analysis: the two games of a pair (seats swapped), or all
games of a block where the table has a column `block`, since a bot that learns plays the later games
of a block better than the earlier ones. Where the table has neither, each game is one. Units with
the same two bots and the same outcomes are one kind of unit with a count: a fit costs the same for
a hundred pairs as for a million, and the order of the rows cannot matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse.csgraph import connected_components

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

OUTCOMES = 3  # won, drawn and lost, in this order, seen from the first seat


@dataclass(frozen=True, slots=True)
class Field:
    """Kinds of units between N bots, and how often each was seen."""

    bots: tuple[str, ...]
    one: Integers  # (K,) index of the bot whose name comes first, for K kinds of units
    other: Integers  # (K,) index of its opponent
    # (K, 2, 3) games of such a unit by who sat first (`one`, `other`) and by outcome for the first
    # seat (won, drawn, lost).
    outcomes: Integers
    counts: Integers  # (K,) how many units were of this kind
    pairs: Integers  # (K,) pairs of games in such a unit
    incomplete_pairs: Integers  # (K,) those of them that have games in one of the seats alone

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

    def units_of_bots(self) -> Integers:
        """Return how many units each bot played, (N,)."""
        played = np.zeros(len(self.bots), dtype=np.int64)
        for index in (self.one, self.other):
            np.add.at(played, index, self.counts)
        return played

    def restricted(self, keep: Sequence[int]) -> "Field":
        """Return the field of the bots with these indices and the games between them."""
        place = np.full(len(self.bots), -1, dtype=np.int64)
        place[list(keep)] = np.arange(len(keep))
        inside = (place[self.one] >= 0) & (place[self.other] >= 0)
        return replace(
            self._chosen(inside),
            bots=tuple(self.bots[index] for index in keep),
            one=place[self.one[inside]],
            other=place[self.other[inside]],
        )

    def without_pairing(self, bot: int, opponent: int) -> "Field":
        """Return the field without the games between two bots; they stay in it."""
        theirs = (self.one == min(bot, opponent)) & (self.other == max(bot, opponent))
        return self._chosen(~theirs)

    def _chosen(self, units: npt.NDArray[np.bool_]) -> "Field":
        return replace(
            self,
            one=self.one[units],
            other=self.other[units],
            outcomes=self.outcomes[units],
            counts=self.counts[units],
            pairs=self.pairs[units],
            incomplete_pairs=self.incomplete_pairs[units],
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
    """Reduce checked games to a `Field`, its kinds of units in a canonical order."""
    size = len(games)
    names = pd.concat([games["first"], games["second"]])
    seats, bots = pd.factorize(names.astype(object), sort=True)
    first, second = seats[:size].astype(np.int64), seats[size:].astype(np.int64)
    one, other = np.minimum(first, second), np.maximum(first, second)
    swapped = (first != one).astype(np.int64)
    result = games["result"]
    outcome = np.select([result == "first", result == "draw"], [0, 1], 2).astype(np.int64)
    pairing = one * max(len(bots), 1) + other
    pair, pairing_of_pair = (
        _numbered(pairing, games["pair"]) if "pair" in games else (np.arange(size), pairing)
    )
    unit, pairing_of_unit = (
        _numbered(pairing, games["block"]) if "block" in games else (pair, pairing_of_pair)
    )
    outcomes = np.bincount(
        unit * 2 * OUTCOMES + swapped * OUTCOMES + outcome,
        minlength=len(pairing_of_unit) * 2 * OUTCOMES,
    ).reshape(-1, 2 * OUTCOMES)
    pairs = (
        _pairs_of_units(pair, unit, swapped, len(pairing_of_unit))
        if "pair" in games
        else _games_of_units(unit, len(pairing_of_unit))
    )
    seen, counts = _distinct(np.column_stack([pairing_of_unit, outcomes, *pairs]))
    return Field(
        bots=tuple(str(bot) for bot in bots),
        one=seen[:, 0] // max(len(bots), 1),
        other=seen[:, 0] % max(len(bots), 1),
        outcomes=seen[:, 1 : 1 + 2 * OUTCOMES].reshape(-1, 2, OUTCOMES),
        counts=counts,
        pairs=seen[:, -2],
        incomplete_pairs=seen[:, -1],
    )


def _numbered(pairing: Integers, label: "pd.Series[int]") -> tuple[Integers, Integers]:
    """Return the number of each game's pair or block (G,), and the pairing of each such (U,)."""
    _, place = np.unique(label.to_numpy(dtype=np.int64), return_inverse=True)
    span = int(place.max(initial=0)) + 1
    numbers, number = np.unique(pairing * span + place, return_inverse=True)
    return number, numbers // span


def _pairs_of_units(
    pair: Integers, unit: Integers, swapped: Integers, units: int
) -> tuple[Integers, Integers]:
    number = int(pair.max(initial=-1)) + 1
    unit_of_pair = np.zeros(number, dtype=np.int64)
    unit_of_pair[pair] = unit
    games = np.bincount(pair * 2 + swapped, minlength=2 * number).reshape(-1, 2)
    incomplete = (games.min(axis=1) < games.max(axis=1)).astype(np.float64)
    return (
        np.bincount(unit_of_pair, minlength=units).astype(np.int64),
        np.bincount(unit_of_pair, weights=incomplete, minlength=units).astype(np.int64),
    )


def _games_of_units(unit: Integers, units: int) -> tuple[Integers, Integers]:
    """Return how many pairs the games of each unit amount to, one at least, none incomplete."""
    games = np.bincount(unit, minlength=units).astype(np.int64)
    return np.maximum(games // 2, 1), np.zeros(units, dtype=np.int64)


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    key = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        # Renumbered after every column, the key stays below the number of rows.
        _, key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    _, place, counts = np.unique(key, return_index=True, return_counts=True)
    return rows[place], counts


def _groups(edges: npt.NDArray[np.bool_], connection: str) -> list[list[int]]:
    if not len(edges):
        return []
    number, labels = connected_components(edges, directed=True, connection=connection)
    groups = [np.flatnonzero(labels == label).tolist() for label in range(number)]
    return sorted(groups, key=lambda group: (-len(group), group))
