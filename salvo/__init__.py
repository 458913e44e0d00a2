"""Salvo for notebooks and scripts: the record of a tournament as tables and as a page.

    import salvo

    record = salvo.open_record("salvo.sqlite3")
    record.elo()                  # who is better, and how sure that is
    record.games("my-tournament")

This package is also the application: the only one that knows the arena, the bots and the
leaderboards. Its modules are imported on first use, so that ``import salvo`` is quick.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from salvo.record import Record, open_record

__all__ = ["Record", "open_record"]


def __getattr__(name: str) -> object:
    """Import what is asked for; see PEP 562."""
    if name not in __all__:
        raise AttributeError(f"module 'salvo' has no attribute {name!r}")
    return getattr(importlib.import_module("salvo.record"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
