"""Makes text from untrusted sources safe to print, and shortens what is long."""

from collections.abc import Sequence

_NAMED = 3


def printable(text: str, most: int | None = None) -> str:
    """Return text as one line that is safe to print on a terminal.

    Unprintable characters, such as line ends, are escaped as in Python. Of more than ``most``
    characters, the rest is replaced by three dots.
    """
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return text if most is None or len(text) <= most else f"{text[:most]}..."


def first_few(names: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
