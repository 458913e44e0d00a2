"""Finds what bots import of Salvo, which belongs to their content.

It looks for import statements, also where they stand in a string; a module that is imported by a
name made up at run time is not seen. Nothing is parsed: time and memory of a parser can be driven
up by what it reads.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Self

_ARENA = Path(__file__).resolve().parent.parent

_IMPORT = re.compile(rb"(?:^|[;:])[ \t\f]*import[ \t]+([^\n;#]+)", re.MULTILINE)
# A list in parentheses is bounded, or many that are not closed would each be read to the end.
_FROM = re.compile(
    rb"(?:^|[;:])[ \t\f]*from[ \t]+(\w[\w.]*)[ \t]+import[ \t]*(\([^)]{0,2000}|[^\n;#]+)",
    re.MULTILINE,
)
_NAME = re.compile(rb"[\w.]+")
_COMMENT = re.compile(rb"#[^\n]*")

_Hashed = tuple[str, str]
"""The name of a file and the SHA-256 of its bytes."""


class Library:
    """The packages that bots may import: the arena, and those given.

    Each file of them is read once. Make one for all bots that are entered together, and a new one
    for those that are entered later: files may have changed by then.
    """

    def __init__(self, packages: Iterable[Path]) -> None:
        self.packages = tuple(packages)
        self._modules: dict[str, list[tuple[str, Path]]] = {}
        self._imports: dict[str, set[str]] = {}
        self._hashes: dict[str, list[_Hashed]] = {}
        self._names = []
        for package in (_ARENA, *self.packages):
            self._names.append(package.name.encode())
            self._list(package, package.name)

    @classmethod
    def around(cls, bundled: Mapping[str, Path]) -> Self:
        """Return the packages that bundled bots are modules of, which every bot may import too."""
        found = set()
        for path in bundled.values():
            inside = [folder for folder in path.parents if (folder / "__init__.py").is_file()]
            found.update(inside[-1:])
        return cls(sorted(found))

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
        """Return whether a text has the name of one of the packages in it."""
        return any(name in text for name in self._names)

    def imported(self, text: bytes) -> set[str]:
        """Return the modules of the packages that a Python file imports, and these, and so on."""
        found: set[str] = set()
        new = set(self._named(text))
        while new:
            found |= new
            new = {module for one in new for module in self._imported_by(one)} - found
        return found

    def files(self, modules: Iterable[str]) -> list[_Hashed]:
        """Return the files of some modules, in order."""
        return sorted({file for module in modules for file in self._hashed(module)})

    def _imported_by(self, module: str) -> set[str]:
        if module not in self._imports:
            paths = [path for _, path in self._modules[module] if path.suffix == ".py"]
            self._imports[module] = {
                name for path in paths for name in self._named(path.read_bytes())
            }
        return self._imports[module]

    def _hashed(self, module: str) -> list[_Hashed]:
        if module not in self._hashes:
            self._hashes[module] = [(name, _sha256(path)) for name, path in self._modules[module]]
        return self._hashes[module]

    def _named(self, text: bytes) -> Iterator[str]:
        """Yield the modules that the import statements of a text name, and those they lie in."""
        for name in _imports(text):
            module = ""
            for part in name.split("."):
                module = f"{module}.{part}" if module else part
                if module not in self._modules:
                    break
                yield module


def _imports(text: bytes) -> set[str]:
    text = text.replace(b"\r", b"").replace(b"\\\n", b" ")
    found = {name for names in _IMPORT.findall(text) for name in _NAME.findall(names)}
    for module, names in _FROM.findall(text):
        found.add(module)
        found |= {module + b"." + name for name in _NAME.findall(_COMMENT.sub(b"", names))}
    return {name.decode() for name in found}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
