"""Clusters that cannot play: it is said in one line, and what was played is kept."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cluster.conftest import Process, Site

AMOUNT = ("--games", "150", "--layouts", "0", "--move-time", "600", "--game-time", "6000")
"""Three blocks, and time for bots that wait."""


def said(run: Process, text: str) -> Callable[[], bool]:
    return lambda: text in run.err.read_text()


def program_of_cluster(site: Site) -> int:
    [program] = set(site.running("arena.executors.local_cluster")).intersection(site.left())
    return program


def below(pid: int) -> list[int]:
    """Return a process and all that are below it."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            found += below(int(child))
    return found


@pytest.mark.parametrize("where", ["local", "scheduler"])
def test_scheduler_that_is_killed_ends_the_run_in_one_line_and_the_same_command_goes_on(
    site: Site, where: str
) -> None:
    words = (site.gated(1), site.bot("other"), *AMOUNT, "--workers", "1", "--cluster")
    address = where if where == "local" else site.scheduler()
    scheduler = site.started[-1].pid if site.started else None
    if where == "scheduler":
        site.worker(address)
    run = site.play(*words, address, db="cut.sqlite3")
    site.wait_for(lambda: site.blocks("cut.sqlite3") == 1, "the first block")
    os.kill(scheduler or program_of_cluster(site), signal.SIGKILL)
    code, err = run.end()
    assert code == 2
    [last] = err.splitlines()[-1:]
    assert f"--cluster {address}: the scheduler is gone; what was committed is safe" in last
    if where == "local":
        site.wait_for(lambda: not site.left(), "the end of all")
    site.open_gate()
    if where == "scheduler":
        address = site.scheduler()
        site.worker(address)
    code, err = site.play(*words, address, db="cut.sqlite3").end()
    assert code == 0, err
    assert "salvo: 100 games to play, beside 50 in cut.sqlite3" in err.splitlines()
    assert site.games("cut.sqlite3") == site.played_here(*words[:-3])


def test_killed_nanny_leaves_no_bot_and_a_worker_that_joins_later_plays_on(site: Site) -> None:
    bots = (site.bot("first", 0.002), site.bot("second"))
    amount = AMOUNT[:4]
    address = site.scheduler()
    run = site.play(*bots, *amount, "--cluster", address, db="cut.sqlite3")
    yet = f"the cluster has no worker yet; `dask worker {address}` starts one"
    site.wait_for(said(run, yet), "the word about workers")
    nanny = site.worker(address)
    site.wait_for(lambda: site.running(f"{site.folder}/dask/"), "a block in play")
    site.wait_for(said(run, "the cluster plays again"), "the word")
    nanny.kill()
    site.wait_for(lambda: not site.running(f"{site.folder}/dask"), "the end of the bots")
    site.wait_for(said(run, "the cluster has no worker any more; "), "the word")
    site.worker(address)
    code, err = run.end()
    assert code == 0, err
    assert err.count("the cluster plays again") == 2
    assert site.games("cut.sqlite3") == site.played_here(*bots, *amount)


@pytest.mark.parametrize("stopped", ["scheduler", "worker"])
def test_cluster_that_is_stopped_is_named_and_plays_on_when_it_continues(
    site: Site, stopped: str
) -> None:
    address = site.scheduler()
    scheduler = site.started[-1]
    nanny = site.worker(address)
    run = site.play(site.gated(1), site.bot("other"), *AMOUNT, "--cluster", address, db="a.sqlite3")
    site.wait_for(lambda: site.blocks("a.sqlite3") == 1, "the first block")
    processes = below((scheduler if stopped == "scheduler" else nanny).pid)
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    silent = "the scheduler has not answered for 10 s; the run waits, and Ctrl-C stops it"
    unheard = "no worker of the cluster has been heard of for 15 s; the run waits, and Ctrl-C stops"
    site.wait_for(said(run, silent if stopped == "scheduler" else unheard), "the word")
    for pid in processes:
        os.kill(pid, signal.SIGCONT)
    # Only then may the rest be played: it could be over before the cluster is asked once more.
    site.wait_for(said(run, "the cluster plays again"), "the word")
    site.open_gate()
    code, err = run.end()
    assert code == 0, err
    assert site.blocks("a.sqlite3") == 3


def test_ctrl_c_ends_a_run_whose_scheduler_is_stopped(site: Site) -> None:
    address = site.scheduler()
    scheduler = site.started[-1].pid
    site.worker(address)
    words = (site.gated(1), site.bot("other"), *AMOUNT, "--cluster", address)
    terminal = site.play_at_terminal(*words, db="a.sqlite3")
    site.wait_for(lambda: site.blocks("a.sqlite3") == 1, "the first block")
    os.kill(scheduler, signal.SIGSTOP)
    terminal.wait_for("the scheduler has not answered for 10 s")
    terminal.interrupt()
    code, shown = terminal.end()
    assert code == 130
    assert "stopped after 50 of 150 games, which are safe in a.sqlite3" in shown


def test_a_scheduler_that_stops_while_there_is_no_worker_is_named_too(site: Site) -> None:
    address = site.scheduler()
    scheduler = site.started[-1].pid
    words = (site.bot("one"), site.bot("other"), *AMOUNT, "--cluster", address)
    terminal = site.play_at_terminal(*words, db="a.sqlite3")
    terminal.wait_for("the cluster has no worker yet")
    os.kill(scheduler, signal.SIGSTOP)
    terminal.wait_for("the scheduler has not answered for 10 s")
    terminal.interrupt()
    code, _ = terminal.end()
    assert code == 130
