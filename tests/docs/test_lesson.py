"""The lesson of docs/lesson.md: its bots, its commands and its table."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "lesson.md").read_text(encoding="utf-8")
BOTS = {
    re.findall(r"class (\w+)\(Bot\)", code)[0].lower(): code
    for code in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
}
TABLE = {
    name: int(shots)
    for name, shots in re.findall(r"^\| `(\w+)\.py` \| (\d+) \|", TEXT, re.MULTILINE)
}
LAYOUTS, NEAR = 100, 4
"""Games of each bot, and how far their mean may be from that of three times as many."""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    for name, code in BOTS.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    return tmp_path


def salvo(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "salvo", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_bot_of_the_table_is_written_out() -> None:
    assert list(BOTS) == list(TABLE) == ["first", "second", "third", "fourth", "fifth"]


@pytest.mark.long("eight bots are checked")
def test_bots_pass_the_check_as_the_lesson_says(lesson: Path) -> None:
    for name in BOTS:
        assert "13 steps: 13 ok" in salvo(lesson, "check", f"{name}.py"), name


@pytest.mark.long("hundreds of games of eight bots")
def test_bots_need_as_many_shots_as_the_table_says(lesson: Path) -> None:
    files = [f"{name}.py" for name in BOTS]
    options = ("--rules", "classic", "--layouts", str(LAYOUTS), "--seed", "7", "--format", "json")
    rows = json.loads(salvo(lesson, "solo", *files, *options))["turns"]
    means = {row["bot"]: row["mean_turns"] for row in rows}
    for name, shots in TABLE.items():
        assert abs(means[name] - shots) < NEAR, means
    assert sorted(means, key=means.__getitem__) == ["fifth", "fourth", "third", "first", "second"]
    for name, aim in zip(
        ("third", "fourth", "fifth"), re.findall(r"below (\d+)", TEXT), strict=True
    ):
        assert means[name] < int(aim)


def test_minutes_add_up_to_an_hour() -> None:
    plan = re.findall(r"^## (\d):(\d\d) .*\((\d+) minutes\)$", TEXT, re.MULTILINE)
    at = 0
    for hour, minute, long in plan:
        assert 60 * int(hour) + int(minute) == at
        at += int(long)
    assert at == 60
