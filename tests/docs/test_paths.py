"""Documents name files, folders and modules that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = "arena|benchmarks|bots|docs|examples|leaderboards|salvo|tests"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bots/README.md"]


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_files_and_modules_in_a_document_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = set(re.findall(rf"`((?:{ROOMS})/[\w./]+)`", text))
    modules = set(re.findall(rf"python -m ((?:{ROOMS})\.[\w.]+)", text))
    missing = {file for file in files if "NAME" not in file and not (ROOT / file).exists()}
    missing |= {
        one for one in modules if not (ROOT / one.replace(".", "/")).with_suffix(".py").exists()
    }
    assert not missing
