"""The hash of a bot's content: its options, its files, and what these import from Salvo.

It does not depend on where the files lie. What is imported is found by reading import statements;
a module that is imported by a name made up at run time is not seen.
"""

import ast
import contextlib
import hashlib
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["digest", "files_in"]

_PACKAGES = ("arena", "bots")
_DISTRIBUTION = Path(__file__).resolve().parent.parent.parent


def digest(words: Iterable[str], files: Iterable[tuple[str, Path]]) -> str:
    """Return the SHA-256 of a bot's content.

    Args:
        words: The options it is started with.
        files: Its files, each under the name by which the bot knows it.
    """
    hasher = hashlib.sha256()
    for word in words:
        hasher.update(f"word {len(word)} {word}\n".encode("utf-8", "surrogateescape"))
    imported: set[Path] = set()
    for name, path in files:
        _add(hasher, name, path)
        _collect_imports(path, imported)
    for path in sorted(imported):
        _add(hasher, path.relative_to(_DISTRIBUTION).as_posix(), path)
    return hasher.hexdigest()


def _add(hasher: "hashlib._Hash", name: str, path: Path) -> None:
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    hasher.update(f"file {len(name)} {name} {content}\n".encode("utf-8", "surrogateescape"))


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in one order, but for hidden ones and compiled Python."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        if path.is_dir() and not path.is_symlink():
            yield from files_in(path)
        elif path.is_file():
            yield path


def stamps(paths: Iterable[str]) -> tuple[tuple[str, int, int], ...]:
    """Return the files at some paths, each with its size and when it was changed, in nanoseconds.

    What this gives stays the same as long as nobody writes to them; one that is gone is left out.
    """
    found = []
    for path in map(Path, paths):
        for file in files_in(path) if path.is_dir() else [path]:
            with contextlib.suppress(FileNotFoundError):
                stat = file.stat()
                found.append((str(file), stat.st_size, stat.st_mtime_ns))
    return tuple(found)


def _collect_imports(path: Path, found: set[Path]) -> None:
    """Add to ``found`` the files of this distribution that a Python file imports, and so on."""
    if path.suffix != ".py":
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of somebody else's code
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # it will not start, and its own bytes are hashed
    for module in _imported_modules(tree):
        if module.split(".")[0] in _PACKAGES:
            for file in _module_files(module):
                if file not in found:
                    found.add(file)
                    _collect_imports(file, found)


def _imported_modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _module_files(module: str) -> Iterator[Path]:
    """Yield what importing a module of this distribution reads: packages, their data, itself."""
    parts = module.split(".")
    for depth in range(1, len(parts) + 1):
        place = _DISTRIBUTION.joinpath(*parts[:depth])
        if place.with_suffix(".py").is_file():
            yield place.with_suffix(".py")
        if (place / "__init__.py").is_file():
            yield place / "__init__.py"
            if parts[0] == "bots" and depth > 1:
                yield from (p for p in files_in(place) if p.suffix != ".py" and p.parent == place)
