"""Plays blocks as a worker far away does; no cluster is needed for that."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.entrants import parse_entrant
from arena.executors.dask_task import (
    LOOK_UP_S,
    Broken,
    Missing,
    Outcome,
    Played,
    Refused,
    Task,
    run,
    software,
)
from arena.executors.payload import Answer, Payload
from arena.isolation import Choice, Level, children_of
from arena.records import Block, Settings, comparable
from arena.rules import Rules, Ship
from arena.seeds import Seeds
from arena.store import Tournament
from arena.tournament import make_plan, play_here
from arena.tournament.remote_block import payload_of

MINI = Rules(
    name="mini", rows=5, columns=5, fleet=(Ship("Cutter", 3), Ship("Boat", 2)), shots="afloat"
)
SLEEPS = """
import time

from arena import Bot, run

class Sleeps(Bot):
    def choose_shots(self, count):
        time.sleep(60)

run(Sleeps)
"""


@pytest.fixture
def make_tournament() -> Callable[..., Tournament]:
    folder = Path(str(resources.files("bots")))
    bundled = {path.stem: path for path in folder.glob("*.py") if path.name != "__init__.py"}

    def make(*bots: str) -> Tournament:
        return Tournament(
            name="cup",
            kind="tournament",
            rules=MINI,
            seed="1",
            settings=Settings(move_s=100, game_s=1000),
            entrants=tuple(parse_entrant(bot, bundled) for bot in bots),
        )

    return make


def payload_and_block(tournament: Tournament, level: Level = Level.NONE) -> tuple[Payload, Block]:
    plan = make_plan(tournament, games=4, layouts=0)
    return payload_of(tournament, plan.seeds, level), next(plan.blocks())


def sent(
    payload: Payload, block: Block, folder: Path, missing: tuple[str, ...] = (), **changed: object
) -> Outcome:
    task = msgspec.msgpack.decode(payload.to_task(block, 30, missing), type=Task)
    encoded = msgspec.msgpack.encode(replace(task, **changed))
    answer = run(encoded, lambda: True, folder, "tcp://w:1")
    found: Outcome = msgspec.msgpack.decode(answer, type=Outcome)  # type: ignore[arg-type]
    return found


def test_block_comes_out_as_it_does_here(
    make_tournament: Callable[..., Tournament], tmp_path: Path
) -> None:
    cup = make_tournament("hunt_target", "uniform_random")
    payload, block = payload_and_block(cup)
    outcome = sent(payload, block, tmp_path)
    assert isinstance(outcome, Played)
    record = msgspec.msgpack.decode(outcome.answer, type=Answer).record
    assert record is not None
    bots = {entrant.name: entrant.program for entrant in cup.entrants}
    here = play_here(MINI, cup.settings, Seeds(1, MINI), bots, Choice(Level.NONE, ()))
    assert list(map(comparable, record.games)) == list(map(comparable, here(block).games))
    assert not list(tmp_path.glob("salvo-packed-bots/salvo-bots-*"))


def test_large_bot_is_asked_for_once_and_kept(
    make_tournament: Callable[..., Tournament], tmp_path: Path
) -> None:
    path = tmp_path / "large.py"
    source = Path(str(resources.files("bots"))) / "hunt_target.py"
    path.write_text(source.read_text() + "#" * 50_000)
    payload, block = payload_and_block(make_tournament(str(path), "uniform_random"))
    missing = sent(payload, block, tmp_path)
    assert missing == Missing("tcp://w:1", (payload.bots["large"],))
    assert isinstance(sent(payload, block, tmp_path, (payload.bots["large"],)), Played)
    assert isinstance(sent(payload, block, tmp_path), Played)


@pytest.mark.parametrize("field", ["salvo", "code", "python"])
def test_another_salvo_or_python_is_refused(
    make_tournament: Callable[..., Tournament], tmp_path: Path, field: str
) -> None:
    payload, block = payload_and_block(make_tournament("hunt_target", "uniform_random"))
    other = replace(software(payload.packages), **{field: "another one"})
    outcome = sent(payload, block, tmp_path, software=other)
    assert isinstance(outcome, Refused)
    assert outcome.reason.startswith("worker tcp://w:1 has Salvo ")


def test_program_that_fails_is_reported_with_what_it_wrote(
    make_tournament: Callable[..., Tournament], tmp_path: Path
) -> None:
    payload, block = payload_and_block(make_tournament("hunt_target", "uniform_random"))
    outcome = sent(payload, block, tmp_path, program="arena.no_such_module")
    assert isinstance(outcome, Broken)
    assert "No module named arena.no_such_module" in outcome.reason


def test_large_job_reaches_a_program_that_starts_slowly(
    make_tournament: Callable[..., Tournament], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_program.py").write_text(
        f"import sys, time; time.sleep({2 * LOOK_UP_S}); print(len(sys.stdin.buffer.read()))"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    payload, block = payload_and_block(make_tournament("hunt_target", "uniform_random"))
    task = msgspec.msgpack.decode(payload.to_task(block, 30), type=Task)
    task = replace(task, program="slow_program", job=bytes(1_000_000))
    deadline = time.monotonic() + 30
    outcome = run(
        msgspec.msgpack.encode(task), lambda: time.monotonic() < deadline, tmp_path, "tcp://w:1"
    )
    assert msgspec.msgpack.decode(outcome, type=Outcome) == Played(b"1000000\n")  # type: ignore[arg-type]


def test_interpreter_that_is_not_installed_is_named(
    make_tournament: Callable[..., Tournament], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "bin" / "interpreter"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    (tmp_path / "bot.txt").write_text("")
    monkeypatch.setenv("PATH", str(tool.parent))
    cup = make_tournament(f"interpreter {tmp_path}/bot.txt", "uniform_random")
    payload, block = payload_and_block(cup)
    tool.unlink()
    outcome = sent(payload, block, tmp_path)
    assert isinstance(outcome, Played)
    answer = msgspec.msgpack.decode(outcome.answer, type=Answer)
    assert f"there is no '{tool}' here, which a bot is started with" in answer.refusal


def _bots(folder: Path) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if f"{folder}/salvo-packed-bots".encode() in command:
                found.append(entry.name)
    return found


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_block_that_nobody_waits_for_is_ended_with_its_bots(
    make_tournament: Callable[..., Tournament], tmp_path: Path
) -> None:
    (tmp_path / "sleeps.py").write_text(SLEEPS)
    payload, block = payload_and_block(
        make_tournament(str(tmp_path / "sleeps.py"), "uniform_random")
    )

    def wanted() -> bool:
        return len(_bots(tmp_path)) < 3  # the program and two bots

    outcome = run(payload.to_task(block, 30), wanted, tmp_path, "tcp://w:1")
    assert msgspec.msgpack.decode(outcome, type=Outcome) == Refused("nobody waits for it any more")  # type: ignore[arg-type]
    _until(lambda: not _bots(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel sends no signal")
def test_worker_that_is_killed_leaves_neither_program_nor_bots(
    make_tournament: Callable[..., Tournament], tmp_path: Path
) -> None:
    (tmp_path / "sleeps.py").write_text(SLEEPS)
    payload, block = payload_and_block(
        make_tournament(str(tmp_path / "sleeps.py"), "uniform_random")
    )
    (tmp_path / "task").write_bytes(payload.to_task(block, 30))
    code = (
        "import sys; from pathlib import Path; from arena.executors.dask_task import run; "
        "run(Path('task').read_bytes(), lambda: True, Path(sys.argv[1]), '')"
    )
    before = children_of(os.getpid())
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=tmp_path) as worker:
        _until(lambda: len(_bots(tmp_path)) >= 3)
        os.kill(worker.pid, signal.SIGKILL)
    _until(lambda: not _bots(tmp_path))
    # Where an earlier test had this process adopt orphans, the program is one of its children now.
    for pid in set(children_of(os.getpid())).difference(before):
        os.waitpid(pid, 0)
