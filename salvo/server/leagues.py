"""Opens the league behind the server, and notices when it changes."""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from arena.errors import EmptyRecordError, UserError
from arena.league import League
from arena.schedule import Plan
from arena.store import Store
from salvo.bundled import bundled_bots

_FILES = ("league.toml", "register.json", "left-out.json")
_OWNER = 0o700


def make_private(folder: Path) -> None:
    """Let nobody but its owner into the folder of a league, and make it if need be.

    The record has what bots wrote to stderr, and beside it lie the bots themselves: no other user
    of the machine is to read them.

    Raises:
        UserError: If that cannot be done.
    """
    try:
        folder.mkdir(mode=_OWNER, parents=True, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(_OWNER)
    except OSError as error:
        raise UserError(
            f"league folder {folder}: it cannot be kept from other users of this machine: "
            f"{error.strerror}; run the server as its owner, or name another with --league"
        ) from error


def without_place(text: str, league: Path) -> str:
    """Return what is said of a league without where it lies, which is nobody's business.

    Files of a bot are named as its author knows them.
    """
    for place in (league.resolve(), league.absolute()):
        text = re.sub(rf"{re.escape(str(place))}/bots/[^/\s]+/", "", text)
        text = text.replace(f"{place}/", "").replace(str(place), league.name)
    return text


@contextlib.contextmanager
def opened(record: Path) -> Iterator[Store | None]:
    """Open the record of a league to read; None while no game is in it."""
    with contextlib.ExitStack() as stack:
        store = None
        if record.exists():
            with contextlib.suppress(EmptyRecordError):
                store = stack.enter_context(Store(record, create=False))
        yield store


def open_league(folder: Path) -> League:
    """Return the league in a folder.

    Raises:
        UserError: If there is none.
    """
    return League(folder, None, bundled_bots())


def plan_of(league: League, owned: dict[str, int], *, uploaded: bool) -> Plan:
    """Return what the server plays: the plan of the league, without games within an invite.

    ``owned`` has the invite by which each name was entered. Bots of invites play only if
    ``uploaded``, which is so in the sandbox alone.
    """
    plan = league.plan()

    def owner(full_name: str) -> int | None:
        return owned.get(full_name.rpartition("@")[0])

    def plays(full_name: str) -> bool:
        return uploaded or owner(full_name) is None

    return replace(
        plan,
        pairings=tuple(
            (one, other)
            for one, other in plan.pairings
            if (owner(one) is None or owner(one) != owner(other)) and plays(one) and plays(other)
        ),
        soloists=tuple(name for name in plan.soloists if plays(name)),
    )


class Watched:
    """A league that is read again when its files were changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen = self._stamp()
        self.league = open_league(folder)

    def changed(self) -> bool:
        """Return whether its files were changed since this was last asked; then read them again."""
        stamp = self._stamp()
        if stamp == self._seen:
            return False
        self._seen = stamp
        self.league = open_league(self.folder)
        return True

    def _stamp(self) -> tuple[tuple[int, int, int], ...]:
        found = []
        for name in _FILES:
            try:
                status = os.stat(self.folder / name)  # noqa: PTH116 - asked several times a second
            except FileNotFoundError:
                continue
            found.append((status.st_mtime_ns, status.st_ino, status.st_size))
        return tuple(found)
