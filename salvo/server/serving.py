"""Runs the server: a socket, the application, and the processes that work for it."""

import asyncio
import contextlib
import functools
import logging
import resource
import signal
import socket
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import uvicorn

from arena.errors import UserError
from salvo.locks import held
from salvo.server.database.keys import replace_key
from salvo.server.database.queue import clear_leftovers
from salvo.server.database.server_database import Database, folder_of
from salvo.server.forgetting.deleting import finish_forgetting
from salvo.server.web.app import make_app
from salvo.server.web.connections import Connection
from salvo.server.web.guard import Guard, Policy
from salvo.server.web.live import Live
from salvo.server.work.resting import SERVED
from salvo.server.work.supervisor import Supervisor

_log = logging.getLogger(__name__)

_LOOK_AFTER_S = 1.0
_MOST_CONNECTIONS = 2000
_OTHER_FILES = 400  # what is opened beside connections: the database, the record, uploads
_IDLE_S = 5
_GRACE_S = 2


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        UserError: If it cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise UserError(
            f"--host {host} --port {port}: cannot be listened at: {error.strerror}; choose another "
            "port, or 0 for any that is free"
        ) from error
    return listening


@contextlib.contextmanager
def only_one(league: Path) -> Iterator[None]:
    """Make sure that no other server serves the same league.

    Raises:
        UserError: If one does.
    """
    with Database(league):
        pass  # its folder is made
    told = f"league folder {league}: another `salvo serve` serves it; end that first"
    with held(folder_of(league) / SERVED, told):
        yield


def token_of(league: Path) -> str:
    """Return the operator's key of this run; that of an earlier one is void."""
    with Database(league) as db:
        return replace_key(db, "operate")


def run(  # noqa: PLR0913 - what is served, to whom, where, and by whom
    league: Path,
    policy: Policy,
    closed: str,
    listening: socket.socket,
    roles: Sequence[str],
    *,
    one_person: bool = False,
) -> None:
    """Serve until the process is told to end; call it in the main thread.

    ``closed`` is the reason why submissions are closed, or "" if they are open.
    """
    clear_leftovers(league)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    logging.basicConfig(format="salvo serve: %(message)s", level=logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    try:
        finish_forgetting(league)
    except UserError as error:  # the league can be served, and the same may be tried again
        _log.warning("%s", error)
    with Supervisor(league, roles) as supervisor:
        app, live = make_app(league, policy, closed, one_person=one_person)
        asyncio.run(_serve(app, live, listening, supervisor))


async def _serve(app: Guard, live: Live, listening: socket.socket, supervisor: Supervisor) -> None:
    config = uvicorn.Config(
        app,
        http=cast("type[Connection]", functools.partial(Connection, peer_of=app.peer_of)),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=True,
        limit_concurrency=_connections(),
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    beside = [asyncio.create_task(live.follow()), asyncio.create_task(_look_after(supervisor))]
    try:
        await uvicorn.Server(config).serve(sockets=[listening])
    finally:
        for task in beside:
            task.cancel()


async def _look_after(supervisor: Supervisor) -> None:
    while True:
        await asyncio.sleep(_LOOK_AFTER_S)
        try:
            supervisor.look_after()
        except (OSError, UserError, sqlite3.Error) as error:
            _log.warning("the workers cannot be looked after; it is tried again: %s", error)


def _connections() -> int:
    """Return how many connections are served at once: no more than there can be open files.

    Who comes beyond that is told to come again. Without files for it nobody would be told
    anything, and the requests of all others would fail.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + _OTHER_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(_MOST_CONNECTIONS, max(soft - _OTHER_FILES, soft // 2))
