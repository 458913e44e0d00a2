"""Cuts long names in the middle, since beginnings and ends tell more."""

from collections import Counter
from collections.abc import Iterable

_ELLIPSIS = "\u2026"
_MORE = 4  # by how many characters names that would be alike are left longer


def cut(name: str, longest: int) -> str:
    """Return a name of at most `longest` characters."""
    if len(name) <= longest:
        return name
    head = longest // 2
    tail = longest - head - len(_ELLIPSIS)
    return f"{name[:head]}{_ELLIPSIS}{name[len(name) - tail :]}"


def cut_apart(names: Iterable[str], longest: int) -> dict[str, str]:
    """Return each name cut to `longest` characters, or to more where two would be alike."""
    shown = {name: cut(name, longest) for name in names}
    alike = _alike(shown)
    while alike:
        longest += _MORE
        shown |= {name: cut(name, longest) for name in alike}
        alike = _alike(shown)
    return shown


def _alike(shown: dict[str, str]) -> list[str]:
    taken = Counter(shown.values())
    return [name for name, text in shown.items() if taken[text] > 1]
