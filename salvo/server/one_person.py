"""Serves one person on this machine: a league of one bot, which nobody else sees."""

import contextlib
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

from arena.entrants import Terms
from arena.errors import UserError
from arena.human_game import SETTINGS
from arena.league import Charter, League
from arena.rules import Rules
from arena.seeds import LEAGUE_SEED_BITS
from salvo.bundled import bundled_bots
from salvo.server.database.keys import add_key
from salvo.server.database.server_database import Database
from salvo.server.leagues import make_private
from salvo.server.serving import bound, run
from salvo.server.web.guard import Policy
from salvo.server.work.recording import record_into

_HOSTS = frozenset({"localhost", "127.0.0.1"})
_CLOSED = "this page is for one person to play on"
_PORTS = range(8790, 8800)
"""Tried first: a browser keeps cookies for each port, and they are not to become more and more."""


def make_table(folder: Path, bot: Path, name: str, rules: Rules, terms: Terms) -> None:
    """Make the league of one bot in an empty folder.

    Raises:
        BotError: If the bot holds or asks for what it cannot have.
    """
    seed = str(secrets.randbits(LEAGUE_SEED_BITS))
    charter = Charter(rules=rules, seed=seed, layouts=0, times=SETTINGS, terms=terms)
    league = League(folder, charter, bundled_bots())
    make_private(folder)
    with league.candidate(bot, name) as candidate:
        league.admit(candidate)


def serve_table(
    folder: Path, *, isolation: str, record: Path, person: str, begun: Callable[[str], None]
) -> None:
    """Serve a league of one bot on loopback, until the process is told to end.

    Args:
        isolation: The level at which the bot plays.
        record: The games are written there, with those of `salvo play`.
        begun: Is called with the address to open, whose key works once.
    """
    with _listening() as listening:
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with Database(folder) as db:
            db.settle("isolation", isolation)
            record_into(db, record.absolute(), person)
            key = add_key(db, "read")
        begun(f"{base}/enter?key={key}")
        run(folder, Policy(hosts=_HOSTS), _CLOSED, listening, ("host", "coach"), one_person=True)


def _listening() -> socket.socket:
    """Return a socket at the first port that is free."""
    for port in _PORTS:
        with contextlib.suppress(UserError):
            return bound("127.0.0.1", port)
    return bound("127.0.0.1", 0)
