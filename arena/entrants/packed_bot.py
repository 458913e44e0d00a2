"""Packs bots: all that is a bot's own, as content, to be played on another machine.

What is not packed is looked for where the bot is unpacked: the interpreter of the arena, the
packages that bots may import, installed software, and what the operator grants there.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants.entrant import Entrant
from arena.entrants.hashed_files import HashedFile, contents, make_read_only, write
from arena.entrants.needs import SOFTWARE
from arena.errors import BotError
from arena.isolation import Program

_BOT = "{bot}"
_PYTHON = "{python}"

_COMPILED = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""First bytes of compiled programs on Linux and macOS: no source of a bot begins so."""


class Packed(Struct, frozen=True):
    """A file of a packed bot."""

    place: str  # where it belongs, from the folder of the packed bot
    content: bytes = b""  # its bytes; of a link nothing
    executable: bool = False
    link: str | None = None  # what it leads to, if it is a link inside that folder


class PackedBot(Struct, frozen=True):
    """A bot without a path of the machine it comes from, but for installed software.

    Attributes:
        program: How it is started: paths of its own begin with ``{bot}``, and the interpreter of
            the arena is called ``{python}``.
    """

    program: Program
    files: tuple[Packed, ...]


def portable(entrant: Entrant) -> tuple[Program, dict[str, HashedFile]]:
    """Return how a bot is started from wherever its files lie, see ``PackedBot``, and those files.

    The files are given by their places, from the folder that ``{bot}`` stands for. Installed
    interpreters are not among them, but bots that lie where software is installed are.
    """
    program = entrant.program
    # Each place that own files come from, with the folder that stands for it when packed.
    homes = {Path(program.folder): f"{_BOT}/0"}
    for number, home in enumerate(dict.fromkeys(Path(one.home) for one in entrant.own), 1):
        if not home.is_relative_to(program.folder):
            homes[home] = f"{_BOT}/{number}"

    whole = {program.folder, *program.files, *(one.path for one in entrant.own)}
    # What is granted stays where it is, also in a bot's own folder.
    apart = [path for path in program.grants if Path(path).is_relative_to(program.folder)]
    interpreters = set() if program.import_folder is not None else set(_interpreters(entrant))

    def packed(word: str) -> str:
        if word == sys.executable:
            return _PYTHON
        if word in interpreters:
            return word
        if word not in whole and (_lies_in(word, apart) or not _lies_in(word, program.files)):
            return word
        around = [home for home in homes if Path(word).is_relative_to(home)]
        home = max(around, key=lambda path: len(path.parts))
        return os.path.normpath(f"{homes[home]}/{Path(word).relative_to(home)}")

    own = (one for one in entrant.own if one.path not in interpreters)
    return _changed(program, packed), {
        packed(one.path).removeprefix(f"{_BOT}/"): one for one in own
    }


def _changed(program: Program, change: Callable[[str], str]) -> Program:
    folder = program.import_folder
    return replace(
        program,
        argv=tuple(map(change, program.argv)),
        folder=change(program.folder),
        files=tuple(map(change, program.files)),
        import_folder=None if folder is None else change(folder),
    )


def _interpreters(entrant: Entrant) -> Iterator[str]:
    """Yield the installed programs, compiled, that the rest of a command is for.

    They find their libraries from where they lie. A script, or the last word, is the bot itself.
    """
    interpreting = entrant.program.argv[:-1]
    for one in entrant.own:
        if one.path in interpreting and one.item.executable and _lies_in(one.path, SOFTWARE):
            with contextlib.suppress(OSError), Path(one.path).open("rb") as file:
                if file.read(4) in _COMPILED:
                    yield one.path


def _lies_in(word: str, folders: Iterable[str]) -> bool:
    return any(Path(word).is_relative_to(folder) for folder in folders)


def pack(entrant: Entrant) -> PackedBot:
    """Return an entrant as it is sent to other machines.

    Raises:
        BotError: If it cannot be read, or is no longer what it was.
    """
    program, own = portable(entrant)
    try:
        files = tuple(_packed(own))
    except OSError as error:
        raise BotError(f"bot {entrant.name}: it cannot be read: {error}") from error
    return PackedBot(replace(program, packages=()), files)


def _packed(own: dict[str, HashedFile]) -> Iterator[Packed]:
    for place, (one, chunks) in zip(own, contents(own.values()), strict=True):
        yield Packed(place, b"".join(chunks), one.item.executable, one.item.link)


def unpack(packed: PackedBot, folder: Path, packages: tuple[Path, ...]) -> Program:
    """Write a packed bot to an empty folder, and return how it is started from there.

    Raises:
        OSError: If they cannot be written.
    """
    for file in packed.files:
        place = folder / file.place
        write(place, [file.content], executable=file.executable, link=file.link)
    located = locate(replace(packed.program, packages=tuple(map(str, packages))), folder)
    make_read_only(folder)
    return located


def locate(program: Program, folder: Path) -> Program:
    """Return how a packed bot is started from a folder that its files were written to.

    Its own folders are made where no file was in them.
    """
    folder = folder.resolve()

    def opened(word: str) -> str:
        if word == _PYTHON:
            return sys.executable
        return f"{folder}{word.removeprefix(_BOT)}" if word.startswith(f"{_BOT}/") else word

    located = _changed(program, opened)
    for path in (located.folder, *located.files):
        if not Path(path).exists():
            Path(path).mkdir(parents=True)
    return located
