"""What a bot may be called."""

import re
from collections.abc import Iterable

from arena.errors import BotError

__all__ = ["NAME", "refuse_alike", "refuse_name", "same_name"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""What tables can call a bot: letters that look alike, or cannot be seen, would pass for others."""


def refuse_name(name: str, what: str) -> None:
    """Refuse a name that tables cannot show, or that could be taken for another.

    Args:
        name: The name.
        what: What has it, for the message.

    Raises:
        BotError: If it is none.
    """
    if not NAME.fullmatch(name):
        raise BotError(
            f"{what}: {name!a} is no name for tables (ASCII letters, digits, and . - _ after "
            "the first, 40 at the most); give it another: NAME=BOT"
        )


def same_name(one: str, other: str) -> bool:
    """Tell whether two names are one: capital letters make no difference."""
    return one.casefold() == other.casefold()


def refuse_alike(names: Iterable[str]) -> None:
    """Refuse names of which two are one.

    Raises:
        BotError: If there are such.
    """
    seen: dict[str, str] = {}
    for name in names:
        former = seen.setdefault(name.casefold(), name)
        if former is not name:
            both = f"'{name}'" if former == name else f"'{former}' and '{name}'"
            raise BotError(f"two bots are called {both}; give one another name: NAME=BOT")
