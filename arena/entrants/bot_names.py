"""Checks the names of bots."""

import re
from collections.abc import Iterable

from arena.errors import BotError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""Names that tables can show: letters that look alike or are invisible could imitate others."""

_LOOKS = str.maketrans("i012345789", "lolzeastbg", "-._")
"""Digits that stand for letters, each for another, and signs that are easily overlooked."""


def refuse_name(name: str, what: str) -> None:
    """Refuse the name of ``what`` if tables cannot show it.

    Raises:
        BotError: If tables cannot show it.
    """
    if not NAME.fullmatch(name):
        raise BotError(
            f"{what}: {name!a} cannot be shown in tables (use ASCII letters, digits, and . - _ "
            "after the first, at most 40); rename it: NAME=BOT"
        )


def same_name(one: str, other: str) -> bool:
    """Return whether two names are the same: capital letters make no difference."""
    return one.casefold() == other.casefold()


def looks_of(name: str) -> str:
    """Return what is the same of names that people take for each other at a glance."""
    return name.lower().translate(_LOOKS).replace("rn", "m").replace("vv", "w")


def refuse_alike(names: Iterable[str]) -> None:
    """Refuse names of which two are the same but for capital letters.

    Raises:
        BotError: If there are any.
    """
    seen: dict[str, str] = {}
    for name in names:
        former = seen.get(name.casefold())
        if former is not None:
            both = f"'{name}'" if former == name else f"'{former}' and '{name}'"
            raise BotError(f"two bots are called {both}; give one another name: NAME=BOT")
        seen[name.casefold()] = name
