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

from arena.records import PAIRS_PER_BLOCK_OF_A_FIELD, Shard, comparable
from arena.rules import preset
from arena.schedule import Plan, ShardPlan, round_robin
from arena.seeds import Seeds
from arena.store import Store
from salvo.cli.runs.game_counts import Amount
from salvo.cli.tournament import tournament
from salvo.conditions import cores

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "cluster.md"
BOTS = ("hunt_target", "hunt_parity")
FEW = ("--games", "52", "--layouts", "4", "--isolation", "none")
AS_WRITTEN = f"""#!/bin/bash
exec {sys.executable} -m salvo "$@" --isolation none
"""
SALVO = f"""#!/bin/bash
few=()
[ "$1" != tournament ] || few=({" ".join(FEW)})
exec {sys.executable} -m salvo "$@" "${{few[@]}}"
"""
RECORDING = '#!/bin/bash\necho "$*" >> "$COMMANDS"\n'
NOTHING = "#!/bin/bash\n"
SSH = '#!/bin/bash\ncd "hosts/$1" && exec bash -c "$2"\n'
SCP = '#!/bin/bash\nexec cp "hosts/${1/://}" "$2"\n'


@pytest.fixture
def programs(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose path has the programs that the examples start."""
    return with_programs(tmp_path / "bin", salvo=SALVO, ssh=SSH, scp=SCP)


def with_programs(folder: Path, **programs: str) -> dict[str, str]:
    folder.mkdir()
    for name, text in programs.items():
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


@pytest.mark.long("the page is followed to the letter")
def test_examples_of_shards_come_to_what_one_machine_plays(
    tmp_path: Path, programs: dict[str, str], expected: list[bytes]
) -> None:
    for play in (as_slurm_does, on_hosts, in_a_matrix):
        folder = tmp_path / play.__name__
        folder.mkdir()
        play(folder, programs)
        assert games(folder / "salvo.sqlite3") == expected, play.__name__


@pytest.mark.parametrize("processors", [2, 4, 8])
def test_examples_have_two_blocks_for_each_processor(tmp_path: Path, processors: int) -> None:
    """As they are written: 2 processors of a task, 4 of a job of CI, 8 of a host."""
    play = {2: as_slurm_does, 4: in_a_matrix, 8: on_hosts}[processors]
    folder = tmp_path / "hosts"
    folder.mkdir()
    programs = with_programs(tmp_path / "bin", salvo=RECORDING, ssh=SSH, scp=NOTHING)
    play(folder, programs | {"COMMANDS": str(tmp_path / "commands")}, as_written=True)
    lines = (tmp_path / "commands").read_text().splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("tournament ")]
    plans = [planned(words) for words in commands]
    assert {plan.shard for plan, _ in plans} == {
        Shard(number, len(commands)) for number in range(1, len(commands) + 1)
    }
    for plan, workers in plans:
        assert workers in (processors, cores())
        assert plan.count >= 2 * processors


def planned(words: list[str]) -> tuple[ShardPlan, int]:
    """Return the plan of a `salvo tournament`, and how many workers it has."""
    given = tournament.make_context("tournament", words).params
    amount = Amount.of(given["games"], given["layouts"], named=True)
    plan = Plan(
        tournament="planned",
        seeds=Seeds(1, preset("salvo")),
        pairings=round_robin(given["bots"]),
        soloists=given["bots"],
        pairs=amount.games // 2,
        layouts=amount.layouts,
        block_pairs=PAIRS_PER_BLOCK_OF_A_FIELD,
    )
    return ShardPlan(plan, given["shard"]), given["workers"]


def as_slurm_does(folder: Path, programs: dict[str, str], *, as_written: bool = False) -> None:
    script = example("bash", 0)
    (folder / "tournament.sbatch").write_text(script)
    [tasks], [processors] = (
        re.findall(rf"^#SBATCH --{option}(\d+)$", script, re.MULTILINE)
        for option in ("array=1-", "cpus-per-task=")
    )
    of = int(tasks) if as_written else 2
    for task in range(1, of + 1):
        slurm = {
            "SLURM_ARRAY_TASK_ID": str(task),
            "SLURM_ARRAY_TASK_COUNT": str(of),
            "SLURM_CPUS_PER_TASK": processors,
        }
        run("bash tournament.sbatch", folder, programs | slurm)
    run(f"salvo merge salvo-*-of-{of}.sqlite3", folder, programs)


def on_hosts(folder: Path, programs: dict[str, str], *, as_written: bool = False) -> None:
    script = example("bash", 1)
    [written] = re.findall(r"^hosts=\((.*)\)$", script, re.MULTILINE)
    # Ten hosts, so that the numbers of shards are not all as long.
    hosts = written if as_written else " ".join(f"host{number}" for number in range(10))
    for host in hosts.split():
        (folder / "hosts" / host / "cup").mkdir(parents=True)
    run(script.replace(f"hosts=({written})", f"hosts=({hosts})"), folder, programs)


def in_a_matrix(folder: Path, programs: dict[str, str], *, as_written: bool = False) -> None:
    del as_written
    text = example("yaml")
    [shards] = re.findall(r"shard: \[(.*)\]", text)
    play, merge = text.split("  merge:\n")
    for step in re.findall(r"- run: (salvo .*)", play):
        for shard in shards.split(", "):
            run(step.replace("${{ matrix.shard }}", shard), folder, programs)
    for step in re.findall(r"- run: (salvo .*)", merge):
        run(step, folder, programs)
