"""Rates a tournament of a league's calendar, by limits that hold at each look at its games."""

import itertools
from collections.abc import Collection
from dataclasses import dataclass, replace

from arena.league import League
from arena.store import Store, Tournament
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.standing import Standing, has_met

_UNKNOWN = (
    "A look may have ended these games early, and which looks were planned is not known here: the "
    "league does not lie beside this record. Ranks and intervals are as if there had been one look."
)


@dataclass(frozen=True)
class PlannedGames:
    """The games of a tournament that count: all of the first pairs, but for some entrants.

    Attributes:
        pairs: Pairs a pairing; None for all.
        without: Names in the record of those whose games do not count.
    """

    pairs: int | None = None
    without: frozenset[str] = frozenset()


def planned_standing(
    store: Store,
    tournament: Tournament,
    league: League,
    *,
    how: HowRated | None = None,
    games: PlannedGames | None = None,
) -> Standing:
    """Return where everybody in a tournament of a league's calendar stands."""
    games = games or PlannedGames()
    names = _names(tournament, games.without)
    planned = next(one for one in league.charter.tournaments if one.name == tournament.name)
    between = list(itertools.combinations(sorted(names), 2))
    left_out = [
        frozenset(both)
        for both in between
        if frozenset(names[one] for one in both) in league.left_out
    ]
    how = replace(how or HowRated(), looks=planned.looks)
    anchor = league.charter.anchor
    played = store.played(tournament.name)
    if anchor is not None and has_met(anchor.bot, names, played, left_out):
        how = replace(how, anchor=(names[anchor.bot], anchor.elo))
    pairs = planned.games // 2 if games.pairs is None else games.pairs
    looks = f"all {planned.looks} looks together" if planned.looks > 1 else "the look"
    note = (
        f"Played by the versions that were in the league at the beginning: {', '.join(names)}. "
        f"Ranks and verdicts hold at {looks}, with 95% confidence; intervals are those of a number "
        "of games that was fixed."
    )
    return Standing(
        store,
        tournament,
        how=how,
        sizes={tuple(sorted((names[one], names[other]))): pairs for one, other in between},
        names=names,
        notes=[note],
        left_out=left_out,
    )


def planned_without_league(
    store: Store, tournament: Tournament, how: HowRated | None = None
) -> Standing:
    """Return the same where it is not known how many looks were planned."""
    return Standing(store, tournament, how=how, names=_names(tournament), notes=[_UNKNOWN])


def _names(tournament: Tournament, without: Collection[str] = ()) -> dict[str, str]:
    entered = (one.name for one in tournament.entrants if one.name not in without)
    return {name: name.rpartition("@")[0] or name for name in entered}
