"""The host of docs/host.md, run as it is written."""

import re
import subprocess
import sys
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "host.md"
PATIENCE_S = 120
LONGEST = 45


def test_the_host_plays_a_game_with_a_bundled_bot_that_leaves_on_bye(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert len(code.splitlines()) < LONGEST
    (tmp_path / "host.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "host.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = re.fullmatch(r"HuntParity sank the fleet in (\d+) shots and left with 0\n", done.stdout)
    assert told, done.stdout
    assert 5 <= int(told[1]) <= 100
