"""Which bots of a field have a rating of their own, and which only a bound.

A bot that lost all its games has no finite rating: the games only say "at most". Were it fitted
with the others, the prior alone would place it, and its games would pull on theirs. So bots that
lost everything, or won everything, are taken out of the fit, round by round: who then lost
everything against those that remain is next. They are placed afterwards, with the others held
fixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leaderboards.elo.field import Field

UPPER, LOWER = "upper", "lower"


@dataclass(frozen=True, slots=True)
class Outsider:
    """A bot that won or lost everything against those it is compared with.

    Attributes:
        bot: Its index.
        side: "upper" where it lost everything, "lower" where it won everything: the limit that
            its rating has.
        among: Indices of the bots that it is compared with, and its own; whoever was taken out
            before it is not among them.
    """

    bot: int
    side: str
    among: tuple[int, ...]


def peeled(field: Field, group: Sequence[int]) -> tuple[list[int], list[Outsider]]:
    """Split a group of bots that games link into those rated jointly and the outsiders.

    Args:
        field: The games.
        group: Indices of the bots.

    Returns:
        The bots that are rated jointly, two at least, and the outsiders in the order in which
        they were taken out. Where rounds would leave nobody (each bot beat all those below it),
        everybody is rated jointly, and the bots that won or lost all their games are outsiders too.
    """
    games = field.by_bot()
    remaining, outsiders = list(group), []
    while found := _extremes(games, remaining):
        outsiders += found
        gone = {outsider.bot for outsider in found}
        remaining = [bot for bot in remaining if bot not in gone]
        if len(remaining) <= 1:
            return list(group), _extremes(games, group)
    return remaining, outsiders


def outsiders_of_cores(
    field: Field, cores: Sequence[Sequence[int]]
) -> tuple[list[list[int]], list[Outsider]]:
    """Return the largest core of each group, and who won or lost all games against it.

    Without a prior there are ratings inside a core alone.
    """
    rated = []
    for group in field.components():
        inside = [list(core) for core in cores if len(core) > 1 and core[0] in group]
        # Cores come largest first.
        rated += inside[:1]
    games = field.by_bot()
    kept = {bot for core in rated for bot in core}
    outsiders = [
        outsider
        for bot in range(len(field.bots))
        if bot not in kept
        for core in rated
        for outsider in _extremes(games, [*core, bot])
        if outsider.bot == bot
    ]
    return rated, outsiders


def levels(field: Field) -> list[int]:
    """Return for each bot how many steps down it stands from the bots that nobody beat.

    Bots that beat and lost to each other along some chain of games share a level; elsewhere the
    bot that always won stands above.
    """
    cores = field.cores()
    core_of = {bot: number for number, core in enumerate(cores) for bot in core}
    won = field.by_bot()[:, :, 0]
    beaten_by: list[set[int]] = [set() for _ in cores]
    for winner, loser in zip(*(index.tolist() for index in np.nonzero(won)), strict=True):
        if core_of[winner] != core_of[loser]:
            beaten_by[core_of[loser]].add(core_of[winner])
    depth: dict[int, int] = {}
    while len(depth) < len(cores):
        ready = {
            core: 1 + max((depth[above] for above in beaten_by[core]), default=-1)
            for core in range(len(cores))
            if core not in depth and beaten_by[core] <= depth.keys()
        }
        depth |= ready
    return [depth[core_of[bot]] for bot in range(len(field.bots))]


def _extremes(games: np.typing.NDArray[np.int64], bots: Sequence[int]) -> list[Outsider]:
    """Return the bots that won or lost all their games against the other bots of a group."""
    record = games[np.ix_(list(bots), list(bots))].sum(axis=1)
    return [
        Outsider(bot, LOWER if won else UPPER, tuple(bots))
        for bot, (won, drawn, lost) in zip(bots, record.tolist(), strict=True)
        if not drawn and bool(won) != bool(lost)
    ]
