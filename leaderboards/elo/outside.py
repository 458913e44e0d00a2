"""Bots that won or lost everything: where they stand, and how sure that is."""

from collections.abc import Mapping, Sequence

import numpy as np

from leaderboards.elo.field import Field, Floats
from leaderboards.elo.fit import constraints_of, evidence_of
from leaderboards.elo.intervals import bound, fall_where_equal
from leaderboards.elo.likelihood import EXTRA, information, maximised
from leaderboards.elo.peeling import LOWER, Outsider


class Outside:
    """The outsiders of a field whose other bots are fitted.

    Args:
        field: The games of N bots.
        weights: (N,) weights of the bots in the reference of their group; outsiders have none,
            except where nobody has any other.
        prior: Pseudo-pairs of each bot; 0 for none.
        inflation: (N,) by how much correlation within units widens a variance; NaN where unknown.
        seats_matter: Whether the first seat's advantage is estimated.
    """

    def __init__(
        self,
        field: Field,
        weights: Floats,
        *,
        prior: float,
        inflation: Floats,
        seats_matter: bool,
    ) -> None:
        self._field, self._weights, self._prior = field, weights, prior
        self._inflation = np.where(np.isnan(inflation), np.nanmax(inflation), inflation)
        self._seats_matter = seats_matter

    def bound(self, outsider: Outsider, other: int | None = None) -> float:
        """Return the one-sided bound in nats, above another bot or else above the reference."""
        near, bot, constraints, share = self._near(outsider)
        beyond = None if other is None else outsider.among.index(other)
        value = bound(
            near,
            bot,
            constraints,
            prior=self._prior,
            inflation=float(self._inflation[outsider.bot]),
            other=beyond,
        )
        # Where the bot has a part in the reference itself, it moves the reference along.
        return value if other is not None else value * (1 - share)

    def significance(self, outsider: Outsider) -> dict[int, float]:
        """Return by how many standard deviations the outsider is the stronger, by other bot."""
        near, bot, constraints, _ = self._near(outsider)
        others = [index for index in range(len(outsider.among)) if index != bot]
        fall = fall_where_equal(near, bot, others, constraints, prior=self._prior)
        root = np.sqrt(2 * fall / max(float(self._inflation[outsider.bot]), 1.0))
        sign = 1 if outsider.side == LOWER else -1
        return {
            outsider.among[index]: sign * float(value)
            for index, value in zip(others, root, strict=True)
        }

    def _near(self, outsider: Outsider) -> tuple[Field, int, Floats, float]:
        """Return the games among those it is compared with, and what is held at zero.

        Returns:
            The games, the index of the outsider in them, constraints (C, P) in which it has no
            part, and its share of the reference.
        """
        among = list(outsider.among)
        near = self._field.restricted(among)
        bot = among.index(outsider.bot)
        weights = self._weights[among]
        share = float(weights[bot] / weights.sum())
        weights[bot] = 0
        constraints = constraints_of(
            near, [range(len(among))], weights=weights, seats_matter=self._seats_matter
        )
        return near, bot, constraints, share


def placed(
    field: Field, parameters: Floats, kept: Sequence[int], prior: float
) -> Mapping[int, tuple[float, float]]:
    """Place the bots that are not in a fit by their games and their prior, the fit held fixed.

    Args:
        field: The games of N bots.
        parameters: The fit of the kept bots.
        kept: Their indices.
        prior: Pseudo-pairs of each bot.

    Returns:
        Strength and variance of each of the other bots, by index.
    """
    size = len(field.bots)
    absent = [bot for bot in range(size) if bot not in set(kept)]
    if not absent:
        return {}
    start = np.zeros(size + 1 + EXTRA)
    start[list(kept)] = parameters[: len(kept)]
    start[-EXTRA:] = parameters[-EXTRA:]
    held = np.eye(len(start))[[place for place in range(len(start)) if place not in set(absent)]]
    evidence = evidence_of(field, prior)
    there = maximised(evidence, start, held)
    variance = np.diag(np.linalg.inv(information(evidence, there)[np.ix_(absent, absent)]))
    return {bot: (float(there[bot]), float(one)) for bot, one in zip(absent, variance, strict=True)}
