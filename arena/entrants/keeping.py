"""Copies of bots: all that is a bot's own, in a folder from which it plays as before.

What is copied is what its hash covers, so that the copy has the hash of the original.
"""

import os
from pathlib import Path

from arena.entrants.folder import Folder, Item
from arena.entrants.own import opened
from arena.entrants.terms import Terms
from arena.errors import BotError

__all__ = ["keep"]

_TO_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def keep(path: Path, folder: Path, terms: Terms) -> Path:
    """Copy a bot.

    Args:
        path: The file or folder that it is.
        folder: An empty folder that nobody else writes to.
        terms: What the bot may be given.

    Returns:
        The file or folder that the copy is.

    Raises:
        BotError: If it holds or asks for what it cannot have, or cannot be copied.
    """
    try:
        path = path.resolve()
        with opened(path, terms) as own:
            target = folder / path.name if own.is_folder else folder
            target.mkdir(exist_ok=True)
            for item in own.items:
                _copy(own.folder, item, target / item.name)
    except OSError as error:
        raise BotError(
            f"bot {str(path)!r}: it cannot be copied to {folder}: {error.strerror or error}"
        ) from error
    return folder / path.name


def _copy(folder: Folder, item: Item, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if item.link is not None:
        place.symlink_to(item.link)
        return
    # Only the executable bit is kept: a set-user-id copy would run with its owner's rights.
    descriptor = os.open(place, _TO_MAKE, 0o600)
    with os.fdopen(descriptor, "wb") as copy:
        for chunk in folder.read(item):
            copy.write(chunk)
        os.fchmod(descriptor, 0o755 if item.executable else 0o644)
