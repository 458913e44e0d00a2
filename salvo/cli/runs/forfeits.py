"""Ends a command with exit code 3 if something was not played, for scripts to see."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NoReturn

import click
from msgspec import Struct

from arena.store import RESULT_COLUMNS, Store
from arena.tournament import PutOff
from salvo.cli.terminal.output import notify

_FORFEITED = 3


class Unplayed(Struct, frozen=True):
    """A match, or the solo games of a bot, that was not played, and by whose fault."""

    names: frozenset[str]
    losers: frozenset[str]
    why: str = "every game was a forfeit"


def unplayed(store: Store, tournament: str) -> list[Unplayed]:
    """Return of what in a tournament every game in the record is a forfeit."""
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


def put_off(blocks: Iterable[PutOff]) -> list[Unplayed]:
    """Return what was not played since something that a bot needs was not available."""
    from salvo.playing.mishaps import describe_put_off

    return [
        Unplayed(frozenset(block.entrants), frozenset([block.entrant]), why)
        for block, why in describe_put_off(blocks)
    ]


def exit_if_unplayed(matches: Sequence[Unplayed]) -> None:
    """End the command with exit code 3 if there are any; call this after everything is printed.

    Raises:
        click.exceptions.Exit: If there are; each is named on stderr.
    """
    for names, why in sorted((sorted(match.names), match.why) for match in matches):
        what = f"match of {' and '.join(names)}" if len(names) > 1 else f"solo of {names[0]}"
        notify(f"{what}: {why}")
    if matches:
        raise click.exceptions.Exit(_FORFEITED)


def exit_unstarted(names: Sequence[str]) -> NoReturn:
    """End the command with exit code 3: none of its bots starts.

    Raises:
        click.exceptions.Exit: Always.
    """
    notify(f"nothing was played, since none of these bots starts: {', '.join(names)}")
    raise click.exceptions.Exit(_FORFEITED)
