"""Prepares what bots wrote to stderr as lines that are safe to print."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from arena.text import printable

if TYPE_CHECKING:
    import pandas as pd

_SHOWN_LINES = 20


def stderr_lines(text: str) -> list[str]:
    """Return the lines of what a bot wrote; tabs are kept as spaces."""
    return [printable(line.expandtabs(4)) for line in text.strip("\n").split("\n") if text.strip()]


def last_lines(text: str, most: int = _SHOWN_LINES) -> Iterator[str]:
    """Yield the last lines of what a bot wrote, and say first how many there were before."""
    lines = stderr_lines(text)
    if len(lines) > most:
        yield f"... {len(lines) - most} lines before"
    yield from lines[-most:]


def describe_stderr(games: "pd.DataFrame", written: Mapping[str, str]) -> Iterator[str]:
    """Yield what bots had written before they forfeited, once for each bot and last line."""
    told = games[games["id"].isin(list(written))]
    loser = told["first"].where(told["forfeit"] == "first", told["second"])
    last = told["id"].map({game: text.rstrip().split("\n")[-1] for game, text in written.items()})
    for (name, _), alike in told.groupby([loser, last], sort=False):
        game = str(alike["id"].iloc[0])
        count = len(alike)
        what = "a game" if count == 1 else f"{count} games alike"
        yield f"\nstderr of {name}, which forfeited {what} (`salvo replay {game[:8]} --stderr`):"
        yield from (f"    {line}" for line in last_lines(written[game]))
