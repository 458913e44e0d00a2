"""Plays bots from notebooks and scripts, and shows who is better and how sure that is.

    import salvo

    record = salvo.play("hunt_target", "my_bot.py", MyBot, games=40, layouts=50)
    record                        # both leaderboards
    record.games()                # every game, one a row
    record.figures()["elo"]       # a Plotly figure

    record = salvo.open_record("salvo.sqlite3")    # what a command has played
    record.elo()

This package is also the application: the only one that knows the arena, the bots and the
leaderboards. Its modules are imported on first use, so that ``import salvo`` is quick.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.bot import Bot
    from arena.entrants import Terms
    from arena.records import Settings
    from salvo.notebook.checking import check
    from salvo.notebook.playing import bots, match, play, solo
    from salvo.notebook.record import Record, open_record

_MODULES = {
    "Bot": "arena.bot",
    "Record": "salvo.notebook.record",
    "Settings": "arena.records",
    "Terms": "arena.entrants",
    "bots": "salvo.notebook.playing",
    "check": "salvo.notebook.checking",
    "match": "salvo.notebook.playing",
    "open_record": "salvo.notebook.record",
    "play": "salvo.notebook.playing",
    "solo": "salvo.notebook.playing",
}
__all__ = [
    "Bot",
    "Record",
    "Settings",
    "Terms",
    "bots",
    "check",
    "match",
    "open_record",
    "play",
    "solo",
]


def __getattr__(name: str) -> object:
    """Import what is asked for; see PEP 562."""
    if name not in _MODULES:
        raise AttributeError(f"module 'salvo' has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
