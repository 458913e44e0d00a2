"""Copies bots, all that their hashes cover and nothing else, into folders to play from.

What else lies in a bot's folder is neither run nor read: a hidden file, or compiled Python, which
the interpreter takes for the module beside it. What its author changes while it plays does not
matter either.
"""

import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self, TypeVar

from msgspec.structs import replace

from arena.bot import Bot
from arena.entrants.entrant import Entrant
from arena.entrants.hashed_files import contents, make_read_only, write
from arena.entrants.needs import Terms
from arena.entrants.own_files import opened
from arena.entrants.packed_bot import locate, portable
from arena.errors import BotError, StorageError, UserError
from arena.isolation import Program

_PREFIX = "salvo-bots-"
_NAME_BYTES = 8
_ATTEMPTS = 100

_Piece = TypeVar("_Piece")
_State = frozenset[tuple[str, int, int, int, int]]


class Copies:
    """The private copies of some bots, removed at the end of a ``with`` statement.

    Attributes:
        bots: What plays, by the names of the entrants; a class of this process as it is.

    Raises:
        BotError: If one is no longer what it was when it was entered.
        UserError: If one cannot be read.
        StorageError: If they cannot be written, or may not be executed there.
    """

    def __init__(self, entrants: Iterable[Entrant]) -> None:
        self.bots: dict[str, Program | type[Bot]] = {}
        self._homes: dict[str, tuple[Path, _State]] = {}
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(private_folder(_temporary()))
            for entrant in entrants:
                self.bots[entrant.name] = self._copied(entrant)
            self._ending = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def _copied(self, entrant: Entrant) -> Program | type[Bot]:
        program = entrant.bot
        if isinstance(program, type) or not program.argv:
            return program
        # A bot that sees the path of its own copy must not be able to guess that of another.
        home = self.folder / secrets.token_hex(_NAME_BYTES)
        moved, own = portable(entrant)
        try:
            read = _read(entrant, contents(own.values()))
            for place, (one, chunks) in zip(own, read, strict=True):
                item, data = one.item, _read(entrant, chunks)
                write(home / place, data, executable=item.executable, link=item.link)
            located = locate(moved, home)
            make_read_only(home)
        except OSError as error:
            raise StorageError(
                f"bot {entrant.name}: it cannot be copied to {self.folder}, from where it is to "
                f"play: {error.strerror or error}; name another place with the variable TMPDIR"
            ) from error
        if Path(located.argv[0]).is_relative_to(home) and os.statvfs(home).f_flag & os.ST_NOEXEC:
            raise StorageError(
                f"bot {entrant.name}: it is copied to {self.folder}, from where it is to play, and "
                "nothing there may be executed (noexec); name another place with the variable "
                "TMPDIR"
            )
        self._homes[entrant.name] = home, _state(home)
        return replace(located, original=program)

    def refuse_changed(self, names: Iterable[str]) -> None:
        """Refuse bots whose copies were changed, as bots can at the weakest levels of isolation.

        Raises:
            BotError: If one was.
        """
        for name in names:
            if name in self._homes and _state(self._homes[name][0]) != self._homes[name][1]:
                raise BotError(
                    f"{name}: its files were changed while it played, by itself or another bot; "
                    "this block is not kept, earlier ones are; choose a stronger --isolation"
                )


def keep(path: Path, folder: Path, terms: Terms, *, linked: bool = False) -> Path:
    """Copy a bot into an empty folder, and return the file or folder that the copy is.

    Unless ``linked``, hard links are refused: they may be somebody else's files. Those of installed
    packages often are some.

    Raises:
        BotError: If it holds or asks for what it cannot have, or cannot be copied.
    """
    try:
        path = path.resolve()
        with opened(path, terms) as own:
            target = folder / path.name if own.is_folder else folder
            target.mkdir(exist_ok=True)
            for item in own.items:
                chunks = () if item.link else own.folder.read(item, linked=linked)
                place = target / item.name
                write(place, chunks, executable=item.executable, link=item.link)
    except OSError as error:
        raise BotError(
            f"bot {str(path)!r}: it cannot be copied to {folder}: {error.strerror or error}"
        ) from error
    return folder / path.name


def _temporary() -> Path:
    """Return the folder of temporary files; Python looks for one in which it can write."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise StorageError(
            f"no folder for copies of bots can be made: {error.strerror}; free some space, or name "
            "a place with the variable TMPDIR"
        ) from error


def _read(entrant: Entrant, pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Yield pieces of a bot; an error in reading it is not one of the copy."""
    try:
        yield from pieces
    except OSError as error:
        raise UserError(f"bot {entrant.name}: it cannot be read: {error}") from error


def _state(folder: Path) -> _State:
    """Return what lies in a folder, and when it was changed, a time that nobody can set."""
    found = set()
    for place, folders, files in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in (*folders, *files))):  # noqa: PTH118 - as fast as can be
            status = os.lstat(path)
            found.add((path, status.st_mode, status.st_ino, status.st_size, status.st_ctime_ns))
    return frozenset(found)


@contextlib.contextmanager
def private_folder(parent: Path) -> Iterator[Path]:
    """Make a folder, and remove it at the end with all that is in it.

    Folders of processes that were killed before they could are removed as well: a lock shows that
    the process lives which made one.

    Raises:
        StorageError: If it cannot be made.
    """
    _remove_abandoned(parent)
    try:
        folder, lock = _made(parent)
    except OSError as error:
        raise StorageError(
            f"{parent}: no folder for copies of bots can be made there: {error.strerror or error}; "
            "name another place with the variable TMPDIR"
        ) from error
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


def _made(parent: Path) -> tuple[Path, int]:
    for _ in range(_ATTEMPTS):
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)).resolve()
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if folder.exists():
                    os.fchmod(lock, 0o711)  # bots may have uids of their own
                    return folder, lock
            os.close(lock)  # another process took it for abandoned
    raise FileExistsError(f"{_ATTEMPTS} folders were taken away")


def _remove_abandoned(parent: Path) -> None:
    """Remove the folders that were left by processes of this user which are gone."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(lock).st_uid == os.geteuid():
                    _remove(folder)
            finally:
                os.close(lock)


def _remove(folder: Path) -> None:
    for place, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            Path(place).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
