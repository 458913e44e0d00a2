"""The league behind the server: opened, and looked at for changes."""

import os
from pathlib import Path

from msgspec.structs import replace

from arena.league import League
from arena.schedule import Plan
from salvo.bundled import bundled_bots

__all__ = ["Watched", "open_league", "plan_of"]

_FILES = ("league.toml", "register.json")


def open_league(folder: Path) -> League:
    """Return the league in a folder.

    Raises:
        UserError: If there is none.
    """
    return League(folder, None, bundled_bots())


def plan_of(league: League, owned: dict[str, int], *, uploaded: bool) -> Plan:
    """Return what the server plays: the plan of the league, without games within an invite.

    Args:
        league: The league.
        owned: By which invite each name was entered, see ``owners``.
        uploaded: Whether bots of invites play: nowhere but in the sandbox.
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
    """A league that is read again when its files were changed.

    Args:
        folder: Its folder.
    """

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
