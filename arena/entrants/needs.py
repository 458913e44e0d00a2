"""Reads what a bot asks for in a small TOML file, and decides whether the operator allows it.

It is ``bot.toml`` in the folder of a bot that is a folder, and ``clever.js.toml`` beside a bot
that is the file ``clever.js``. Every field may be left out::

    command = "node bot.js"   # how to start it; else bot.py, or the file by its first line
    files = ["/opt/openings"] # installed software that it reads, and hidden files of its folder;
                              # a bot that is a file: what it reads of its folder clever.js.files
    memory_mb = 2048          # for all its processes together; 1024 by default
    processes = true          # whether it starts processes of its own
    temporary_mb = 16         # a temporary folder, in the sandbox alone; none by default
    network = ["api.example.org:443"] # what it reaches of the network; nothing by default
    secrets = ["API_KEY"]     # variables of the operator's environment; none by default

These are requests: the operator decides whether to grant them (``Terms``).
"""

import os
import shlex
import stat
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.entrants.secret import Secret, parse_secret, refuse_unset
from arena.errors import BotError
from arena.isolation import USUAL_MB, parse_address
from arena.text import printable

MAX_TOML_KB = 8
"""The size limit of a bot's TOML; parsing one takes time with the square of its length."""

MAX_MEMORY_MB = 65_536
MAX_ADDRESSES = 32
MAX_SECRETS = 8

SOFTWARE = ("/usr", "/opt", "/nix/store", "/snap")
"""Folders of installed software, which any bot may read."""

_SHOWN = 200
"""Characters of what is wrong with a TOML."""

Word = Annotated[str, Meta(pattern=r"^[^\0]*[^\s\0][^\0]*$")]


class Needs(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The requests in a bot's TOML; see the module."""

    command: Word | Annotated[tuple[Word, ...], Meta(min_length=1)] | None = None
    files: tuple[Word, ...] = ()
    memory_mb: Annotated[int, Meta(ge=64, le=MAX_MEMORY_MB)] = USUAL_MB
    processes: bool = False
    temporary_mb: Annotated[int, Meta(ge=0, le=MAX_MEMORY_MB)] = 0
    network: Annotated[tuple[Word, ...], Meta(max_length=MAX_ADDRESSES)] = ()
    secrets: Annotated[tuple[Word, ...], Meta(max_length=MAX_SECRETS)] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses that it is to reach, each in the same form.

        Raises:
            ValueError: If one makes no sense.
        """
        return tuple(dict.fromkeys(str(parse_address(text)) for text in self.network))

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
    """Return the requests in a TOML file; ``path`` is for the message.

    Raises:
        BotError: If it says what makes no sense.
    """
    try:
        needs = msgspec.convert(tomllib.loads(data.decode()), Needs)
        _ = needs.words, needs.addresses
    except RecursionError:
        raise BotError(f"bot file {path!r}: it is nested too deeply") from None
    except (msgspec.ValidationError, ValueError) as error:
        of_fields = "field" in str(error) and " - at " not in str(error)
        fields = f"; the fields are {', '.join(Needs.__struct_fields__)}" if of_fields else ""
        # It may quote a name that the author of the bot made up.
        reason = printable(str(error), _SHOWN)
        raise BotError(f"bot file {path!r}: {reason}{fields}") from error
    return needs


class Terms(Struct, frozen=True, kw_only=True):
    """The terms of a tournament or league: a bot's TOML may ask for no more.

    Memory is in megabytes, as is the size of a temporary folder. ``grants`` are files and folders
    that every bot may read, as whole paths without links in them; ``network`` are addresses, each
    as HOST:PORT, that a bot may reach which asks for them; ``secrets`` say, each as BOT=VARIABLE,
    which bot is given which variable of the operator's environment if it asks for it.
    """

    max_memory_mb: Annotated[int, Meta(ge=USUAL_MB, le=MAX_MEMORY_MB)] = 4 * USUAL_MB
    processes: bool = False
    max_temporary_mb: Annotated[int, Meta(ge=0, le=MAX_MEMORY_MB)] = 64
    grants: tuple[Annotated[str, Meta(pattern="^/")], ...] = ()
    network: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no address, and what is no secret.

        Raises:
            ValueError: If one is none.
        """
        for text in self.network:
            parse_address(text)
        for text in self.secrets:
            parse_secret(text)

    def refuse(self, needs: Needs, bot: str) -> None:
        """Refuse a bot that asks for more than it can have.

        Raises:
            BotError: If it does.
        """
        if needs.memory_mb > self.max_memory_mb:
            raise BotError(
                f"bot {bot!r}: its TOML asks for {needs.memory_mb} MB, and at most "
                f"{self.max_memory_mb} MB are allowed; allow more with "
                f"--max-memory {needs.memory_mb}, or in a league with max_memory_mb in its "
                "league.toml"
            )
        if needs.temporary_mb > self.max_temporary_mb:
            raise BotError(
                f"bot {bot!r}: its TOML asks for a temporary folder of {needs.temporary_mb} MB, "
                f"and at most {self.max_temporary_mb} MB are allowed; allow more with "
                f"--max-temporary {needs.temporary_mb}, or in a league with max_temporary_mb in "
                "its league.toml"
            )
        if needs.processes and not self.processes:
            raise BotError(
                f"bot {bot!r}: its TOML asks to start processes, and no bot may; allow it with "
                "--allow-processes, or in a league with processes in its league.toml"
            )
        allowed = {str(parse_address(text)) for text in self.network}
        for address in needs.addresses:
            if address not in allowed:
                raise BotError(
                    f"bot {bot!r}: its TOML asks to reach {address}, and no bot may; allow it with "
                    f"--allow-network {address}, or in a league with network in its league.toml"
                )

    def refuse_untold(self, name: str, secrets: tuple[str, ...]) -> None:
        """Refuse a bot, by its name in tables, that asks for secrets which it is not given.

        Raises:
            BotError: If it does, or one of them is not set.
        """
        for variable in secrets:
            secret = Secret(name, variable)
            if str(secret) not in self.secrets:
                raise BotError(
                    f"bot {name!r}: its TOML asks for the secret {variable}, which it is not "
                    f"given; give it with --secret {secret}, or in a league with secrets in its "
                    "league.toml"
                )
            refuse_unset(secret)

    def paths(self, place: Path) -> list[str]:
        """Return the whole paths by which a bot may reach a place beside its own; none if not."""
        written, real = Path(os.path.normpath(place)), place.resolve()
        if not self.reach(real):
            return []
        # What is written may be a link that its owner could let lead elsewhere: not in software.
        return [str(path) for path in dict.fromkeys((written, real)) if self._covers(path)]

    def reach(self, real: Path) -> bool:
        """Return whether a path without links in it is granted, or software that all may read."""
        return self.grant(real) or (_is_software(real) and _is_public(real))

    def _covers(self, path: Path) -> bool:
        return self.grant(path) or _is_software(path)

    def grant(self, path: Path) -> bool:
        """Return whether the operator lets every bot read a path."""
        return any(path.is_relative_to(grant) for grant in self.grants)


def _is_software(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SOFTWARE)


def _is_public(place: Path) -> bool:
    try:
        ways = [parent.stat().st_mode & stat.S_IXOTH for parent in place.parents]
        return bool(all(ways) and place.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False
