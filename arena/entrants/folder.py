"""Reads a bot's folder so that nothing in it can lead outside, block, or go on forever.

The folder is opened once, and all in it is reached from that descriptor, part by part, without
following links: a file that is replaced by a link while it is read is refused. Links are resolved
here: one that leads to a file of the folder stands for that file, one that leads to a folder
inside stays a link, and a link that leads elsewhere is only reported, not read.
"""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from msgspec import Struct

from arena.errors import BotError

MAX_ENTRIES = 4096
"""Files, folders and links in a bot's folder."""

MAX_DEPTH = 16
"""Folders inside each other."""

MAX_MB = 1024
"""All files of a bot together."""

_CHUNK = 1 << 20
_TO_WALK = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A FIFO that takes a file's place must not block.
_TO_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

Parts = tuple[str, ...]


class Item(Struct, frozen=True):
    """A file of a bot, or a link that stays one.

    Attributes:
        name: The path by which the bot knows it, from the folder.
        place: Where its bytes lie, from the folder: not its name if that is a link.
        link: What it leads to, for a link: from its own folder if that lies inside, else the
            whole path.
    """

    name: str
    place: Parts
    size: int = 0
    executable: bool = False
    link: str | None = None

    @property
    def leaves(self) -> bool:
        """Whether it is a link that leads out of the folder."""
        return self.link is not None and self.link.startswith("/")


class Folder:
    """An open folder. Use it in a ``with`` statement.

    Args:
        path: The folder; no link.
        own: The names in it that are the bot's own; None if all are.
        apart: Folders in it that are not the bot's own, whatever their names: they are left out.

    Raises:
        OSError: If it cannot be opened.
    """

    def __init__(
        self, path: Path, own: Iterable[str] | None = None, apart: Iterable[Path] = ()
    ) -> None:
        self.path = path
        self._apart = frozenset(p.relative_to(path).parts for p in apart if p.is_relative_to(path))
        self._own = None if own is None else frozenset(own)
        self._entries = 0
        self._bytes = 0
        self._root = os.open(path, _TO_WALK)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    def owns(self, place: Path) -> bool:
        """Return whether a path without links in it lies among what is the bot's own."""
        return place.is_relative_to(self.path) and self._owns(place.relative_to(self.path).parts)

    def _owns(self, parts: Parts) -> bool:
        if any(parts[: len(apart)] == apart for apart in self._apart):
            return False
        return self._own is None or (bool(parts) and parts[0] in self._own)

    def items(self, names: Iterable[str] = (".",)) -> list[Item]:
        """Return what lies under some paths, given from the folder and without ``..``, in order.

        Hidden files and compiled Python are left out unless they are named, and so are links that
        lead nowhere.

        Raises:
            BotError: If there is more than the limits allow, or what is neither file nor folder.
            OSError: If it cannot be read, or a name is not there.
        """
        found: dict[Parts, Item] = {}
        for name in names:
            parts = Path(name).parts
            assert ".." not in parts
            for item in self._walk(parts):
                found.setdefault(Path(item.name).parts, item)
        return [found[parts] for parts in sorted(found)]

    def _walk(self, parts: Parts) -> Iterator[Item]:
        if parts in self._apart:
            return
        status = self._status(parts)
        if stat.S_ISDIR(status.st_mode):
            for name in self._names(parts):
                yield from self._walk((*parts, name))
        elif stat.S_ISLNK(status.st_mode):
            yield from self._follow(parts)
        else:
            yield self._file(parts, parts, status)

    def _names(self, parts: Parts) -> list[str]:
        if len(parts) > MAX_DEPTH:
            raise self._refusal(f"more than {MAX_DEPTH} folders lie inside each other")
        names = []
        with self._opened(parts) as folder, os.scandir(folder) as entries:
            for entry in entries:
                self._entries += 1
                if self._entries > MAX_ENTRIES:
                    raise self._refusal(
                        f"more than {MAX_ENTRIES} files and folders lie in it; "
                        "leave out what it does not read"
                    )
                if not entry.name.startswith(".") and entry.name != "__pycache__":
                    names.append(entry.name)
        return sorted(names)  # so that what is refused depends on no file system

    def _follow(self, parts: Parts) -> Iterator[Item]:
        name = "/".join(parts)
        real = Path(os.path.realpath(self.path.joinpath(*parts)))
        if not self.owns(real):
            yield Item(name, parts, link=str(real))
            return
        place = real.relative_to(self.path).parts
        try:
            status = self._status(place)
        except (FileNotFoundError, NotADirectoryError):
            return  # it leads nowhere
        if stat.S_ISDIR(status.st_mode):
            if any(part.startswith(".") for part in place):
                raise self._refusal(f"its link {name!r} leads to a hidden folder; rename that")
            target = os.path.relpath(Path("/", *place), Path("/", *parts[:-1]))
            yield Item(name, parts, link=target)
        elif not stat.S_ISLNK(status.st_mode):  # else it leads in a circle
            yield self._file(parts, place, status)

    def _file(self, parts: Parts, place: Parts, status: os.stat_result) -> Item:
        name = "/".join(parts)
        if not stat.S_ISREG(status.st_mode):
            raise self._refusal(f"{name!r} in it is neither a file nor a folder; remove it")
        self._bytes += status.st_size
        if self._bytes > MAX_MB * 1_000_000:
            raise self._refusal(
                f"its files have more than {MAX_MB} MB together, with {name!r}; "
                "leave out what it does not read"
            )
        executable = bool(status.st_mode & stat.S_IXUSR)
        return Item(name, place, status.st_size, executable)

    def _status(self, parts: Parts) -> os.stat_result:
        if not parts:
            return os.fstat(self._root)
        with self._opened(parts[:-1]) as folder:
            return os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)

    @contextlib.contextmanager
    def _opened(self, parts: Parts) -> Iterator[int]:
        """Yield a descriptor of a folder inside, reached without following links."""
        descriptor = os.dup(self._root)
        try:
            for part in parts:
                inner = os.open(part, _TO_WALK, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)

    def read(self, item: Item, *, linked: bool = True) -> Iterator[bytes]:
        """Yield the bytes of a file, piece by piece.

        Unless ``linked``, a hard link is refused: it may be somebody else's file.

        Raises:
            BotError: If it is no longer what it was when it was listed, or a hard link.
            OSError: If it cannot be read.
        """
        with self._opened(item.place[:-1]) as folder:
            descriptor = os.open(item.place[-1], _TO_READ, dir_fd=folder)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            status = os.fstat(descriptor)
            if status.st_nlink > 1 and not linked:
                raise self._refusal(
                    f"its file {item.name!r} is a hard link, and so may be somebody else's file; "
                    "submit a copy, such as `cp -r` makes"
                )
            left = item.size if stat.S_ISREG(status.st_mode) else -1
            while left >= 0 and (data := file.read(_CHUNK)):
                left -= len(data)
                if left >= 0:
                    yield data
        if left != 0:
            raise self._refusal(f"{item.name!r} in it was changed while it was read; try again")

    def _refusal(self, reason: str) -> BotError:
        return BotError(f"bot {str(self.path)!r}: {reason}")
