"""Keeps two processes from doing the same work in one folder."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import UserError


@contextmanager
def held(lock: Path, otherwise: str) -> Iterator[None]:
    """Hold a lock file; it is free again when this process ends, however it does.

    Raises:
        UserError: If another process holds it, with the message ``otherwise``.
    """
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(otherwise) from None
        yield
