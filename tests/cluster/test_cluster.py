"""`--cluster`: the same games as on one machine, and what stands in the way is said in one line."""

import contextlib
import os
import shutil
import signal
import socket
import sys
from functools import partial
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.entrants import parse_entrant
from arena.errors import UserError
from arena.executors import Cluster, dask_watch
from arena.executors.payload import Payload
from arena.isolation import Level, children_of
from arena.records import Block, Settings
from arena.rules import preset
from arena.schedule import Plan
from arena.store import Tournament
from arena.tournament import make_plan
from arena.tournament.remote_block import payload_of
from tests.cluster.conftest import Site, running

TWO = ("hunt_target", "uniform_random")
AMOUNT = ("--games", "52", "--layouts", "10")


@pytest.mark.parametrize("where", ["local", "scheduler"])
def test_cluster_plays_the_same_games_to_the_byte(site: Site, where: str) -> None:
    large = site.folder / "large.py"
    shutil.copy(site.bot("small"), large)
    large.write_text(large.read_text() + "#" * 100_000)
    bots = ("hunt_target", str(large), site.bot("small"))
    address = where
    if where == "scheduler":
        address = site.scheduler()
        site.worker(address)
    run = site.play(*bots, *AMOUNT, "--cluster", address, "--workers", "2", db="there.sqlite3")
    code, err = run.end()
    assert code == 0, err
    assert "Traceback" not in err
    assert site.games("there.sqlite3") == site.played_here(*bots, *AMOUNT)


def test_local_cluster_says_nothing_where_the_port_of_dasks_dashboard_is_taken(site: Site) -> None:
    with socket.socket() as taken:
        with contextlib.suppress(OSError):  # somebody else has it
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        run = site.play(
            *TWO, "--games", "2", "--cluster", "local", "--workers", "1", db="a.sqlite3"
        )
        code, err = run.end()
    assert code == 0
    assert "already in use" not in err
    assert "Warning" not in err


def test_record_is_verified_on_a_cluster(site: Site) -> None:
    assert site.play(*TWO, *AMOUNT, db="a.sqlite3").end()[0] == 0
    whole = ("a.sqlite3", "--sample", "100%", "--isolation", "none")
    run = site.start(sys.executable, "-m", "salvo", "verify", *whole, "--cluster", "local")
    assert run.end()[0] == 0


def cup() -> tuple[Payload, Plan]:
    """Return a tournament of twelve blocks, as it is sent to workers."""
    names = ("hunt_target", "uniform_random")
    folder = Path(str(resources.files("bots")))
    bundled = {name: folder / f"{name}.py" for name in names}
    tournament = Tournament(
        name="cup",
        kind="tournament",
        rules=preset("row-5-3"),
        seed="1",
        settings=Settings(),
        entrants=tuple(parse_entrant(name, bundled) for name in names),
    )
    plan = make_plan(tournament, games=240, layouts=0)
    return payload_of(tournament, plan.seeds, Level.NONE), plan


def test_no_more_blocks_are_submitted_than_twice_the_threads_of_the_workers(site: Site) -> None:
    taken, returned, most = 0, 0, 0
    payload, plan = cup()
    blocks = plan.blocks()

    def next_block() -> Block | None:
        nonlocal taken, most
        block = next(blocks, None)
        taken += block is not None
        most = max(most, taken - returned)
        return block

    address = site.scheduler()
    site.worker(address)
    site.worker(address)
    for _ in Cluster(address, payload, 1).run(next_block, lambda block: pytest.fail(str(block))):
        returned += 1
    assert returned == 12
    assert most <= 2 * 2 + 1  # and the one whose record is being returned


def test_local_cluster_that_is_stopped_for_long_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    payload, plan = cup()
    records = Cluster("local", payload, 1).run(
        partial(next, plan.blocks(), None), lambda block: pytest.fail(str(block))
    )
    assert next(records).games
    [program] = set(running("arena.executors.local_cluster")).intersection(children_of(os.getpid()))
    monkeypatch.setattr(dask_watch, "ANSWER_S", 0.5)
    monkeypatch.setattr(dask_watch, "GIVE_UP_S", 0.0)
    os.kill(program, signal.SIGSTOP)
    expected = r"--cluster local: the scheduler has not answered .*; what was committed is safe"
    with pytest.raises(UserError, match=expected):
        list(records)
    assert program not in children_of(os.getpid())


def test_no_scheduler_at_an_address_is_said_in_one_line(site: Site) -> None:
    run = site.play(*TWO, *AMOUNT, "--cluster", "tcp://127.0.0.1:9", db="a.sqlite3")
    code, err = run.end()
    assert code == 2
    assert "--cluster tcp://127.0.0.1:9: no scheduler answers there" in err.splitlines()[-1]


def test_worker_with_another_salvo_is_refused_before_a_game_is_played(site: Site) -> None:
    spec = find_spec("arena")
    assert spec is not None
    assert spec.origin is not None
    ignored = shutil.ignore_patterns("__pycache__")
    other = site.folder / "other"
    shutil.copytree(Path(spec.origin).parent, other / "arena", ignore=ignored)
    with (other / "arena" / "referee.py").open("a") as file:
        file.write("# changed\n")
    address = site.scheduler()
    site.worker(address, PYTHONPATH=str(other))
    site.wait_for(lambda: site.running("--multiprocessing-fork"), "the worker")
    code, err = site.play(*TWO, *AMOUNT, "--cluster", address, db="a.sqlite3").end()
    assert code == 2
    last = err.splitlines()[-1]
    assert last.startswith("salvo: worker tcp://127.0.0.1:")
    assert last.endswith(" is needed; install the same on all machines")
    assert site.blocks("a.sqlite3") == 0


def test_worker_without_salvo_is_refused(site: Site) -> None:
    (site.folder / "without" / "arena").mkdir(parents=True)
    (site.folder / "without" / "arena" / "__init__.py").touch()
    address = site.scheduler()
    site.worker(address, PYTHONPATH=str(site.folder / "without"))
    site.wait_for(lambda: site.running("--multiprocessing-fork"), "the worker")
    code, err = site.play(*TWO, *AMOUNT, "--cluster", address, db="a.sqlite3").end()
    assert code == 2
    assert " has no such Salvo (" in err.splitlines()[-1]
    assert err.splitlines()[-1].endswith(" is needed; install the same on all machines")


def test_worker_without_salvo_that_comes_later_is_refused(site: Site) -> None:
    (site.folder / "without" / "arena").mkdir(parents=True)
    (site.folder / "without" / "arena" / "__init__.py").touch()
    address = site.scheduler()
    run = site.play(*TWO, *AMOUNT, "--cluster", address, db="a.sqlite3")
    site.wait_for(lambda: "the cluster has no worker yet" in run.err.read_text(), "the warning")
    site.worker(address, PYTHONPATH=str(site.folder / "without"))
    code, err = run.end()
    assert code == 2
    assert "a worker has no such Salvo (" in err.splitlines()[-1]


def test_folder_for_what_bots_write_is_refused(site: Site) -> None:
    run = site.play(*TWO, "--cluster", "local", "--log", "logs", db="a.sqlite3")
    code, err = run.end()
    assert code == 2
    assert "with --cluster bots write on other machines" in err.splitlines()[-1]


def test_secret_is_sent_to_no_cluster(site: Site) -> None:
    keyed = site.bot("keyed")
    (site.folder / "keyed.py.toml").write_text('secrets = ["SALVO_KEY"]\n', encoding="utf-8")
    site.environment["SALVO_KEY"] = "sk-5b2e9c0f77a1"
    options = ("--secret", "keyed=SALVO_KEY", "--cluster", "local")
    code, err = site.play(keyed, TWO[0], *options, db="a.sqlite3").end()
    assert code == 2
    told = "keyed is given secrets, and none is sent to other machines"
    assert told in err.splitlines()[-1]
