"""Defines the conditions under which games are played, as commands and ``salvo.play`` set them."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.entrants import Terms
from arena.isolation import Choice
from arena.records import PAIRS_PER_BLOCK, Settings
from arena.rules import Rules

Matching = Literal["swiss", "adaptive"]
MATCHING: tuple[Matching, ...] = ("swiss", "adaptive")
"""The schedules in which bots do not all meet; `Tournament.kind` names them."""

GAMES_A_BLOCK = 2 * PAIRS_PER_BLOCK

MOST_TESTED_GAMES = 20_000
"""Games after which a sequential test is given up; nearly all are decided by then."""

FARTHEST_TESTED_ELO = 1000
"""No sequential test is about leads beyond this: they are those of bots that win always."""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The conditions under which games are played into a record."""

    rules: Rules
    seed: int
    workers: int
    isolation: Choice
    settings: Settings
    tournament_name: str | None
    terms: Terms  # what the TOML of a bot may ask for, and what every bot may read
    logs: Path | None = None
    # The address of a Dask scheduler whose workers play, "local" for one that is started here; None
    # to play on this machine without one.
    cluster: str | None = None
    common_layouts: bool = False  # whether all bots search the same layouts alone


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
