"""Reads what a bot asks for, in a small TOML file: command, files, memory, processes.

It is ``bot.toml`` in the folder of a bot that is a folder, and ``clever.js.toml`` beside a bot
that is the file ``clever.js``. Every field may be left out::

    command = "node bot.js"   # how to start it; else bot.py, or the file by its first line
    files = ["/opt/openings"] # installed software that it reads, and hidden files of its folder;
                              # a bot that is a file: what it reads of its folder clever.js.files
    memory_mb = 2048          # for all its processes together; 1024 by default
    processes = true          # whether it starts processes of its own
    temporary_mb = 16         # a temporary folder, in the sandbox alone; none by default

These are requests: the operator decides whether to grant them (``Terms``).
"""

import shlex
import tomllib
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.errors import BotError
from arena.isolation import USUAL_MB
from arena.text import printable

MAX_TOML_KB = 8
"""The size limit of a bot's TOML; parsing one takes time with the square of its length."""

MAX_MEMORY_MB = 65_536

_SHOWN = 200
"""Characters of what is wrong with a TOML."""

Word = Annotated[str, Meta(pattern=r"^[^\0]*[^\s\0][^\0]*$")]


class Needs(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a bot asks for.

    Attributes:
        command: How to start it, a line or its words; files are looked up in the TOML's folder.
        files: The files and folders that it reads beside its own, from the TOML's folder.
        memory_mb: The memory that it may use, in megabytes, all its processes together.
        temporary_mb: How much its temporary folder holds, in megabytes; 0 for none.
    """

    command: Word | Annotated[tuple[Word, ...], Meta(min_length=1)] | None = None
    files: tuple[Word, ...] = ()
    memory_mb: Annotated[int, Meta(ge=64, le=MAX_MEMORY_MB)] = USUAL_MB
    processes: bool = False
    temporary_mb: Annotated[int, Meta(ge=0, le=MAX_MEMORY_MB)] = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the command, none if there is no command.

        Raises:
            ValueError: If its quotation marks do not match.
        """
        return (
            tuple(shlex.split(self.command))
            if isinstance(self.command, str)
            else self.command or ()
        )


def parse_needs(data: bytes, path: str) -> Needs:
    """Return what a TOML file says; ``path`` is for the message.

    Raises:
        BotError: If it says what makes no sense.
    """
    try:
        needs = msgspec.convert(tomllib.loads(data.decode()), Needs)
        _ = needs.words
    except RecursionError:
        raise BotError(f"bot file {path!r}: it is nested too deeply") from None
    except (msgspec.ValidationError, ValueError) as error:
        of_fields = "field" in str(error) and " - at " not in str(error)
        fields = f"; the fields are {', '.join(Needs.__struct_fields__)}" if of_fields else ""
        # It may quote a name that the author of the bot made up.
        reason = printable(str(error), _SHOWN)
        raise BotError(f"bot file {path!r}: {reason}{fields}") from error
    return needs
