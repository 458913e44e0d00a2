"""Ctrl-C at a real terminal: with a cluster as without, and nothing is left behind."""

import os
import signal

import pytest

from tests.cluster.conftest import Site, Terminal

AMOUNT = ("--games", "200", "--layouts", "0", "--move-time", "600", "--game-time", "6000")
"""Four blocks, and time for bots that wait."""

FIRST = "the games in play are finished first"

where = pytest.mark.parametrize("where", ["local", "scheduler"])
presses = pytest.mark.parametrize("presses", [1, 2])


def begin(site: Site, where: str, *, free: int) -> tuple[tuple[str, ...], Terminal]:
    """Begin a tournament of which some blocks are played, and the next one waits."""
    words = (site.gated(free), site.bot("other"), *AMOUNT, "--workers", "1", "--cluster")
    if where == "scheduler":
        where = site.scheduler()
        site.worker(where)
    return (*words, where), site.play_at_terminal(*words, where, db="cup.sqlite3")


def nothing_is_left(site: Site, where: str) -> bool:
    if where == "local":
        return not site.left() and not list(site.folder.glob("salvo-cluster-*"))
    return not site.running(f"{site.folder}/dask/")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the games of the tournament when nothing stops it."""
    site = Site(tmp_path_factory.mktemp("whole"))
    site.open_gate()
    return list(site.played_here(site.gated(0), site.bot("other"), *AMOUNT))


@where
def test_first_ctrl_c_finishes_the_games_in_play(
    site: Site, where: str, whole: list[bytes]
) -> None:
    _, terminal = begin(site, where, free=1)
    site.wait_for(lambda: site.blocks("cup.sqlite3") == 1, "the first block")
    site.wait_for(lambda: site.started_gated() == 3, "the second block")
    terminal.interrupt()
    terminal.wait_for(FIRST)
    site.open_gate()
    code, shown = terminal.end()
    assert code == 130
    # The third block may begin before the Ctrl-C is noticed.
    done = 50 * site.blocks("cup.sqlite3")
    assert done in (100, 150)
    assert f"stopped after {done} of 200 games, which are safe in cup.sqlite3" in shown
    site.wait_for(lambda: nothing_is_left(site, where), "the end of all")
    assert site.games("cup.sqlite3") == whole[:done]


@where
def test_second_ctrl_c_stops_at_once(site: Site, where: str, whole: list[bytes]) -> None:
    words, terminal = begin(site, where, free=1)
    site.wait_for(lambda: site.blocks("cup.sqlite3") == 1, "the first block")
    site.wait_for(lambda: site.started_gated() == 3, "the second block")
    terminal.interrupt()
    terminal.wait_for(FIRST)
    terminal.interrupt()
    code, shown = terminal.end()
    assert code == 130
    assert "stopped after 50 of 200 games, which are safe in cup.sqlite3" in shown
    site.wait_for(lambda: nothing_is_left(site, where), "the end of all")
    site.open_gate()
    code, err = site.play(*words, db="cup.sqlite3").end()
    assert code == 0, err
    assert "150 games to play, beside 50 in cup.sqlite3" in err
    assert site.games("cup.sqlite3") == whole


@where
@presses
def test_ctrl_c_at_the_start_leaves_nothing(site: Site, where: str, presses: int) -> None:
    site.open_gate()
    _, terminal = begin(site, where, free=0)
    terminal.wait_for("200 games to play")
    terminal.interrupt()
    terminal.wait_for(FIRST)
    if presses == 2:
        terminal.interrupt()
    code, shown = terminal.end()
    assert code == 130
    assert f"stopped after {50 * site.blocks('cup.sqlite3')} of 200 games" in shown
    site.wait_for(lambda: nothing_is_left(site, where), "the end of all")


@where
@presses
def test_ctrl_c_at_the_end_leaves_nothing(
    site: Site, where: str, presses: int, whole: list[bytes]
) -> None:
    site.open_gate()
    _, terminal = begin(site, where, free=0)
    site.wait_for(lambda: site.blocks("cup.sqlite3") == 4, "the last block")
    for _ in range(presses):
        terminal.interrupt()
    assert terminal.end()[0] in (0, 130)
    site.wait_for(lambda: nothing_is_left(site, where), "the end of all")
    assert site.games("cup.sqlite3") == whole


def test_ctrl_c_ends_a_run_whose_cluster_has_no_worker(site: Site) -> None:
    address = site.scheduler()
    words = (site.bot("first"), site.bot("second"), *AMOUNT, "--cluster", address)
    terminal = site.play_at_terminal(*words, db="cup.sqlite3")
    terminal.wait_for(f"`dask worker {address}` starts one, and Ctrl-C stops the run")
    terminal.interrupt()
    code, shown = terminal.end()
    assert code == 130
    assert "stopped after 0 of 200 games" in shown


def test_nothing_is_left_of_a_local_cluster_when_the_run_is_killed(site: Site) -> None:
    _, terminal = begin(site, "local", free=0)
    site.wait_for(lambda: site.started_gated() == 2, "the first block")
    os.kill(terminal.pid, signal.SIGKILL)
    site.wait_for(lambda: nothing_is_left(site, "local"), "the end of all")
