"""The tutorials do what they say: their files are written as they stand, their commands run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long("the learners of the tutorials are trained")

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> str:
    """Run a command line as a reader would, with the programs of this environment."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment = os.environ | alone | {"PATH": programs}
    done = subprocess.run(
        command.split(),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def follow(tutorial: Path, folder: Path) -> dict[str, str]:
    """Write the files and run the commands of a tutorial in turn; return what each printed."""
    printed = {}
    for kind, text in BLOCK.findall(tutorial.read_text(encoding="utf-8")):
        if kind == "python":
            name = text.partition("\n")[0].removeprefix("# ")
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
            continue
        for line in text.splitlines():
            command = line.removeprefix("$ ")
            printed[command] = run(command, folder)
    return printed


def test_the_bot_of_the_tutorial_learns_and_can_be_entered(tmp_path: Path) -> None:
    printed = follow(DOCS / "tutorial-learning.md", tmp_path)
    means = re.findall(r"generation \d: mean ([\d.]+)", printed["python train.py"])
    assert float(means[-1]) < 0.8 * float(means[0])
    (solo,) = (text for command, text in printed.items() if command.startswith("salvo solo"))
    assert re.search(r"^\s*1\s+my_learner", solo, re.MULTILINE)


def test_two_learners_of_pettingzoo_shoot_better_than_at_random(tmp_path: Path) -> None:
    printed = follow(DOCS / "client-pettingzoo.md", tmp_path)["python two_learners.py"]
    for trained, untrained in re.findall(r"wins (\d+)% .*, (\d+)% untrained", printed):
        assert int(trained) > int(untrained) + 5
    assert printed.count("wins") == 2


def test_openspiel_finds_an_equilibrium_and_plays(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    printed = follow(DOCS / "client-openspiel.md", tmp_path)
    found = re.search(r"exploitability ([\d.]+)", printed["python equilibrium.py"])
    assert found
    assert float(found[1]) < 0.05
    assert "the first player won" in printed["python self_play.py"]


def test_an_agent_gets_its_row_in_the_benchmark(tmp_path: Path) -> None:
    page = DOCS / "benchmark.md"
    *_, table = follow(page, tmp_path).values()
    for name in ("mine", "hunt_target"):
        assert len(re.findall(rf"^{name} .*yes$", table, re.MULTILINE)) == 2
    (told,) = re.findall(r"^```json\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "battleship-v1" / "theirs.json").write_text(told, encoding="utf-8")
    assert "reported, not checked" in run("salvo benchmark", tmp_path)
