"""The pages on Stable-Baselines3 and on a loop in one file do what they say."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
follow = runpy.run_path(str(ROOT / "tests" / "docs" / "test_tutorials.py"))["follow"]


def test_the_page_on_stable_baselines3(tmp_path: Path) -> None:
    printed = follow(ROOT / "docs" / "client-stable-baselines3.md", tmp_path)
    turns = re.search(r"mean turns: ([\d.]+)", printed["python train.py"])
    assert turns
    assert float(turns[1]) < 5.5
    (table,) = (text for command, text in printed.items() if command.startswith("salvo benchmark"))
    assert re.search(r"^MaskablePPO +20,000 +1 ", table, re.MULTILINE)
    assert re.search(r"^dqn ", table, re.MULTILINE)


def test_the_page_on_a_loop_in_one_file(tmp_path: Path) -> None:
    printed = follow(ROOT / "docs" / "client-cleanrl.md", tmp_path)
    means = re.findall(r"mean turns ([\d.]+)", printed["python ppo.py"])
    assert float(means[-1]) < 6
    (table,) = (text for command, text in printed.items() if command.startswith("salvo benchmark"))
    assert re.search(r"^my-ppo +61,440 +1 ", table, re.MULTILINE)
