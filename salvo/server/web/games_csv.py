"""Writes every game of a league as CSV, without what bots wrote."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.store import RESULT_COLUMNS
from salvo.server.leagues import opened

_COLUMNS = (
    *("id", "first", "second", "pair", "result", "termination", "forfeit"),
    *("first_turns", "first_shots", "first_hits", "second_turns", "second_shots", "second_hits"),
)
_PLACES = [RESULT_COLUMNS.index(name) for name in _COLUMNS]
_PAGE_BLOCKS = 50  # blocks that are read at once


def games_csv(record: Path) -> Iterator[str]:
    """Yield all games in parts; between them the record is closed, so that nobody holds it."""
    yield ",".join(_COLUMNS) + "\n"
    block: int | None = 0
    while block is not None:
        with opened(record) as store:
            if store is None:
                return
            block, rows = store.page_of_results("league", after=block, most=_PAGE_BLOCKS)
        yield _written(rows)


def _written(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [row[place] for place in _PLACES] for row in rows
    )
    return text.getvalue()
