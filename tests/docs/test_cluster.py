"""The worked examples of docs/cluster.md, with nothing in place of Salvo but smaller numbers.

There is no Slurm here and no other host: `ssh` and `scp` are programs that take folders for hosts.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.records import comparable
from arena.store import Store

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "cluster.md"
BOTS = ("hunt_target", "hunt_parity")
FEW = ("--games", "52", "--layouts", "4", "--isolation", "none")
SALVO = f"""#!/bin/bash
few=()
[ "$1" != tournament ] || few=({" ".join(FEW)})
exec {sys.executable} -m salvo "$@" "${{few[@]}}"
"""
SSH = '#!/bin/bash\ncd "hosts/$1" && exec bash -c "$2"\n'
SCP = '#!/bin/bash\nexec cp "hosts/${1/://}" "$2"\n'


@pytest.fixture
def programs(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose path has the programs that the examples start."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("salvo", SALVO), ("ssh", SSH), ("scp", SCP)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def example(kind: str, number: int = 0) -> str:
    text = DOCUMENT.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[number]


def run(script: str, folder: Path, environment: dict[str, str]) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "-e", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def games(path: Path) -> list[bytes]:
    with Store(path, create=False) as store:
        return list(map(comparable, store.games(store.tournament().name)))


@pytest.fixture
def expected(tmp_path: Path, programs: dict[str, str]) -> list[bytes]:
    """Return the games as one machine plays them."""
    run(f"salvo tournament {' '.join(BOTS)} --db one.sqlite3", tmp_path, programs)
    return games(tmp_path / "one.sqlite3")


def test_examples_of_shards_come_to_what_one_machine_plays(
    tmp_path: Path, programs: dict[str, str], expected: list[bytes]
) -> None:
    for play in (as_slurm_does, on_hosts, in_a_matrix):
        folder = tmp_path / play.__name__
        folder.mkdir()
        play(folder, programs)
        assert games(folder / "salvo.sqlite3") == expected, play.__name__


def as_slurm_does(folder: Path, programs: dict[str, str]) -> None:
    (folder / "tournament.sbatch").write_text(example("bash", 0))
    for task in ("1", "2"):
        slurm = {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "2"}
        run("bash tournament.sbatch", folder, programs | slurm)
    run("salvo merge salvo-*-of-2.sqlite3", folder, programs)


def on_hosts(folder: Path, programs: dict[str, str]) -> None:
    for host in ("ada", "grace"):
        (folder / "hosts" / host / "cup").mkdir(parents=True)
    run(example("bash", 1), folder, programs)


def in_a_matrix(folder: Path, programs: dict[str, str]) -> None:
    text = example("yaml")
    [shards] = re.findall(r"shard: \[(.*)\]", text)
    play, merge = text.split("  merge:\n")
    for step in re.findall(r"- run: (salvo .*)", play):
        for shard in shards.split(", "):
            run(step.replace("${{ matrix.shard }}", shard), folder, programs)
    for step in re.findall(r"- run: (salvo .*)", merge):
        run(step, folder, programs)
