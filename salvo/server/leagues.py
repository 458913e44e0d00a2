"""The league behind the server: opened, and looked at for changes."""

import os
from pathlib import Path

from arena.league import League
from salvo.bundled import bundled_bots

__all__ = ["Watched", "open_league"]

_FILES = ("league.toml", "register.json")


def open_league(folder: Path) -> League:
    """Return the league in a folder.

    Raises:
        UserError: If there is none.
    """
    return League(folder, None, bundled_bots())


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
