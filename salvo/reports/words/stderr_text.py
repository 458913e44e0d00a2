"""Prepares what bots wrote to stderr as lines that are safe to print."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from arena.store import LISTED_COLUMNS
from arena.text import printable

_SHOWN_LINES = 20
_PLACE = re.compile(r'^ *File ".*", line \d+', re.MULTILINE)
_NUMBER = re.compile(r"\d+")


def stderr_lines(text: str) -> list[str]:
    """Return the lines of what a bot wrote; tabs are kept as spaces."""
    return [printable(line.expandtabs(4)) for line in text.strip("\n").split("\n") if text.strip()]


def last_lines(text: str, most: int = _SHOWN_LINES) -> Iterator[str]:
    """Yield the last lines of what a bot wrote, and say first how many there were before."""
    lines = stderr_lines(text)
    before = len(lines) - most
    if before > 0:
        yield f"... {before} line{'s' * (before > 1)} before"
    yield from lines[-most:]


def describe_stderr(forfeits: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield what bots had written before they forfeited games, once for each bot and error.

    Args:
        forfeits: ``arena.store.LISTED_COLUMNS`` of each forfeit.
    """
    shown: dict[tuple[str, str], tuple[str, str]] = {}
    alike: Counter[tuple[str, str]] = Counter()
    for row in forfeits:
        game = dict(zip(LISTED_COLUMNS, row, strict=True))
        if game["stderr"]:
            loser = game["second"] if game["winner"] == game["first"] else game["first"]
            both = loser, _error(game["stderr"])
            alike[both] += 1
            shown.setdefault(both, (game["game"], game["stderr"]))
    for both, (one, text) in shown.items():
        what = "a game" if alike[both] == 1 else f"{alike[both]} games alike"
        yield f"\nstderr of {both[0]}, which forfeited {what} (`salvo replay {one[:8]} --stderr`):"
        yield from (f"    {line}" for line in last_lines(text))


def _error(text: str) -> str:
    """Return what texts of the same error have in common, whatever values it names.

    That is where it was raised and its kind, or the last line without its numbers.
    """
    last = text.rstrip().split("\n")[-1]
    places = _PLACE.findall(text)
    return f"{places[-1]}: {last.partition(':')[0]}" if places else _NUMBER.sub("", last)
