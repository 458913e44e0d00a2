"""Completes the words of a command for a shell: bots, rules, and what a record holds.

What cannot be read, such as a record that is not there yet, completes to nothing.
"""

import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from arena.errors import UserError
from arena.league import League
from arena.rules import PRESETS
from arena.store import Store
from salvo.bundled import bundled_bots

_GAMES = 200  # the most games that are offered, the newest first
_ID = 8  # characters of a game's id that are shown
_Items = Iterator[CompletionItem]
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _completer(items: Callable[[click.Context, str], _Items]) -> Complete:
    """Make a callback for Click of what yields items."""

    @functools.wraps(items)
    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del parameter
        try:
            found = list(items(context, incomplete))
        except (OSError, UserError):
            return []
        return [item for item in found if item.type != "plain" or item.value.startswith(incomplete)]

    return complete


@_completer
def complete_bots(context: click.Context, incomplete: str) -> _Items:
    """Yield the bundled bots, and files; each may stand after NAME=."""
    del context
    name, equals, bot = incomplete.rpartition("=")
    for known in bundled_bots():
        yield CompletionItem(f"{name}{equals}{known}")
    yield from _paths(f"{name}{equals}", bot)


@_completer
def complete_rules(context: click.Context, incomplete: str) -> _Items:
    """Yield the presets with what they are, and files."""
    del context
    for name, (_, line) in PRESETS.items():
        yield CompletionItem(name, help=line)
    yield from _paths("", incomplete)


def _paths(before: str, incomplete: str) -> _Items:
    folder, _ = os.path.split(incomplete)
    for path in sorted(Path(folder or ".").iterdir()):
        if not path.name.startswith("."):
            shown = os.path.join(folder, path.name)  # noqa: PTH118 - it stays as it was typed
            yield CompletionItem(f"{before}{shown}{'/' if path.is_dir() else ''}")


@_completer
def complete_tournaments(context: click.Context, incomplete: str) -> _Items:
    """Yield the tournaments of the record."""
    del incomplete
    with _record(context) as store:
        for name in store.tournament_names():
            yield CompletionItem(name)


@_completer
def complete_games(context: click.Context, incomplete: str) -> _Items:
    """Yield the newest games of the record that may be meant, and who played them."""
    with _record(context) as store:
        for identifier, first, second in store.newest_games(incomplete, _GAMES):
            who = f"{first} alone" if second is None else f"{first} against {second}"
            length = max(_ID, len(incomplete))
            yield CompletionItem(identifier[:length], help=who)


@_completer
def complete_entrants(context: click.Context, incomplete: str) -> _Items:
    """Yield the bots of the tournament that is meant."""
    del incomplete
    with _record(context) as store:
        for entrant in store.tournament(context.params.get("tournament_name")).entrants:
            yield CompletionItem(entrant.name)


@_completer
def complete_members(context: click.Context, incomplete: str) -> _Items:
    """Yield the bots that play in the league that is meant."""
    del incomplete
    for entry in League(context.params["folder"]).field:
        yield CompletionItem(entry.name)


def _record(context: click.Context) -> Store:
    return Store(context.params["db"], create=False)
