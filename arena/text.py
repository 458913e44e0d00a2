"""Text that somebody else wrote, made safe to show."""

__all__ = ["printable"]


def printable(text: str, most: int | None = None) -> str:
    """Return text as one line that a terminal only shows, whatever is in it.

    Args:
        text: The text; what cannot be printed, line ends among it, is written out as in Python.
        most: How many characters are kept; three dots stand for the others.
    """
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return text if most is None or len(text) <= most else f"{text[:most]}..."
