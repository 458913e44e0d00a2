"""The first command of the README prints what the README says: a minute of games."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_first_tournament_ends_as_the_readme_shows(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    [shown] = re.findall(r"It first says who is best:\n\n```\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-m", "salvo", "tournament"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(shown)
