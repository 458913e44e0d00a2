"""Blocks on another machine: what is sent there is content, and names no path of this one.

The other machine is another process in another folder; the bots are no longer where they were.
"""

import os
import pickle
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from arena.entrants import Entrant, pack, parse_entrant
from arena.isolation import Choice, Level
from arena.records import Block, BlockRecord, Game, Settings
from arena.rules import Rules, Ship
from arena.schedule import Plan
from arena.seeds import Seeds
from arena.tournament import play_here
from arena.tournament.block_task import BlockTask

MINI = Rules(
    name="mini", rows=5, columns=5, fleet=(Ship("Cutter", 3), Ship("Boat", 2)), shots="afloat"
)

THERE = """
import pickle, sys
from importlib.util import find_spec
from pathlib import Path
from arena.entrants import unpack
from arena.isolation import choose
from arena.tournament.block_task import Workplace

task, packed_bots, blocks = pickle.load(sys.stdin.buffer)
packages = tuple(Path(find_spec(name).origin).parent for name in ("bots",))
programs = {name: unpack(packed, Path(name), packages) for name, packed in packed_bots.items()}
place = Workplace(programs, choose("none"))
pickle.dump([task.play(place, block) for block in blocks], sys.stdout.buffer)
"""

BOT = """
from arena import Bot, run
{imports}

class Careful(Bot):
    def choose_shots(self, count):
        return {shots}[:count]

run(Careful)
"""

IN_ORDER = "sorted(self.untried, key=lambda cell: ORDER.index(cell))"


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Entrant]:
    """Return bots of every kind: bundled, a file with data, a folder, a command with a file."""
    # An interpreter counts as a command where its folder is on the path.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    home = tmp_path / "here"
    folder, data = home / "folder", home / "filed.py.files"
    folder.mkdir(parents=True)
    data.mkdir()
    order = ",".join(map(str, range(24, -1, -1)))
    (folder / "bot.py").write_text(BOT.format(imports="from plan import ORDER", shots=IN_ORDER))
    (folder / "plan.py").write_text(f"ORDER = [{order}]")
    read = "import pathlib\nORDER = eval((pathlib.Path(__file__ + '.files') / 'plan').read_text())"
    (home / "filed.py").write_text(BOT.format(imports=read, shots=IN_ORDER))
    (home / "filed.py.toml").write_text('files = ["filed.py.files/plan"]')
    (data / "plan").write_text(f"[{order}]")
    script = home / "commanded.py"
    script.write_text(BOT.format(imports="", shots="self.untried"))
    bundled = {
        path.stem: path
        for path in Path(str(resources.files("bots"))).glob("*.py")
        if path.name != "__init__.py"
    }
    texts = ("hunt_parity", str(folder), str(home / "filed.py"), f"{sys.executable} {script}")
    return [parse_entrant(text, bundled) for text in texts]


def untimed(record: BlockRecord) -> list[tuple[object, ...]]:
    def essence(game: Game) -> tuple[object, ...]:
        return (game.fixture, game.result, game.termination, game.layouts, game.tallies)

    return [essence(game) for game in record.games]


def test_block_is_played_elsewhere_from_content_alone(tmp_path: Path, bots: list[Entrant]) -> None:
    names = sorted(bot.name for bot in bots)
    seeds = Seeds(5, MINI)
    plan = Plan(
        tournament="t",
        seeds=seeds,
        pairings=((names[0], names[-1]),),
        soloists=tuple(names),
        pairs=2,
        layouts=2,
    )
    blocks: list[Block] = list(plan.blocks())
    programs = {bot.name: bot.program for bot in bots}
    play = play_here(MINI, Settings(), seeds, programs, Choice(Level.NONE, ()))
    here = [untimed(play(block)) for block in blocks]
    assert all(game[2] == "sunk" for block in here for game in block)

    task = BlockTask(MINI, Settings(), seeds)
    packed_bots = {bot.name: pack(bot) for bot in bots}
    shutil.rmtree(tmp_path / "here")
    sent = pickle.dumps((task, packed_bots, blocks))
    assert str(tmp_path).encode() not in sent
    assert str(Path(sys.executable).parent).encode() not in sent
    (tmp_path / "there").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", THERE],
        input=sent,
        stdout=subprocess.PIPE,
        cwd=tmp_path / "there",
        check=True,
    )
    there = pickle.loads(done.stdout)  # noqa: S301 - of a process that this test has started
    assert [untimed(record) for record in there] == here
