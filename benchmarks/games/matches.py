"""Plays matches of two bots by `salvo match`, and reads what it prints."""

import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.entrants import parse_entrant
from arena.rules import Rules, preset, view
from benchmarks.lines import markdown
from salvo.bundled import bot_class, bundled_bots

LEADS = 0, 10
"""The leads in Elo that the sequential test decides between."""


class Duel(NamedTuple):
    """A match that goes on until a sequential test says who is better.

    ``score`` is the share of the points that the bot won. ``better`` is None if the test did not
    decide.
    """

    rules: str
    rival: str
    games: int
    score: float
    better: bool | None


def plays(bot: str, rules: Rules) -> bool:
    """Return whether a bundled bot says that it plays some rules."""
    return bot_class(bot)().plays(view(rules))


def rivals(bot: str, rules: str) -> list[str]:
    """Return all other bundled bots that play a preset."""
    return [name for name in bundled_bots() if name != bot and plays(name, preset(rules))]


def duel(  # noqa: PLR0913 - who plays what, how long, and where it is recorded
    bot: str, other: str, rules: str, *, pairs: int, workers: int, db: Path
) -> Duel:
    """Let a bot play another, ``pairs`` pairs at most; called again, it goes on from its record."""
    options = ("--sprt", ",".join(map(str, LEADS)), "--rules", rules, "--db", str(db))
    test = _match(bot, other, pairs, workers, *options)["sprt"]
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
    heads = ("rules", "against", "games", "won", f"{LEADS[1]} Elo better, not {LEADS[0]}")
    return markdown(rows, heads)


def lead(one: str, two: str, pairs: int, workers: int) -> tuple[float, float]:
    """Return by how many Elo points the first bot is better in the salvo, and the lower limit."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--rules", "salvo", "--db", f"{folder}/games.sqlite3")
        [row] = _match(one, two, pairs, workers, *options)["differences"]
    if row["bot"] == parse_entrant(one, bundled_bots()).name:
        gap, low = row["lead"], row["lead_low"]
    else:
        gap, low = -row["lead"], None if row["lead_high"] is None else -row["lead_high"]
    return gap, -math.inf if low is None else low


def wins_of(  # noqa: PLR0913 - as duel
    bot: str, other: str, rules: str, *, pairs: int, workers: int, db: Path
) -> tuple[int, int]:
    """Return the games of ``pairs`` pairs, and how many of them the first bot won.

    Called again, it goes on from its record.
    """
    found = _match(bot, other, pairs, workers, "--rules", rules, "--db", str(db))
    name = parse_entrant(other, bundled_bots()).name
    (rival,) = (row for row in found["elo"] if row["bot"] == name)
    return rival["games"], rival["losses"]


def _match(one: str, two: str, pairs: int, workers: int, *options: str) -> dict[str, Any]:
    """Play a match, and return what is printed of it as JSON."""
    command = [sys.executable, "-m", "salvo", "match", one, two, *options]
    command += ["--games", str(2 * pairs), "--format", "json"]
    command += ["--workers", str(workers)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = msgspec.json.decode(done.stdout)
    return found
