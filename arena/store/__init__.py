"""The record of games: one SQLite file, append-only, committed block by block, resumable."""

from arena.store.identity import Tournament, difference
from arena.store.looks import Look
from arena.store.luck import Luck
from arena.store.parts import Commission
from arena.store.recent import Summary
from arena.store.schema import RESULT_COLUMNS, SCHEMA_VERSION
from arena.store.store import Store

__all__ = [
    "RESULT_COLUMNS",
    "SCHEMA_VERSION",
    "Commission",
    "Look",
    "Luck",
    "Store",
    "Summary",
    "Tournament",
    "difference",
]
