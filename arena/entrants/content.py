"""Hashes a bot's content: its options, its files, and what these import from Salvo.

It does not depend on where the files lie.
"""

import hashlib
from collections.abc import Iterable

from msgspec import Struct

from arena.entrants.library import Library
from arena.errors import BotError

MAX_SOURCE_KB = 512
"""The Python of a bot that is searched for imports."""


class Source(Struct, frozen=True):
    """A file or link as it is hashed."""

    name: str  # the name by which the bot knows it
    chunks: Iterable[bytes] = ()
    link: str | None = None  # where it leads, if it is a link


def digest(
    words: Iterable[str], sources: Iterable[Source], library: Library
) -> tuple[str, tuple[str, ...]]:
    """Return the SHA-256 of a bot's content, and of each of its files; of a link nothing.

    Raises:
        BotError: If it has more Python than can be searched for imports.
    """
    hasher = hashlib.sha256()
    for word in words:
        hasher.update(f"word {len(word)} {word}\n".encode("utf-8", "surrogateescape"))
    imported: set[str] = set()
    parsed = 0
    hashes: list[str] = []
    for source in sources:
        if source.link is not None:
            line = f"link {len(source.name)} {source.name} {len(source.link)} {source.link}\n"
            hasher.update(line.encode("utf-8", "surrogateescape"))
            hashes.append("")
            continue
        content, text = hashlib.sha256(), b""
        for chunk in source.chunks:
            content.update(chunk)
            if source.name.endswith(".py"):
                text += chunk
                if len(text) > MAX_SOURCE_KB * 1000:
                    raise _too_much("it has", source.name)
        hashes.append(content.hexdigest())
        _add(hasher, source.name, hashes[-1])
        if library.mentioned(text):
            parsed += len(text)
            if parsed > MAX_SOURCE_KB * 1000:
                raise _too_much("its Python files together have", source.name)
            imported |= library.imported(text)
    for name, sha256 in library.files(imported):
        _add(hasher, name, sha256)
    return hasher.hexdigest(), tuple(hashes)


def _add(hasher: "hashlib._Hash", name: str, content: str) -> None:
    hasher.update(f"file {len(name)} {name} {content}\n".encode("utf-8", "surrogateescape"))


def _too_much(what: str, name: str) -> BotError:
    return BotError(
        f"bot file {name!r}: {what} more than {MAX_SOURCE_KB} KB of Python; "
        "keep data in files of another kind"
    )
