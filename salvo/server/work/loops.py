"""Runs the loop of each worker process, such as the one that checks, and the one that plays."""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from arena.errors import UserError
from arena.isolation import AUTO, Level, adopt_orphans, choose, end_orphans, leave_when_told
from salvo.server.database.analyses import Analyses
from salvo.server.database.challenges import Challenges
from salvo.server.database.server_database import Database
from salvo.server.leagues import Watched, opened
from salvo.server.results import looks_due
from salvo.server.work.challenging import play_next
from salvo.server.work.checkers import Checkers
from salvo.server.work.hosting import Hosts
from salvo.server.work.league_play import play_missing
from salvo.server.work.resting import must_rest, role_of
from salvo.server.work.signature import signature

_IDLE_S = 0.3
_COACH_IDLE_S = 0.1  # a person waits
_NICE = {"host": 3, "challenge": 4, "coach": 4, "rate": 5}
"""Pages go first, games of the league and checks next, at 2; then people, and ratings last."""
_RATING_S, _RATING_SHARE = 2.0, 5
"""How long a rating is followed by rest: so long, and so many times the processor time it took.

On a busy machine it takes long and uses little, and the next one is not to be put off by that.
"""


def work(role: str, folder: Path, goes_on: Callable[[], bool]) -> None:
    """Do the work of one role."""
    leave_when_told()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends this
    os.nice(_NICE.get(role, 2))
    logging.basicConfig(format=f"salvo {role}: %(message)s", level=logging.WARNING, force=True)
    try:
        with role_of(folder, role):
            _WORK[role](folder, lambda: goes_on() and not must_rest(folder))
    except UserError as error:
        with Database(folder) as db:
            db.note(f"{role}: {error}")
        sys.exit(f"salvo {role}: {error}")
    finally:
        # A signal may have come while a bot was being started, which nobody else knows of then.
        end_orphans(())


def _check(folder: Path, goes_on: Callable[[], bool]) -> None:
    choice = choose(Level.SANDBOX.value)  # raises, and ends this, where it does not hold
    assert choice.level is Level.SANDBOX
    adopt_orphans()
    with Checkers(folder) as checkers:
        while goes_on():
            checkers.look_after(_IDLE_S)


def _play(folder: Path, goes_on: Callable[[], bool]) -> None:
    for _ in play_missing(folder, choose(AUTO)):
        if not goes_on():
            return
        time.sleep(_IDLE_S)


def _host(folder: Path, goes_on: Callable[[], bool]) -> None:
    with Database(folder) as db:
        choice = choose(db.setting("isolation", AUTO))
    adopt_orphans()
    with Hosts(folder, choice) as hosts:
        while goes_on():
            hosts.look_after(_IDLE_S)


def _challenge(folder: Path, goes_on: Callable[[], bool]) -> None:
    choice = choose(AUTO)
    adopt_orphans()
    with Challenges(folder) as challenges:
        while goes_on():
            if not play_next(folder, challenges, choice):
                time.sleep(_IDLE_S)


def _coach(folder: Path, goes_on: Callable[[], bool]) -> None:
    with Analyses(folder) as analyses:
        while goes_on():
            what = analyses.take_next()
            if what is None:
                time.sleep(_COACH_IDLE_S)
                continue
            from salvo.server.work.coaching import analyse  # noqa: PLC0415 - see `_rate`

            analyse(folder, analyses, what)


def _rate(folder: Path, goes_on: Callable[[], bool]) -> None:
    rated, rests_until = "", 0.0
    watched = Watched(folder)
    while goes_on():
        watched.changed()
        league = watched.league
        with opened(league.record) as store, Database(folder) as db:
            wanted = "" if store is None else signature(league, store, db)
            is_awaited = bool(looks_due(league, db))  # no game is begun before that look
        if wanted != rated and (is_awaited or time.monotonic() >= rests_until):
            # A second of a processor and 100 MB, which all do without until something is played.
            from salvo.server.work.rating import rate_again  # noqa: PLC0415

            before_s = time.process_time()
            rate_again(folder)
            rated, used_s = wanted, time.process_time() - before_s
            rests_until = time.monotonic() + max(_RATING_S, _RATING_SHARE * used_s)
        time.sleep(_IDLE_S)


_WORK = {
    "check": _check,
    "play": _play,
    "host": _host,
    "coach": _coach,
    "challenge": _challenge,
    "rate": _rate,
}
