"""Finds bots of different authors whose sources are the same, or the same but for names and layout.

Nothing of a bot is run or compiled: Python is split into tokens, other languages are compared but
for white space.
"""

import builtins
import functools
import hashlib
import io
import itertools
import keyword
import tarfile
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from arena.bot import Bot
from arena.league import Entry, League

MOST_BYTES = 200_000
"""Of a file that is read: larger ones are weights rather than source."""

_MOST_IN_ALL = 1_000_000
"""Of all files of a bot that are read, the smallest first."""

_MOST_SPLIT = 65_536
"""Of a file that is split into tokens, which takes time; larger ones are compared as text."""

_LAYOUT = {tokenize.COMMENT, tokenize.NL}
_KNOWN = frozenset([*keyword.kwlist, *dir(builtins), *dir(Bot), *Bot.__annotations__])
"""Names that mean the same in every bot."""


class Alike(Struct, frozen=True):
    """Two versions of different authors, and whether they are the same to the byte."""

    one: str
    other: str
    same: bool


def sources_of(league: League, entry: Entry) -> dict[str, str]:
    """Return the text files of a version by name, be its copy packed or not."""
    home = league.storage.home(entry.digest)
    found = (
        _in_folder(home) if home.exists() else _in_archive(home.with_name(f"{home.name}.tar.gz"))
    )
    texts, size = {}, 0
    for name, data in sorted(found.items(), key=lambda file: len(file[1])):
        size += len(data)
        if size <= _MOST_IN_ALL and _is_text(data):
            texts[name] = data.decode("utf-8", "replace")
    return dict(sorted(texts.items()))


def _in_folder(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES
    }


def _in_archive(archive: Path) -> dict[str, bytes]:
    found = {}
    with tarfile.open(archive, "r:gz") as file:
        for member in file:
            data = file.extractfile(member) if member.isreg() else None
            if data is not None and member.size <= MOST_BYTES:
                found[member.name] = data.read()
    return found


def _is_text(data: bytes) -> bool:
    return b"\0" not in data


def alike(
    league: League, owned: Mapping[str, int], handed_out: Iterable[tuple[str, str]] = ()
) -> list[Alike]:
    """Return the versions of different invites whose sources are alike, oldest first.

    ``owned`` has the invite by which each name was entered; bots of the operator count too. Bots
    that were ``handed_out`` to begin with, each a file's name and text, do not count.
    """
    known = {_joined([shape(*one)]) for one in handed_out}
    shapes: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in league.entries:
        found_shape = _shape_of(league, entry)
        if found_shape and found_shape not in known:
            shapes[found_shape].append(entry)
    found = []
    for entries in shapes.values():
        for one, other in itertools.combinations(entries, 2):
            if one.name != other.name and owned.get(one.name) != owned.get(other.name):
                found.append(Alike(one.full_name, other.full_name, one.digest == other.digest))
    return found


_shapes: dict[str, str] = {}


def _shape_of(league: League, entry: Entry) -> str:
    """Return what is the same of sources that are alike; empty of a bot without any."""
    if entry.digest not in _shapes:
        try:
            sources = sources_of(league, entry)
        except (OSError, tarfile.TarError, EOFError):
            return ""  # its copy is gone, of which more is said elsewhere
        _shapes[entry.digest] = _joined(
            shape(name, text) for name, text in sources.items() if _is_code(name)
        )
    return _shapes[entry.digest]


def _joined(shapes: Iterable[str]) -> str:
    joined = "\n".join(sorted(shapes)).encode("utf-8", "surrogateescape")
    return hashlib.sha256(joined).hexdigest() if joined else ""


def _is_code(name: str) -> bool:
    return not name.endswith((".toml", ".md", ".txt"))


@functools.lru_cache(maxsize=1024)
def shape(name: str, text: str) -> str:
    """Return a source without its layout and, of Python, without comments and names of its own."""
    if name.endswith(".py") and len(text) <= _MOST_SPLIT:
        try:
            return " ".join(_tokens(text))
        except (tokenize.TokenError, SyntaxError):
            pass
    return " ".join(text.split())


def _tokens(text: str) -> Iterator[str]:
    names: dict[str, str] = {}
    kept: set[str] = set()
    last, before = "", ""
    importing = False
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _LAYOUT
    ]
    for token, following in itertools.pairwise(tokens):  # the last one is the end of the file
        kind, word = token.type, token.string
        if kind in {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}:
            if kind != tokenize.NEWLINE or last:
                yield tokenize.tok_name[kind]
            importing, before, last = False, "", ""
            continue
        if kind == tokenize.STRING and not last and following.type == tokenize.NEWLINE:
            continue  # a docstring, or a text that stands for itself
        if kind == tokenize.NAME:
            importing = importing or (not last and word in {"from", "import"})
            if importing:
                kept.add(word)
            # What is asked of another object has its own name, and so has what is imported.
            foreign = last == "." and before != "self"
            if not (importing or foreign or word in _KNOWN or word in kept):
                word = names.setdefault(word, f"name{len(names)}")
        before, last = last, token.string
        yield word
