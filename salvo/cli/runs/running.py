"""Plays for commands: messages on stderr, how far it is, and Ctrl-C."""

import logging
import shlex
import sys
from collections.abc import Sequence

import click

from arena.schedule import Schedule, Until
from arena.store import Store, Tournament
from salvo.cli.options.run_options import RunOptions
from salvo.cli.runs.following import Following
from salvo.cli.runs.forfeits import Unplayed, exit_unstarted, put_off, unplayed
from salvo.cli.runs.so_far import SoFar
from salvo.cli.terminal.output import notify
from salvo.cli.terminal.region import Region
from salvo.playing import entering, recording
from salvo.playing.stopping import GracefulStop

_INTERRUPTED = 130
_LONGEST = 400  # characters of a command that is repeated to its user


def enter(bots: Sequence[str], run: RunOptions, gauntlet: str | None = None) -> entering.Entered:
    """Return who plays, see ``salvo.playing.entering.enter``.

    Raises:
        BotError: If that is impossible.
        click.exceptions.Exit: If no bot starts.
    """
    try:
        return entering.enter(bots, run, notify, gauntlet=gauntlet)
    except entering.NobodyStartsError as error:
        exit_unstarted(error.names)


def play(
    tournament: Tournament, schedule: Schedule, run: RunOptions, store: Store
) -> list[Unplayed]:
    """Play what the record lacks; at a terminal a bar and a table show how far it is.

    The first Ctrl-C lets the games in play finish, the second ends them. What was committed is
    kept, and the command that goes on from there is named.

    Returns:
        The matches of which every game is a forfeit, and those put off, for ``exit_if_unplayed``.

    Raises:
        click.exceptions.Exit: If it was stopped before all was played.
    """
    so_far = SoFar(entrant.name for entrant in tournament.entrants)
    with Region() as region:
        logging.basicConfig(handlers=[_LogAbove(region)], level=logging.WARNING)
        if region.shows:
            so_far.add_results(store.results(tournament.name))
        following = Following(region, so_far, run, tested=isinstance(schedule, Until))
        try:
            with GracefulStop(following.announce_stop) as stop:
                left = recording.play(
                    tournament,
                    schedule,
                    run,
                    store,
                    notify=following.notify,
                    progress=following,
                    played=so_far.add,
                    stop=stop,
                )
            stopped = stop() and following.done < following.wanted
        except KeyboardInterrupt:
            stopped = True
    if stopped:
        notify(
            f"stopped after {following.done:,} of {following.wanted:,} games, which are safe in "
            f"{run.db}; {repeated(sys.argv[1:])} goes on from there"
        )
        raise click.exceptions.Exit(_INTERRUPTED)
    return [*unplayed(store, tournament.name), *put_off(left)]


def repeated(words: Sequence[str]) -> str:
    """Return a command of Salvo in backquotes, or only that it is the same if it is long."""
    command = shlex.join(["salvo", *words])
    return f"`{command}`" if len(command) <= _LONGEST else "the same command"


class _LogAbove(logging.Handler):
    """Prints logs above a region."""

    def __init__(self, region: Region) -> None:
        super().__init__()
        self._region = region

    def emit(self, record: logging.LogRecord) -> None:
        self._region.say(f"salvo: {self.format(record)}")
