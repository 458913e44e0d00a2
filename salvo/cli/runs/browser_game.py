"""Plays on a page in the browser, for ``salvo play --browser``."""

import contextlib
import tempfile
import webbrowser
from collections.abc import Mapping
from pathlib import Path

import click

from arena.entrants import Terms
from arena.errors import UserError, not_installed
from arena.rules import Rules
from arena.store import Store
from salvo.bundled import bundled_bots
from salvo.cli.options.record_options import DEFAULT_DB
from salvo.cli.terminal.output import notify

_LEAGUE = "Salvo"


def refuse_in_browser(bot: str | None, given: Mapping[str, bool]) -> None:
    """Refuse options that the page has no use for, by name whether they were given.

    Raises:
        UserError: If one was, or the bot is no file or folder, of which a copy could be made.
    """
    if bot is not None and not _path(bot).exists():
        raise UserError(f"--browser: BOT {bot!r} is no bundled bot, file or folder; name one")
    for option, is_given in given.items():
        if is_given:
            raise UserError(
                f"{option}: with --browser the page asks what is to be played; leave it out"
            )


def play_in_browser(  # noqa: PLR0913 - what is played, how, and where it is recorded
    bot: str, name: str, rules: Rules, terms: Terms, *, isolation: str, db: Path, person: str
) -> None:
    """Serve a page to play against a bot on, open it, and go on until Ctrl-C.

    Raises:
        UserError: If what serves pages is not installed.
    """
    try:
        from salvo.server.one_person import make_table, serve_table
    except ModuleNotFoundError as error:
        raise UserError(f"--browser: {not_installed(str(error.name), 'serve')}") from error

    def begun(address: str) -> None:
        click.echo(address)
        notify(f"play {name} at this address, which works once; Ctrl-C ends it")
        webbrowser.open(address)

    before = _newest(db)
    with tempfile.TemporaryDirectory(prefix="salvo-play-") as folder:
        league = Path(folder) / _LEAGUE
        make_table(league, _path(bot), name, rules, terms)
        with contextlib.suppress(KeyboardInterrupt):
            serve_table(league, isolation=isolation, record=db, person=person, begun=begun)
    if _newest(db) == before:
        notify("no game was played to its end against the bot, and none is recorded")
    else:
        notify(f"`salvo games{'' if db == DEFAULT_DB else f' --db {db}'}` lists what you played")


def _newest(db: Path) -> int:
    with Store(db, create=False) as store:
        return store.newest_block()


def _path(bot: str) -> Path:
    return bundled_bots().get(bot, Path(bot))
