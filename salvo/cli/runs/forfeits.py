"""Ends a command with exit code 3 if something was not played at all, for scripts to see."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NoReturn

import click
from msgspec import Struct

from arena.store import RESULT_COLUMNS, Store
from salvo.cli.terminal.output import notify

_FORFEITED = 3


class Unplayed(Struct, frozen=True):
    """A match, or the solo games of a bot, of which every game in the record is a forfeit."""

    names: frozenset[str]
    losers: frozenset[str]


def unplayed(store: Store, tournament: str) -> list[Unplayed]:
    """Return what was not played at all of a tournament."""
    losers: dict[frozenset[str], set[str | None]] = defaultdict(set)
    for row in store.results(tournament):
        game = dict(zip(RESULT_COLUMNS, row, strict=True))
        names = frozenset(filter(None, (game["first"], game["second"])))
        losers[names].add(game[game["forfeit"]] if game["forfeit"] else None)
    return [
        Unplayed(names, frozenset(filter(None, who)))
        for names, who in losers.items()
        if None not in who
    ]


def exit_if_unplayed(matches: Sequence[Unplayed]) -> None:
    """End the command with exit code 3 if there are any; call this after everything is printed.

    Raises:
        click.exceptions.Exit: If there are; each is named on stderr.
    """
    for names in sorted(sorted(match.names) for match in matches):
        what = f"match of {' and '.join(names)}" if len(names) > 1 else f"solo of {names[0]}"
        notify(f"{what}: every game was a forfeit")
    if matches:
        raise click.exceptions.Exit(_FORFEITED)


def exit_unstarted(names: Sequence[str]) -> NoReturn:
    """End the command with exit code 3: none of its bots starts.

    Raises:
        click.exceptions.Exit: Always.
    """
    notify(f"nothing was played, since none of these bots starts: {', '.join(names)}")
    raise click.exceptions.Exit(_FORFEITED)
