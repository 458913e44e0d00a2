"""Says which bosses a bot beats, and how sure that is, where many bots are asked about at once.

A boss is a bot that others are measured by. That a bot beats one is tested by the games of the two:
were both equally good, each game that is no draw would be won by either with probability 1/2, so
the number of wins is binomial (the sign test). Games are taken for independent, as they are where
bots do not learn from one to the next, and their number for fixed beforehand.

``sure``
    Were no bot better than any boss, one or more would be called so in at most 5% of such classes:
    the p-value times the number of comparisons is at most 0.05 (Bonferroni).
``likely``
    The p-value by itself is: of comparisons of equal bots at most 5% are called so.
``no``
    The boss surely beats the bot, in the same sense.
``open``
    Anything else: the games do not tell.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from scipy.special import bdtrc

ERROR = 0.05
Answer = Literal["sure", "likely", "open", "no"]


@dataclass(frozen=True, slots=True)
class Step:
    """How a bot did against a boss."""

    bot: str
    boss: str
    games: int
    wins: int
    losses: int
    beats: Answer


def ladder(games: pd.DataFrame, bots: Collection[str], bosses: Iterable[str]) -> list[Step]:
    """Return how each bot did against each boss, bot by bot, by a table of games.

    The table is that of ``leaderboards.rate``; games of others in it do not count.
    """
    bosses = list(bosses)
    comparisons = len(bots) * len(bosses)
    won: Counter[tuple[str, str]] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    seats = ("first", "second", "result")
    for first, second, result in zip(*(games[name] for name in seats), strict=True):
        met.update([(first, second), (second, first)])
        if result != "draw":
            won[(first, second) if result == "first" else (second, first)] += 1
    return [
        Step(
            *(bot, boss, met[bot, boss], won[bot, boss], won[boss, bot]),
            answer(won[bot, boss], won[boss, bot], comparisons),
        )
        for bot in bots
        for boss in bosses
    ]


def answer(wins: int, losses: int, comparisons: int) -> Answer:
    """Return whether a bot beats a boss, one of so many comparisons."""
    decided = wins + losses
    p_better, p_worse = (
        # The chance of as many or more.
        float(bdtrc(most - 1, decided, 0.5)) if most else 1.0
        for most in (wins, losses)
    )
    if p_better * comparisons <= ERROR:
        return "sure"
    if p_worse * comparisons <= ERROR:
        return "no"
    return "likely" if p_better <= ERROR else "open"
