"""Keeps secrets, and the paths of private copies, out of what is read of a bot.

A secret is found as it is, and as JSON or an address writes it: what a bot quotes by mistake. A bot
that wants to tell its secret can spell it in other ways, and nothing hinders it.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from arena.isolation import Program

MASK = b"***"

_LEAST_BYTES = 8
"""Lines of a secret that are shorter are not looked for by themselves."""

_SMALL = re.compile("%[0-9A-F]{2}")

_BEGINS_BYTES = 4
"""How much of a secret at the end of what a bot wrote is taken for the beginning of it."""


class Masking:
    """What is read in place of what a bot wrote.

    Args:
        secrets: Texts in place of which a mask is read, in answers and in stderr.
        paths: Paths by which stderr names files, and those to read there instead.
    """

    def __init__(self, secrets: Iterable[str] = (), paths: Mapping[str, str] | None = None) -> None:
        self._hidden = dict.fromkeys((form for text in secrets for form in _forms(text)), MASK)
        known = {os.fsencode(one): os.fsencode(other) for one, other in (paths or {}).items()}
        self._in_stderr = known | self._hidden
        self.in_answers = bool(self._hidden)

    def answer(self, line: bytes) -> bytes:
        """Return an answer as it is read."""
        return _pattern(self._hidden).sub(MASK, line) if self._hidden else line

    def stream(self) -> "Stream":
        """Return what makes of stderr, piece by piece, what is read."""
        return Stream(self._in_stderr)


NOTHING = Masking()


class Stream:
    """Replaces texts in what comes in pieces, also where one lies across their borders."""

    def __init__(self, replaced: Mapping[bytes, bytes]) -> None:
        self._replaced = replaced
        self._pattern = _pattern(replaced) if replaced else None
        self._held = b""

    def more(self, data: bytes) -> bytes:
        """Return what can be read after one more piece: what may be part of a text is held."""
        if self._pattern is None:
            return data
        data = self._held + data
        told, place = [], 0
        for found in self._pattern.finditer(data):
            if self._begins(data[found.start() :]):
                break  # it may turn out to be a longer one
            told += [data[place : found.start()], self._replaced[found[0]]]
            place = found.end()
        rest = data[place:]
        longest = max(map(len, self._replaced)) - 1
        starts = range(max(0, len(rest) - longest), len(rest))
        end = next((start for start in starts if self._begins(rest[start:])), len(rest))
        self._held = rest[end:]
        return b"".join([*told, rest[:end]])

    def held(self) -> bytes:
        """Return what is held as it is read if nothing follows."""
        held = self._held
        if self._pattern is None:
            return b""
        if len(held) >= _BEGINS_BYTES and any(
            text.startswith(held) and mask == MASK for text, mask in self._replaced.items()
        ):
            return MASK
        return self._pattern.sub(lambda found: self._replaced[found[0]], held)

    def _begins(self, text: bytes) -> bool:
        return any(len(text) < len(one) and one.startswith(text) for one in self._replaced)


def masking_of(program: Program) -> Masking:
    """Return what is read in place of what a program writes."""
    return Masking(program.secret_values.values(), program.known_paths)


def _pattern(replaced: Iterable[bytes]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(map(re.escape, sorted(replaced, key=len, reverse=True))))


def _forms(secret: str) -> Iterator[bytes]:
    """Yield a secret, and each line of it, in the ways in which it may be quoted."""
    lines = [line for line in secret.splitlines() if len(os.fsencode(line)) >= _LEAST_BYTES]
    for text in dict.fromkeys((secret, *lines)):
        yield os.fsencode(text)
        yield json.dumps(text)[1:-1].encode()
        yield json.dumps(text, ensure_ascii=False)[1:-1].encode(errors="surrogateescape")
        yield json.dumps(text)[1:-1].replace("/", r"\/").encode()
        yield os.fsencode(repr(text)[1:-1])
        yield ascii(text)[1:-1].encode()
        for safe in ("", "/"):
            address = quote(text, safe=safe, errors="surrogateescape")
            yield address.encode()
            yield _SMALL.sub(lambda found: found[0].lower(), address).encode()
            yield address.replace("%20", "+").encode()
