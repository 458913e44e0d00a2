"""No process of a run is left when it is interrupted or killed."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

STUBBORN_S = 60
"""How long bots would stay if they were waited for."""

Playing = Callable[..., Popen[str]]
GoneWithin = Callable[[str, float], bool]
Wait = Callable[[Callable[[], bool]], None]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_all_blocks_are_played_and_logged_by_either_start_method(
    playing: Playing, method: str
) -> None:
    out, err = playing(method, 2, "at_once").communicate(timeout=60)
    assert sorted(out.split()) == list("012345")
    logged = sorted(line for line in err.splitlines() if line.startswith("INFO"))
    assert logged == [f"INFO arena.test plays block {number}" for number in range(6)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_that_are_killed_are_replaced_by_either_start_method(
    playing: Playing, method: str
) -> None:
    out, err = playing(method, 2, "dying_once").communicate(timeout=60)
    assert sorted(out.split()) == list("012345")
    assert err.count("a worker died; its block is played again") == 3


@pytest.fixture(params=["none", "limits"])
def stubborn(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the folder of bots at one level of isolation, where each leaves its process id."""
    folder = tmp_path / request.param
    folder.mkdir()
    return folder


def test_ctrl_c_ends_the_run_with_its_workers_and_bots_and_waits_for_none(
    playing: Playing, stubborn: Path, wait_for: Wait, gone_within: GoneWithin
) -> None:
    process = playing("fork", 2, "with_stubborn_bots", stubborn)
    wait_for(lambda: len(list(stubborn.iterdir())) == 2)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=STUBBORN_S / 2)
    assert err.strip().endswith("KeyboardInterrupt")
    assert err.count("Traceback") == 1
    assert gone_within(str(stubborn), 0)
    assert not [bot for bot in stubborn.iterdir() if Path(f"/proc/{bot.name}").exists()]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_nothing_outlives_a_parent_that_is_killed(
    playing: Playing, stubborn: Path, wait_for: Wait, method: str
) -> None:
    process = playing(method, 2, "with_stubborn_bots", stubborn)
    wait_for(lambda: len(list(stubborn.iterdir())) == 2)
    process.kill()
    process.wait()
    wait_for(lambda: not [bot for bot in stubborn.iterdir() if Path(f"/proc/{bot.name}").exists()])


def test_bot_that_was_being_started_does_not_outlive_a_parent_that_is_killed(
    playing: Playing, tmp_path: Path, wait_for: Wait
) -> None:
    process = playing("fork", 1, "with_a_bot_of_nobody", tmp_path)
    wait_for(lambda: len(list(tmp_path.iterdir())) == 2)
    process.kill()
    process.wait()
    wait_for(lambda: not [pid for pid in tmp_path.iterdir() if Path(f"/proc/{pid.name}").exists()])


def test_workers_of_a_parent_that_is_killed_are_gone_too(
    playing: Playing, stubborn: Path, wait_for: Wait, gone_within: GoneWithin
) -> None:
    process = playing("fork", 2, "with_stubborn_bots", stubborn)
    wait_for(lambda: len(list(stubborn.iterdir())) == 2)
    process.kill()
    process.wait()
    assert gone_within(str(stubborn), STUBBORN_S / 2)


def test_bots_of_a_worker_that_is_killed_end_with_it(
    playing: Playing, tmp_path: Path, wait_for: Wait
) -> None:
    folder = tmp_path / "limits"
    folder.mkdir()
    process = playing("fork", 1, "with_stubborn_bots", folder)
    wait_for(lambda: len(list(folder.iterdir())) == 1)
    [bot] = folder.iterdir()
    [worker] = [
        int(pid)
        for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children")
        .read_text(encoding="ascii")
        .split()
    ]
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: not Path(f"/proc/{bot.name}").exists())
    wait_for(lambda: len(list(folder.iterdir())) == 2)
