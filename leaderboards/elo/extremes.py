"""Bounds the ratings of bots that won or lost every game (extreme scores, as Rasch models say).

A bot that lost all its games has no finite rating: the games only say "at most". Were it fitted
with the others, the prior alone would place it, and its games would pull on theirs. So bots that
lost everything, or won everything, are taken out of the fit, round by round: who then lost
everything against those that remain is next. They are placed afterwards, with the others held
fixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from leaderboards.elo.fit import constraints_of, evidence_of
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.intervals import bound, fall_where_equal
from leaderboards.elo.likelihood import EXTRA, information, maximised

UPPER, LOWER = "upper", "lower"


@dataclass(frozen=True, slots=True)
class Extreme:
    """A bot that won or lost everything against those it is compared with."""

    bot: int
    # "upper" where it lost everything, "lower" where it won everything: the limit that its rating
    # has.
    side: str
    # Indices of the bots that it is compared with, and its own; whoever was taken out before it is
    # not among them.
    among: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExtremeBounds:
    """Bounds the extreme bots of a field whose other bots are fitted."""

    field: Field
    # (N,) weights of the bots in the reference of their group; extreme bots have none, except where
    # nobody has any other.
    weights: Floats
    prior: float
    # (N,) by how much correlation within units widens a variance; NaN where unknown.
    inflation: Floats
    seats_matter: bool

    def bound(self, extreme: Extreme, quantile: float, other: int | None = None) -> float:
        """Return the one-sided bound in nats, above another bot or else above the reference.

        At the bound the bot's record is as improbable as a normal deviate beyond the quantile.
        """
        compared, bot, constraints, share = self._compared(extreme)
        value = bound(
            compared,
            bot,
            constraints,
            prior=self.prior,
            inflation=self._inflation_of(extreme),
            quantile=quantile,
            other=None if other is None else extreme.among.index(other),
        )
        # Where the bot has a part in the reference itself, it moves the reference along.
        return value if other is not None else value * (1 - share)

    def significance(self, extreme: Extreme) -> dict[int, float]:
        """Return by how many standard deviations the bot is the stronger, by other bot.

        A normal deviate beyond them is as probable as the bot's record if the two are equal.
        """
        compared, bot, constraints, _ = self._compared(extreme)
        others = [index for index in range(len(extreme.among)) if index != bot]
        fall = fall_where_equal(compared, bot, others, constraints, prior=self.prior)
        deviate = -special.ndtri_exp(-fall / max(self._inflation_of(extreme), 1.0))
        # A record that is more probable than not says nothing.
        apart = np.maximum(deviate, 0.0)
        sign = 1 if extreme.side == LOWER else -1
        return {
            extreme.among[index]: sign * float(value)
            for index, value in zip(others, apart, strict=True)
        }

    def _inflation_of(self, extreme: Extreme) -> float:
        own = self.inflation[extreme.bot]
        return float(np.nanmax(self.inflation) if np.isnan(own) else own)

    def _compared(self, extreme: Extreme) -> tuple[Field, int, Floats, float]:
        """Return the games among those it is compared with, and what is held at zero.

        With them come the index of the bot in them, and its share of the reference; it has no part
        in the constraints (C, P).
        """
        among = list(extreme.among)
        compared = self.field.restricted(among)
        bot = among.index(extreme.bot)
        weights = self.weights[among]
        share = float(weights[bot] / weights.sum())
        weights[bot] = 0
        constraints = constraints_of(
            compared, [range(len(among))], weights=weights, seats_matter=self.seats_matter
        )
        return compared, bot, constraints, share


def split_extremes(field: Field, group: Sequence[int]) -> tuple[list[int], list[Extreme]]:
    """Split a group of bots that games link into those rated jointly and the extreme ones.

    Where rounds would leave nobody (each bot beat all those below it), or none that met, everybody
    is rated jointly, and the bots that won or lost all their games are extreme too.
    """
    games = field.by_bot()
    remaining, extremes = list(group), []
    while found := _extremes_among(games, remaining):
        extremes += found
        gone = {extreme.bot for extreme in found}
        remaining = [bot for bot in remaining if bot not in gone]
        if not games[np.ix_(remaining, remaining)].any():
            return list(group), _extremes_among(games, group)
    return remaining, extremes


def extremes_of_cores(field: Field) -> tuple[list[list[int]], list[Extreme]]:
    """Return the largest core of each group, and who won or lost all games against it.

    Without a prior there are ratings inside a core alone.
    """
    cores = field.cores()
    rated = []
    for group in field.components():
        inside = [list(core) for core in cores if len(core) > 1 and core[0] in group]
        # Cores come largest first.
        rated += inside[:1]
    games = field.by_bot()
    kept = {bot for core in rated for bot in core}
    extremes = [
        extreme
        for bot in range(len(field.bots))
        if bot not in kept
        for core in rated
        for extreme in _extremes_among(games, [*core, bot])
        if extreme.bot == bot
    ]
    return rated, extremes


def placed(
    field: Field, parameters: Floats, kept: Sequence[int], prior: float
) -> dict[int, tuple[float, float]]:
    """Return strength and variance of the bots that are not in a fit, by index.

    They are placed by their games and their prior, the fit of the `kept` bots held fixed.
    """
    size = len(field.bots)
    absent = [bot for bot in range(size) if bot not in set(kept)]
    if not absent:
        return {}
    start = np.zeros(size + 1 + EXTRA)
    start[list(kept)] = parameters[: len(kept)]
    start[-EXTRA:] = parameters[-EXTRA:]
    held = np.delete(np.eye(len(start)), absent, axis=0)
    evidence = evidence_of(field, prior)
    there = maximised(evidence, start, held)
    variance = np.diag(np.linalg.inv(information(evidence, there)[np.ix_(absent, absent)]))
    return {bot: (float(there[bot]), float(one)) for bot, one in zip(absent, variance, strict=True)}


def _extremes_among(games: Integers, bots: Sequence[int]) -> list[Extreme]:
    record = games[np.ix_(list(bots), list(bots))].sum(axis=1)
    return [
        Extreme(bot, LOWER if won else UPPER, tuple(bots))
        for bot, (won, drawn, lost) in zip(bots, record.tolist(), strict=True)
        if not drawn and bool(won) != bool(lost)
    ]
