"""One bot against each of some others for two, until a sequential test says who is better."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from arena.rules import preset
from benchmarks.games.contests import run_match
from benchmarks.games.who_plays import plays
from salvo.bundled import bundled_bots

LEADS = 0, 10
"""The leads in Elo that the test decides between."""

HEADS = ("rules", "against", "games", "won", f"{LEADS[1]} Elo better, not {LEADS[0]}")


class Duel(NamedTuple):
    """A match.

    Attributes:
        rules: The preset.
        rival: The name of the other bot.
        games: How many were played.
        score: What share of their points the bot won.
        better: Whether the test says that it is better; None if it did not decide.
    """

    rules: str
    rival: str
    games: int
    score: float
    better: bool | None


def rivals(bot: str, rules: str) -> list[str]:
    """Return all other bundled bots that play a preset."""
    return [name for name in bundled_bots() if name != bot and plays(name, preset(rules))]


def duel(  # noqa: PLR0913 - who plays what, how long, and where it is recorded
    bot: str, other: str, rules: str, *, pairs: int, workers: int, db: Path
) -> Duel:
    """Let a bot play a match; called again, it goes on from its record.

    Args:
        bot: The bot.
        other: The other.
        rules: The preset.
        pairs: How many pairs of games they play at most.
        workers: How many blocks are played in parallel.
        db: The record.
    """
    options = ("--sprt", ",".join(map(str, LEADS)), "--rules", rules, "--db", str(db))
    test = run_match(bot, other, pairs, workers, *options)["sprt"]
    better = None if test["accepted"] is None else test["accepted"] == "elo1"
    return Duel(rules, other, 2 * test["pairs"], test["score"], better)


def duel_table(found: Sequence[Duel]) -> str:
    """Return matches as a table."""
    words = {True: "yes", False: "no", None: "undecided"}
    rows = [
        (
            duel.rules,
            f"`{duel.rival}`",
            f"{duel.games:,}",
            f"{100 * duel.score:.1f}%",
            words[duel.better],
        )
        for duel in found
    ]
    return str(tabulate(rows, headers=HEADS, tablefmt="github", disable_numparse=True))
