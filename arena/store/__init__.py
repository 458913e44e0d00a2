"""Keeps the record of games: one SQLite file, append-only, committed block by block, resumable."""

from arena.store.extra_tables import Look, Luck
from arena.store.forgetting import compact, forgotten, is_forgotten
from arena.store.record_file import patiently
from arena.store.schema import LISTED_COLUMNS, RESULT_COLUMNS, SCHEMA_VERSION
from arena.store.store import Store, Summary
from arena.store.tournament_table import Tournament, difference
from arena.store.whole import open_whole
