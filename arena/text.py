"""Makes text from untrusted sources safe to print, and shortens what is long."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

_NAMED = 3


def printable(text: str, most: int | None = None) -> str:
    """Return text as one line that is safe to print on a terminal.

    Unprintable characters, such as line ends, are escaped as in Python. Of more than ``most``
    characters, the rest is replaced by three dots.
    """
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return text if most is None or len(text) <= most else f"{text[:most]}..."


def counted(number: int, noun: str) -> str:
    """Return a number of things, such as "2 shots"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def first_few(names: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return text with other names in place of some, however they are capitalised.

    Names are replaced where they stand as words, also before a suffix, as that of a file.
    """
    new = {name.casefold(): other for name, other in names.items()}
    return _any_of(names).sub(lambda found: new[found[0].casefold()], text) if new else text


def mentions(text: str, names: Collection[str]) -> bool:
    """Return whether text has one of some names as a word; see `with_names`."""
    return bool(names) and _any_of(names).search(text) is not None


def map_texts(value: Any, change: Callable[[str], Any]) -> Any:  # noqa: ANN401 - JSON has any shape
    """Return a value of JSON with its texts changed, but for the names of fields."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: map_texts(one, change) for name, one in value.items()}
    if isinstance(value, list):
        return [map_texts(one, change) for one in value]
    return value


def _any_of(names: Collection[str]) -> re.Pattern[str]:
    # The longest first: one may begin with another.
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
