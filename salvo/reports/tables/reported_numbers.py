"""Sums up the numbers that bots report of themselves."""

from collections import defaultdict
from collections.abc import Mapping
from operator import itemgetter
from statistics import fmean

from msgspec import Struct

from arena.store import Store

_SHOWN = 3
"""How many numbers of a bot a table has room for."""


class ReportedNumber(Struct, frozen=True):
    """A number that a bot reports of itself, as its mean over the games that it reported it of."""

    bot: str
    number: str
    mean: float
    games: int


def reported_numbers(
    store: Store, tournament: str, names: Mapping[str, str] | None = None
) -> list[ReportedNumber]:
    """Return what bots report of themselves in a tournament, bot by bot.

    Only those in ``names`` count, under the names that it gives them.
    """
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for bot, numbers in store.reported(tournament):
        shown = bot if names is None else names.get(bot)
        if shown is not None:
            for number, value in numbers.items():
                found[shown, number].append(value)
    by_bot = sorted(found, key=itemgetter(0))  # its numbers in its own order
    return [ReportedNumber(*key, fmean(found[key]), len(found[key])) for key in by_bot]


def reported_in_words(numbers: list[ReportedNumber]) -> dict[str, str]:
    """Return the means of each bot in a few words."""
    told: defaultdict[str, list[str]] = defaultdict(list)
    for one in numbers:
        told[one.bot].append(f"{_brief(one.mean)} {one.number}")
    return {bot: ", ".join(words[:_SHOWN]) for bot, words in told.items()}


def _brief(mean: float) -> str:
    return f"{mean:,.0f}" if abs(mean) >= 100 or mean == int(mean) else f"{mean:.3g}"  # noqa: PLR2004 - digits enough
