"""What a bot needs beside its own files, told by a small TOML file: command, files, memory.

It is ``bot.toml`` in the folder of a bot that is a folder, and ``clever.js.toml`` beside a bot
that is the file ``clever.js``. Every field may be left out::

    command = "node bot.js"   # how to start it; else bot.py, or the file by its first line
    files = ["openings.txt"]  # files and folders that it reads beside its own: of this folder,
                              # or by a whole path of installed software (/usr, /opt)
    memory_mb = 2048          # address space; 1024 is given without being asked for
    processes = true          # whether it starts processes of its own
"""

import shlex
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.errors import BotError
from arena.isolation import USUAL_MB

__all__ = ["Needs", "read_needs"]

_SOFTWARE = ("/usr", "/opt", "/nix", "/snap")
"""What a bot's own TOML may name outside of its folder: else it could read what it likes."""

Word = Annotated[str, Meta(pattern=r"\S")]


class Needs(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a bot needs beside its own files.

    Attributes:
        command: How to start it, a line or its words; files are looked up in the TOML's folder.
        files: The files and folders that it reads beside its own, from the TOML's folder.
        memory_mb: The address space it may use, in megabytes.
        processes: Whether it starts processes of its own.
    """

    command: Word | Annotated[tuple[Word, ...], Meta(min_length=1)] | None = None
    files: tuple[Word, ...] = ()
    memory_mb: Annotated[int, Meta(ge=64, le=65_536)] = USUAL_MB
    processes: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of the command, none if there is no command.

        Raises:
            ValueError: If its quotation marks do not match.
        """
        return (
            tuple(shlex.split(self.command))
            if isinstance(self.command, str)
            else self.command or ()
        )


def read_needs(path: Path) -> Needs:
    """Return what a TOML file says; without the file, what every bot has.

    Raises:
        BotError: If it cannot be read, or says what makes no sense.
        OSError: If it is there and cannot be read.
    """
    if not path.exists():
        return Needs()
    try:
        needs = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Needs)
        _ = needs.words
    except (msgspec.ValidationError, ValueError) as error:
        of_fields = "field" in str(error) and " - at " not in str(error)
        fields = f"; the fields are {', '.join(Needs.__struct_fields__)}" if of_fields else ""
        raise BotError(f"bot file {str(path)!r}: {error}{fields}") from error
    home = path.parent.resolve()
    for name in needs.files:
        place = (home / name).resolve()
        if not any(place.is_relative_to(allowed) for allowed in (home, *_SOFTWARE)):
            raise BotError(
                f"bot file {str(path)!r}, files: {name!r} lies neither in its own folder nor "
                f"where software is installed ({', '.join(_SOFTWARE)}); put it beside the bot"
            )
        if not place.exists():
            raise BotError(
                f"bot file {str(path)!r}, files: there is no {name!r}; "
                "name what lies in its own folder, or a whole path"
            )
    return needs
