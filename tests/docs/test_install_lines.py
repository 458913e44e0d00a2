"""Salvo is in no package index: what tells how to install it names the folder of its source."""

import re
from pathlib import Path

import pytest

from arena.errors import not_installed

ROOT = Path(__file__).parents[2]
FOLDERS = ("arena", "bots", "docs", "examples", "leaderboards", "salvo")
TOLD = {".md", ".j2", ".py", ".txt", ".toml"}

INDEX = re.compile(r"""install\s[^`]*['" ]salvo(-arena)?\b""")


def test_nothing_tells_to_install_salvo_from_an_index() -> None:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    told = [path for path in [*files, *ROOT.glob("*.md")] if path.suffix in TOLD]
    assert len(told) > 100
    lines = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in told
        for line in path.read_text(encoding="utf-8").splitlines()
        if INDEX.search(line)
    ]
    assert lines == []


@pytest.mark.parametrize("extra", ["learn", "deep", "serve", "cluster"])
def test_hint_of_a_missing_extra_is_the_line_of_the_documents(extra: str) -> None:
    assert f"`pip install '.[{extra}]'`" in not_installed("a package", extra)
    assert f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
