"""The README is short, its links lead somewhere, and its bot plays."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\(([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINKING = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("arena/PROTOCOL.md", "bots/README.md", "benchmarks/README.md")),
    ROOT / "examples/README.md",
]


def test_it_has_at_most_900_words() -> None:
    assert len(README.split()) <= 900


def test_the_game_that_moves_is_light_enough_for_a_page() -> None:
    [name] = re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", README)
    moving = (ROOT / name).read_text(encoding="utf-8")
    assert "<animate " in moving
    assert len(moving) < 250_000


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_document_lead_to_files_and_their_headings(page: Path) -> None:
    missing = []
    for link, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        target = (page.parent / link).resolve() if link else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(f"{link}#{anchor}")
    assert not missing


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a document."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in HEADING.findall(page.read_text(encoding="utf-8")):
        anchor = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found


def test_its_bot_passes_the_check(tmp_path: Path) -> None:
    [bot] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "left.py").write_text(bot, encoding="utf-8")
    command = [sys.executable, "-m", "salvo", "check", "left.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
