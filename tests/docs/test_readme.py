"""The README is short, its links lead somewhere, and its bot plays."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
LINKING = [ROOT / "README.md", ROOT / "benchmarks/README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_it_has_at_most_900_words() -> None:
    assert len(README.split()) <= 900


def test_the_game_that_moves_is_light_enough_for_a_page() -> None:
    [name] = re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", README)
    moving = (ROOT / name).read_text(encoding="utf-8")
    assert "<animate " in moving
    assert len(moving) < 250_000


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_document_lead_to_files(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    missing = [
        link for link in links if "://" not in link and not (page.parent / link).resolve().exists()
    ]
    assert not missing


def test_its_bot_passes_the_check(tmp_path: Path) -> None:
    [bot] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "left.py").write_text(bot, encoding="utf-8")
    command = [sys.executable, "-m", "salvo", "check", "left.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
