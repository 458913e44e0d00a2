"""Reads the files that a bot's hash covers as they were hashed, and writes them elsewhere."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from arena.entrants.folder import Folder, Item
from arena.errors import BotError

_TO_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class HashedFile(Struct, frozen=True):
    """A file or link of a bot, as it was hashed."""

    home: str  # the folder that it was read from, as a whole path
    item: Item
    sha256: str = ""  # the hash of its bytes; empty for a link

    @property
    def path(self) -> str:
        """Return its whole path."""
        return f"{self.home.rstrip('/')}/{self.item.name}"


def contents(own: Iterable[HashedFile]) -> Iterator[tuple[HashedFile, Iterator[bytes]]]:
    """Yield files and links, each with its bytes, piece by piece, to be read before the next.

    Raises:
        BotError: If one is no longer what was hashed.
        OSError: If one cannot be read.
    """
    with ExitStack() as stack:
        folders: dict[str, Folder] = {}
        for one in own:
            if one.home not in folders:
                folders[one.home] = stack.enter_context(Folder(Path(one.home)))
            yield one, _as_hashed(one, folders[one.home])


def _as_hashed(one: HashedFile, folder: Folder) -> Iterator[bytes]:
    if one.item.link is not None:
        return
    hasher = hashlib.sha256()
    for chunk in folder.read(one.item):
        hasher.update(chunk)
        yield chunk
    if hasher.hexdigest() != one.sha256:
        raise BotError(f"bot file {one.path!r}: it was changed since it was read; try again")


def write(
    place: Path, chunks: Iterable[bytes], *, executable: bool = False, link: str | None = None
) -> None:
    """Write a file or link of a bot to a place where nothing is yet.

    Raises:
        OSError: If it cannot be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    if link is not None:
        place.symlink_to(link)
        return
    # Only the executable bit is kept: a set-user-id copy would run with its owner's rights.
    descriptor = os.open(place, _TO_MAKE, 0o600)
    with os.fdopen(descriptor, "wb") as copy:
        copy.writelines(chunks)
        os.fchmod(descriptor, 0o755 if executable else 0o644)


def make_read_only(folder: Path) -> None:
    """Let nobody write to a folder, and let every user read it: bots may have uids of their own."""
    for place, _, files in os.walk(folder):
        for path in (Path(place, file) for file in files):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & 0o555)
        Path(place).chmod(0o555)
