"""Orders files of tests by how soon they are likely to notice a change of a module."""

import os.path
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

_WORD = re.compile(r"[a-z]{4,}")
_AROUND = 15  # lines before and after a change whose words tell what it is about


def by_nearness(module: Path, line: int, tests: Iterable[Path], root: Path) -> list[Path]:
    """Return files of tests: those first that name a module, then those of its room, then others.

    Of these, those whose folder is nearest, and of these, those that share rare words with the
    lines around the change.

    Args:
        module: the changed module, below ``root``.
        line: the line of the change, from 1.
        tests: the files of tests, below ``root``.
        root: where both lie; ``tests`` mirrors the packages.
    """
    sources = {test: (root / test).read_text(encoding="utf-8") for test in tests}
    words = {test: _words(f"{test} {source}") for test, source in sources.items()}
    files_with = Counter(word for found in words.values() for word in found)
    lines = (root / module).read_text(encoding="utf-8").splitlines()
    changed = _words(" ".join([str(module), *lines[max(line - _AROUND, 0) : line + _AROUND]]))
    dotted = re.compile(rf"\b{re.escape('.'.join(module.with_suffix('').parts))}\b")
    room = re.compile(rf"\b{re.escape('.'.join(module.parent.parts))}\b")

    def rank(test: Path) -> tuple[int, int, float, str]:
        named = 0 if dotted.search(sources[test]) else 1 if room.search(sources[test]) else 2
        mirrored = os.path.commonpath([test, Path("tests", module)])
        shared = sum(1 / files_with[word] for word in changed & words[test])
        return named, -len(Path(mirrored).parts), -shared, str(test)

    return sorted(sources, key=rank)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
