"""Lets the worker processes of a server rest while somebody changes what they have in memory.

They end, and those that are started in their place wait until it is done.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from arena.errors import UserError
from salvo.server.database.server_database import folder_of

ROLES = ("check", "play", "host", "coach", "challenge", "rate")
"""What worker processes do; one does each, and has a lock meanwhile."""

SERVED = "web.lock"
"""The lock that a server has as long as it runs."""

_PATIENCE_S = 120.0
_LOOK_S = 0.05


@contextlib.contextmanager
def role_of(league: Path, role: str) -> Iterator[None]:
    """Wait until no other process has a role, as one whose server was just killed, and have it.

    Whoever wants the workers to rest comes first.
    """
    with contextlib.ExitStack() as stack:
        with beside_workers(league):
            lock = stack.enter_context((folder_of(league) / f"{role}.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def without_workers(league: Path) -> Iterator[None]:
    """Keep all worker processes of a league from working; others who want that too wait.

    Raises:
        UserError: If one has not ended after two minutes.
    """
    deadline = time.monotonic() + _PATIENCE_S
    with contextlib.ExitStack() as stack:
        fcntl.flock(stack.enter_context(_rest(league)), fcntl.LOCK_EX)
        for path in folder_of(league).glob("*.lock"):
            if path.name == SERVED:
                continue
            lock = stack.enter_context(path.open("w"))
            while not _take(lock.fileno(), fcntl.LOCK_EX):
                if time.monotonic() > deadline:
                    raise UserError(
                        f"league folder {league}: the process that does '{path.stem}' has not "
                        f"ended within {_PATIENCE_S:.0f} s; run the same command again"
                    )
                time.sleep(_LOOK_S)
        yield


@contextlib.contextmanager
def beside_workers(league: Path) -> Iterator[None]:
    """Keep others from `without_workers`; worker processes go on."""
    with _rest(league) as rest:
        fcntl.flock(rest, fcntl.LOCK_SH)
        yield


def must_rest(league: Path) -> bool:
    """Return whether somebody wants the worker processes to end."""
    with _rest(league) as rest:
        return not _take(rest, fcntl.LOCK_SH)


@contextlib.contextmanager
def _rest(league: Path) -> Iterator[int]:
    """Open what is locked by whoever wants the workers to rest: the server's own folder."""
    descriptor = os.open(folder_of(league), os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def is_served_now(league: Path) -> bool:
    """Return whether a server runs."""
    with (folder_of(league) / SERVED).open("w") as lock:
        return not _take(lock.fileno(), fcntl.LOCK_SH)


def _take(lock: int, how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
