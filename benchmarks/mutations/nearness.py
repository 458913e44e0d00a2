"""Orders files of tests by how soon they are likely to notice a change of a module."""

import os.path
import re
from collections.abc import Iterable
from pathlib import Path


def by_nearness(module: Path, tests: Iterable[Path], root: Path) -> list[Path]:
    """Return files of tests: those first that name a module, then those of its room, then others.

    Args:
        module: the changed module, below ``root``.
        tests: the files of tests, below ``root``.
        root: where both lie; ``tests`` mirrors the packages.
    """
    dotted = re.compile(rf"\b{re.escape('.'.join(module.with_suffix('').parts))}\b")
    room = re.compile(rf"\b{re.escape('.'.join(module.parent.parts))}\b")

    def rank(test: Path) -> tuple[int, int, str]:
        source = (root / test).read_text(encoding="utf-8")
        named = 0 if dotted.search(source) else 1 if room.search(source) else 2
        mirrored = os.path.commonpath([test, Path("tests", module)])
        return named, -len(Path(mirrored).parts), str(test)

    return sorted(tests, key=rank)
