"""Hashes a bot's content: its options, its files, and what these import from Salvo.

It does not depend on where the files lie. What is imported is found by looking for import
statements, also where they stand in a string; a module that is imported by a name made up at run
time is not seen. Nothing is parsed: time and memory of a parser can be driven up by what it reads.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from arena.errors import BotError

MAX_SOURCE_KB = 512
"""The Python of a bot that is searched for imports."""

_ARENA = Path(__file__).resolve().parent.parent

_IMPORT = re.compile(rb"(?:^|[;:])[ \t\f]*import[ \t]+([^\n;#]+)", re.MULTILINE)
# A list in parentheses is bounded, or many that are not closed would each be read to the end.
_FROM = re.compile(
    rb"(?:^|[;:])[ \t\f]*from[ \t]+(\w[\w.]*)[ \t]+import[ \t]*(\([^)]{0,2000}|[^\n;#]+)",
    re.MULTILINE,
)
_NAME = re.compile(rb"[\w.]+")
_COMMENT = re.compile(rb"#[^\n]*")


class Source(Struct, frozen=True):
    """A file or link as it is hashed."""

    name: str  # the name by which the bot knows it
    chunks: Iterable[bytes] = ()
    link: str | None = None  # where it leads, if it is a link


def packages_of(bundled: Mapping[str, Path]) -> tuple[Path, ...]:
    """Return the packages that bundled bots are modules of, which every bot may import too."""
    found = set()
    for path in bundled.values():
        inside = [folder for folder in path.parents if (folder / "__init__.py").is_file()]
        found.update(inside[-1:])
    return tuple(sorted(found))


def digest(
    words: Iterable[str], sources: Iterable[Source], packages: Iterable[Path]
) -> tuple[str, tuple[str, ...]]:
    """Return the SHA-256 of a bot's content, and of each of its files; of a link nothing.

    Raises:
        BotError: If it has more Python than can be searched for imports.
    """
    hasher = hashlib.sha256()
    for word in words:
        hasher.update(f"word {len(word)} {word}\n".encode("utf-8", "surrogateescape"))
    library = _Library([_ARENA, *packages])
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
            library.collect(text)
    for name, path in library.found():
        with path.open("rb") as file:
            _add(hasher, name, hashlib.file_digest(file, "sha256").hexdigest())
    return hasher.hexdigest(), tuple(hashes)


def _add(hasher: "hashlib._Hash", name: str, content: str) -> None:
    hasher.update(f"file {len(name)} {name} {content}\n".encode("utf-8", "surrogateescape"))


def _too_much(what: str, name: str) -> BotError:
    return BotError(
        f"bot file {name!r}: {what} more than {MAX_SOURCE_KB} KB of Python; "
        "keep data in files of another kind"
    )


class _Library:
    """The packages that a bot may import, and what it imports of them."""

    def __init__(self, packages: Iterable[Path]) -> None:
        self._modules: dict[str, list[tuple[str, Path]]] = {}
        self._names = []
        for package in packages:
            self._names.append(package.name.encode())
            self._list(package, package.name)
        self._imported: set[str] = set()

    def _list(self, place: Path, module: str) -> None:
        files = self._modules.setdefault(module, [])
        for path in sorted(place.iterdir()):
            name = f"{module.replace('.', '/')}/{path.name}"
            if path.name == "__init__.py":
                files.append((name, path))
            elif path.suffix == ".py":
                self._modules[f"{module}.{path.stem}"] = [(name, path)]
            elif (path / "__init__.py").is_file():
                self._list(path, f"{module}.{path.name}")
            # At the top lie documents; below, data that its modules read.
            elif "." in module and path.is_file() and not path.name.startswith("."):
                files.append((name, path))

    def mentioned(self, text: bytes) -> bool:
        return any(name in text for name in self._names)

    def found(self) -> list[tuple[str, Path]]:
        return sorted({file for module in self._imported for file in self._modules[module]})

    def collect(self, text: bytes) -> None:
        """Collect the files of the packages that a Python file imports, and so on."""
        for name in _imports(text):
            module = ""
            for part in name.split("."):
                module = f"{module}.{part}" if module else part
                if module not in self._modules:
                    break
                if module not in self._imported:
                    self._imported.add(module)
                    for _, file in self._modules[module]:
                        if file.suffix == ".py":
                            self.collect(file.read_bytes())


def _imports(text: bytes) -> set[str]:
    text = text.replace(b"\r", b"").replace(b"\\\n", b" ")
    found = {name for names in _IMPORT.findall(text) for name in _NAME.findall(names)}
    for module, names in _FROM.findall(text):
        found.add(module)
        found |= {module + b"." + name for name in _NAME.findall(_COMMENT.sub(b"", names))}
    return {name.decode() for name in found}
