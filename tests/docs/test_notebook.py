"""The examples about notebooks run as they stand, one after another."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "notebook.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_examples_run_and_print_both_leaderboards(tmp_path: Path) -> None:
    examples = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    (tmp_path / "example.py").write_text("\n".join(examples), encoding="utf-8")
    # Where no sandbox holds, another isolation is said to be used.
    warnings = ["-W", "error", "-W", "ignore:isolation:UserWarning"]
    command = [sys.executable, *warnings, "example.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    leaderboards = done.stdout.partition("opponent")[0]
    assert len(re.findall(r"LeftToRight +\d", leaderboards)) == 2
    assert done.stderr == ""
    assert "<html" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "salvo.sqlite3").exists()
