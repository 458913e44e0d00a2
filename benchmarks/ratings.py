"""Measures what one bot can do to ratings, and what a large table costs."""

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.lines import aligned, outcome_line
from benchmarks.memory import peak_mb
from benchmarks.simulations.leaning import leaning, round_robin_games
from leaderboards import rate
from leaderboards.display import formatted_tables
from leaderboards.elo.elo_table import ELO_PER_NAT

AIM_S = 10.0

_FIELD = {"a": 60.0, "b": 0.0, "c": -60.0}
_FEW = 200
_HOPELESS = ((60, 0), (60_000, 0), (60_000, 1), (60_000, 3))
_SPREAD_ELO = 200.0


def ratings(games: int, bots: int, fields: int, seed: int) -> Iterator[str]:
    """Rate fields with a hopeless bot, fields in which a helper lifts its friend, and a large one.

    Args:
        games: Games of the large field.
        bots: Its bots.
        fields: Honest fields in which it is seen what one opponent does to a rating.
        seed: The seed of its results.

    Yields:
        By how much the hopeless bot moves the others, by how much a helper lifts its friend and how
        often that is named, and the time and the memory that the large field took with everything
        that is printed.
    """
    rows = [
        (
            f"{played:,}",
            str(won),
            f"{_moved(played, won, played // 3):.2f}",
            f"{_moved(played, won, _FEW):.2f}",
        )
        for played, won in _HOPELESS
    ]
    moves = "others move by at most, Elo"
    heads = (moves, f"with {_FEW} games a pairing of theirs")
    yield aligned(rows, ("games of the hopeless bot", "its wins", *heads))
    yield from leaning(fields, seed)
    table = large_field(games, bots, seed)
    started_s = time.process_time()
    text = formatted_tables.elo_text(rate(table))
    took_s = time.process_time() - started_s
    yield "\n".join(text.splitlines()[:7])
    outcome = {
        "benchmark": "ratings",
        "ratio": round(took_s / AIM_S, 3),
        "seconds_of_processor_time": round(took_s, 2),
        "most_memory_mb": round(peak_mb()),
        "games": len(table),
        "bots": bots,
    }
    yield outcome_line(outcome)


def _moved(played: int, won: int, others: int) -> float:
    """Return by how much a bot that won some of its games moves the ratings of the others.

    Args:
        played: Its games.
        won: How many of them it won, all against one bot.
        others: Games of every two of the others.
    """
    field = [
        game
        for one, other in (("a", "b"), ("a", "c"), ("b", "c"))
        for game in _games(one, other, others, _score(_FIELD[one] - _FIELD[other]))
    ]
    wins = [won, 0, 0]
    against = [
        game
        for bot, lost in zip(_FIELD, wins, strict=True)
        for game in _games("hopeless", bot, played // 3, lost / (played // 3))
    ]
    alone, beside = (
        rate(pd.DataFrame(rows, columns=["first", "second", "result", "pair"]).assign(forfeit=None))
        for rows in (field, field + against)
    )
    elo, now = (one.table.set_index("bot")["elo"] for one in (alone, beside))
    return float(max(abs(now[bot] - elo[bot]) for bot in _FIELD))


def _games(one: str, other: str, games: int, score: float) -> list[tuple[str, str, str, int]]:
    """Return games in pairs of which the first bot wins a share, spread evenly."""
    won = np.diff(np.floor(np.arange(games + 1) * score + 1e-9)) > 0
    return [
        (one, other, "first" if win else "second", number // 2)
        if number % 2 == 0
        else (other, one, "second" if win else "first", number // 2)
        for number, win in enumerate(won.tolist())
    ]


def _score(elo: float) -> float:
    return float(1 / (1 + np.exp(-elo / ELO_PER_NAT)))


def large_field(games: int, bots: int, seed: int) -> pd.DataFrame:
    """Return the games of a round robin of bots of known strength."""
    generator = np.random.default_rng(seed)
    pairs = max(1, games // (bots * (bots - 1)))
    return round_robin_games(generator.normal(0, _SPREAD_ELO, bots), pairs, generator)
