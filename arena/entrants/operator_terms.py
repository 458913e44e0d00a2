"""Decides what an operator allows bots: how much they may ask for, and what all may read."""

import os
import stat
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from arena.entrants.needs import MAX_MEMORY_MB, Needs
from arena.errors import BotError
from arena.isolation import USUAL_MB

SOFTWARE = ("/usr", "/opt", "/nix/store", "/snap")
"""Where installed software lies, which any bot may read."""


class Terms(Struct, frozen=True, kw_only=True):
    """The terms of a tournament or league: a bot's TOML may ask for no more.

    Memory is in megabytes, as is the size of a temporary folder. ``grants`` are files and folders
    that every bot may read, as whole paths without links in them.
    """

    max_memory_mb: Annotated[int, Meta(ge=USUAL_MB, le=MAX_MEMORY_MB)] = 4 * USUAL_MB
    processes: bool = False
    max_temporary_mb: Annotated[int, Meta(ge=0, le=MAX_MEMORY_MB)] = 64
    grants: tuple[Annotated[str, Meta(pattern="^/")], ...] = ()

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
