"""Tells which bots of a league are bosses, steps to climb, and who beats them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.league import League
from salvo.bundled import bundled_bots

if TYPE_CHECKING:
    from leaderboards.bosses import Step
    from salvo.reports.standings.standing import Standing


def bosses_of(league: League, owned: Mapping[str, int]) -> list[str]:
    """Return the bosses of a league: the bundled bots that the operator entered."""
    bundled = bundled_bots()
    return [one.name for one in league.field if one.name in bundled and one.name not in owned]


def ladder_of(league: League, standing: "Standing", owned: Mapping[str, int]) -> "list[Step]":
    """Return how the bots of authors did against the bosses."""
    from leaderboards.bosses import ladder  # noqa: PLC0415 - no page needs pandas

    authors = [one.name for one in league.field if one.name in owned]
    return ladder(standing.games, authors, bosses_of(league, owned))
