"""Workers that are killed at random: every block is played, and recorded once.

`pytest tests/cluster --kills 50` kills more of them than the suite has time for.
"""

import contextlib
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

Site = Any

KILLS = 5


def workers_of(nannies: list[Any]) -> list[int]:
    """Return the processes in which the workers of some nannies run."""
    found: list[int] = []
    for nanny in nannies:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{nanny.pid}/task").iterdir():
                children = (task / "children").read_text(encoding="ascii").split()
                found += [
                    int(child)
                    for child in children
                    if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
                ]
    return found


def kill(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def in_play(site: Site) -> list[int]:
    """Return the programs that play blocks."""
    return [
        pid
        for pid in site.running("arena.tournament.remote_block")
        if pid in site.running(f"{site.folder}/")
    ]


def test_workers_killed_at_random_lose_and_double_nothing(
    site: Site, request: pytest.FixtureRequest
) -> None:
    wanted = request.config.getoption("--kills", None) or KILLS
    bots = (site.bot("first", 0.001), site.bot("second"))
    amount = ("--games", str(50 * 2 * wanted), "--layouts", "0")
    address = site.scheduler()
    nannies = [site.worker(address) for _ in range(2)]
    run = site.play(*bots, *amount, "--cluster", address, db="kills.sqlite3")
    chance, kills = random.Random(4), 0
    site.wait_for(lambda: site.blocks("kills.sqlite3"), "the first block")
    while kills < wanted:
        assert run.runs(), run.err.read_text()
        time.sleep(chance.uniform(0, 2))
        found = workers_of(nannies) if in_play(site) else []
        kills += bool(found) and kill(chance.choice(found))
    code, err = run.end(600)
    assert code == 0, err
    assert site.blocks("kills.sqlite3") == 2 * wanted
    assert site.games("kills.sqlite3") == site.played_here(*bots, *amount)


def test_innocent_block_survives_more_deaths_of_its_workers_than_dask_allows(site: Site) -> None:
    bots = (site.bot("first", 0.01), site.bot("second"))
    amount = ("--games", "20", "--layouts", "0")
    address = site.scheduler()
    nanny = site.worker(address)
    run = site.play(*bots, *amount, "--cluster", address, db="one.sqlite3")
    deaths = 0
    while deaths < 5:
        site.wait_for(lambda: in_play(site), "the block in play")
        deaths += sum(map(kill, workers_of([nanny])))
        site.wait_for(lambda: not in_play(site), "the end of the program")
    code, err = run.end()
    assert code == 0, err
    assert "workers died over a block, which is played again" in err
    assert site.games("one.sqlite3") == site.played_here(*bots, *amount)
