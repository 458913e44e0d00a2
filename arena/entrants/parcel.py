"""Bots as parcels: all that is a bot's own, as content, to be played on another machine.

What a parcel does not hold is looked for where it is opened: the interpreter of the arena, the
packages that bots may import, installed software, and what the operator grants there.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants.entrant import Entrant
from arena.entrants.folder import Folder
from arena.errors import BotError
from arena.isolation import Program

__all__ = ["Parcel", "locate", "pack", "unpack"]

_BOT = "{bot}"
_PYTHON = "{python}"


class Packed(Struct, frozen=True):
    """A file of a parcel.

    Attributes:
        place: Where it belongs, from the folder of the parcel.
        content: Its bytes; of a link nothing.
        executable: Whether it may be executed.
        link: What it leads to, if it is a link inside the parcel.
    """

    place: str
    content: bytes = b""
    executable: bool = False
    link: str | None = None


class Parcel(Struct, frozen=True):
    """A bot without a path of the machine it comes from, but for installed software.

    Attributes:
        digest: The hash of its content, see ``Entrant``.
        program: How it is started: paths of its own begin with ``{bot}``, and the interpreter of
            the arena is called ``{python}``.
        files: Its files.
    """

    digest: str
    program: Program
    files: tuple[Packed, ...]


def pack(entrant: Entrant) -> Parcel:
    """Return an entrant as a parcel.

    Raises:
        BotError: If it cannot be read, or has more than a bot may.
    """
    program = entrant.program
    # Each place that own files come from, with the folder of the parcel that stands for it.
    homes = {Path(program.folder): f"{_BOT}/0"}
    for number, path in enumerate(map(Path, program.files), 1):
        if not path.is_relative_to(program.folder):
            homes[path.parent] = f"{_BOT}/{number}"

    def packed(word: str) -> str:
        if word == sys.executable:
            return _PYTHON
        owned = any(Path(word).is_relative_to(path) for path in program.files)
        if os.path.isabs(word) and (owned or word == program.folder):  # noqa: PTH117 - of any word
            home = max((home for home in homes if Path(word).is_relative_to(home)), key=_depth)
            return os.path.normpath(f"{homes[home]}/{Path(word).relative_to(home)}")
        return word

    try:
        files = tuple(file for path in program.files for file in _files(Path(path), packed(path)))
    except OSError as error:
        raise BotError(f"bot {entrant.name}: it cannot be read: {error}") from error
    portable = replace(
        program,
        argv=tuple(map(packed, program.argv)),
        folder=f"{_BOT}/0",
        files=tuple(map(packed, program.files)),
        import_folder=None if program.import_folder is None else packed(program.import_folder),
        packages=(),
    )
    return Parcel(entrant.digest, portable, files)


def _depth(path: Path) -> int:
    return len(path.parts)


def _files(path: Path, packed: str) -> Iterator[Packed]:
    place = packed.removeprefix(f"{_BOT}/")
    if path.is_dir():
        with Folder(path) as folder:
            for item in folder.items():
                content = b"" if item.link else b"".join(folder.read(item))
                yield Packed(f"{place}/{item.name}", content, item.executable, item.link)
    else:
        with Folder(path.parent, (path.name,)) as folder:
            for item in folder.items([path.name]):
                yield Packed(place, b"".join(folder.read(item)), item.executable)


def unpack(parcel: Parcel, folder: Path, packages: tuple[Path, ...]) -> Program:
    """Write the files of a parcel, and return how its bot is started from them.

    Args:
        parcel: The parcel.
        folder: An empty folder that nobody else writes to.
        packages: The packages that bots may import here.

    Raises:
        OSError: If they cannot be written.
    """
    folder = folder.resolve()
    (folder / "0").mkdir(parents=True)
    for file in parcel.files:
        place = folder / file.place
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.link is not None:
            place.symlink_to(file.link)
        else:
            place.write_bytes(file.content)
            place.chmod(0o755 if file.executable else 0o644)

    return locate(parcel, folder, packages)


def locate(parcel: Parcel, folder: Path, packages: tuple[Path, ...]) -> Program:
    """Return how the bot of a parcel is started from where it was unpacked.

    Args:
        parcel: The parcel.
        folder: The folder that its files were written to.
        packages: The packages that bots may import here.
    """
    folder = folder.resolve()

    def opened(word: str) -> str:
        if word == _PYTHON:
            return sys.executable
        return f"{folder}{word.removeprefix(_BOT)}" if word.startswith(f"{_BOT}/") else word

    program = parcel.program
    return replace(
        program,
        argv=tuple(map(opened, program.argv)),
        folder=opened(program.folder),
        files=tuple(map(opened, program.files)),
        import_folder=None if program.import_folder is None else opened(program.import_folder),
        packages=tuple(map(str, packages)),
    )
