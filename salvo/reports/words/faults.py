"""Describes who forfeited and why, how long bots took, and whether the machine may be at fault.

A time loss looks like the machine's fault where the bot was far from its limit in every answer that
it gave: a bot that is too slow comes close to it now and then. A bot that hangs looks the same, so
that this is a warning and no verdict.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from arena.records import Settings, Termination, Void
from arena.text import counted
from leaderboards.display.sections import Section, Table
from salvo.reports.tables.survey import Latency, Survey, latency

_FAR = 0.5
"""The share of the limit that all answers stay below where the machine is to be suspected."""


_HOW_TO_SEE = (
    "`salvo replay GAME` shows a game by its id, and with --stderr what the bot at fault had "
    "written before."
)
_LONGEST = 300  # characters of a reason that are shown


def forfeits_by(games: pd.DataFrame) -> pd.DataFrame:
    """Return the forfeited games of a table, with the bot that lost each as ``loser``."""
    lost = games[games["forfeit"].notna()]
    return lost.assign(loser=lost["first"].where(lost["forfeit"] == "first", lost["second"]))


def count_forfeits(games: pd.DataFrame) -> str:
    """Return how many games of a table were forfeited and how, in a few words."""
    kinds = games.loc[games["forfeit"].notna(), "termination"].value_counts()
    if kinds.empty:
        return f"none in {len(games):,} games"
    named = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    return f"{kinds.sum():,} of {len(games):,} games: {named}"


def of_bot(lost: pd.DataFrame, bot: str) -> list[dict[str, str]]:
    """Return the forfeits of a bot by kind, the commonest first, each with its commonest reason.

    That it was barred comes last: the others are why.
    """
    rows = []
    for kind, games in lost[lost["loser"] == bot].groupby("termination"):
        reasons = games["reason"].value_counts()
        reason = min(reasons[reasons == reasons.max()].index)
        others = len(reasons) - 1
        more = f" (and {counted(others, 'other')})" if others else ""
        example = str(games.loc[games["reason"] == reason, "id"].iloc[0])
        rows.append(
            {
                "how": str(kind),
                "games": str(len(games)),
                "in words": f"{reason[:_LONGEST]}{more}",
                "one of them": example,
            }
        )
    return sorted(rows, key=lambda row: (row["how"] == Termination.BARRED, -int(row["games"])))


def describe_latency(found: Latency) -> dict[str, str]:
    """Return how long a bot took to answer as cells of a table."""
    return {
        "answers": f"{found.answers:,}",
        "median": _time(found.median_s),
        "95% within": _time(found.high_s),
        "slowest": _time(found.worst_s),
    }


def faults_section(
    games: pd.DataFrame,
    bots: Sequence[str],
    found: Survey,
    settings: Settings,
    voids: Sequence[Void],
) -> Section:
    """Return the section of a report on forfeits and on the time that answers took."""
    lost = forfeits_by(games)
    late = Counter(map(str, lost.loc[lost["termination"] == Termination.TIMEOUT, "loser"]))
    known = {bot: latency(found.answers[bot]) for bot in bots if bot in found.answers}
    rows = [
        {
            "bot": bot,
            **describe_latency(taken),
            "of the limit": _share(taken.worst_s / settings.move_s),
            "lost on time": str(late[bot]),
        }
        for bot, taken in known.items()
        if taken is not None
    ]
    forfeits = [{"bot": bot, **row} for bot in bots for row in of_bot(lost, bot)]
    tables = [Table("Forfeits", forfeits)] if forfeits else []
    if rows:
        tables.append(Table("Time for an answer, waits for a processor not counted", rows))
    return Section(
        name="faults",
        heading="Forfeits and time",
        tables=tables,
        notes=[
            f"Forfeits: {count_forfeits(games)}.",
            *([_HOW_TO_SEE] if forfeits else []),
            f"The limit is {settings.move_s:g} s an answer, {settings.game_s:g} s a game.",
            *_suspicions(late, known, settings, voids),
        ],
    )


def _suspicions(
    late: Mapping[str, int],
    known: Mapping[str, Latency | None],
    settings: Settings,
    voids: Sequence[Void],
) -> list[str]:
    told = []
    far = [
        (bot, taken.worst_s)
        for bot in sorted(late)
        if (taken := known.get(bot)) is not None and taken.worst_s < _FAR * settings.move_s
    ]
    if far:
        named = ", ".join(
            f"{bot} {late[bot]} (its slowest other answer took {_time(worst)})"
            for bot, worst in far
        )
        told.append(
            f"Warning: games were lost on time by bots that were far from their limit of "
            f"{settings.move_s:g} s otherwise: {named}. Either they hang at times, or the machine "
            "stood still; fewer --workers or a longer --move-time show which."
        )
    if voids:
        games = f"{len(voids)} game{' was' if len(voids) == 1 else 's were'}"
        told.append(
            f"Warning: {games} broken off and played again, since a bot's process was killed from "
            "outside or did not get the processor: the machine was short of something."
        )
    return told


def _time(seconds: float) -> str:
    number, unit = (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms")
    # Two digits, but never as a power of ten.
    return f"{number:.2g} {unit}" if number < 99.5 else f"{number:.0f} {unit}"  # noqa: PLR2004


def _share(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "under 1%"  # noqa: PLR2004
