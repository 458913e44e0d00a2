"""Kills at random moments: nothing that was committed is lost, and the tables come out the same.

Real runs of `salvo tournament` are killed by SIGKILL, they themselves, their workers and their
bots, each after its first committed block, until the tournament is played to its end.
"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path

import pytest

from arena.isolation.orphans import children_of
from tests.unfinished_boxes import end_unfinished_boxes

KILLS = 210
SALVO = str(Path(sysconfig.get_path("scripts")) / "salvo")

RULES = """
name = "mini"
rows = 5
columns = 5
shots = 1
fleet = [{ name = "Cutter", length = 3 }, { name = "Boat", length = 2 }]
"""
BOTS = ("uniform_random", "hunt_target", "hunt_parity")

CHAINS = [("none", 1), ("limits", 2), ("auto", 1), ("limits", 1), ("none", 2), ("auto", 2)]
"""Isolation and workers, in turns."""

MAX_WORKER_KILLS = 3
"""In one run: a block that ends more workers is given up."""


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Return the arguments of a tournament, without its file, between copies of bundled bots.

    The folder that these lie in, and from which they play, is in the command of every process of a
    run, and so marks it.
    """
    (tmp_path / "mini.toml").write_text(RULES, encoding="utf-8")
    folder = Path(str(resources.files("bots")))
    paths = [tmp_path / f"{name}.py" for name in BOTS]
    for path in paths:
        path.write_bytes((folder / path.name).read_bytes())
    options = ["--rules", str(tmp_path / "mini.toml"), "--games", "200", "--layouts", "150"]
    quiet = ["--format", "json", "--report", str(tmp_path / "report.html")]
    return [SALVO, "tournament", *map(str, paths), *options, *quiet]


class Run:
    """A run of a tournament, and what can be killed of it."""

    def __init__(self, arguments: list[str], db: Path, level: str, workers: int) -> None:
        self.db = db
        self.process = subprocess.Popen(
            [*arguments, "--db", db, "--isolation", level, "--workers", str(workers)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=db.parent,
            env={**os.environ, "TMPDIR": str(db.parent)},
        )

    def goes_on(self) -> bool:
        return self.process.poll() is None

    def workers(self) -> list[int]:
        own = _session(self.process.pid)
        return [pid for pid in children_of(self.process.pid) if _session(pid) == own]

    def bots(self) -> list[int]:
        return [pid for worker in self.workers() for pid in _descendants(worker)]

    def until(self, is_so: Callable[[], bool]) -> bool:
        """Wait until something is so; tell whether it came to be before the run ended."""
        deadline = time.monotonic() + 60
        while self.goes_on() and time.monotonic() < deadline:
            if is_so():
                return True
            time.sleep(0.02)
        return False


def _descendants(pid: int) -> Iterator[int]:
    for child in children_of(pid):
        yield child
        yield from _descendants(child)


def _session(pid: int) -> int:
    with contextlib.suppress(OSError):
        return os.getsid(pid)
    return -1


def _strays(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _all_gone(mark: str) -> bool:
    killed = time.monotonic()
    while (strays := _strays(mark)) and time.monotonic() < killed + 30:
        end_unfinished_boxes(strays, killed)
        time.sleep(0.01)
    return not _strays(mark)


def count(db: Path) -> int:
    """Return how many blocks are in the record."""
    with contextlib.suppress(sqlite3.OperationalError):  # there is none yet
        name = f"{db.as_uri()}?mode=rw"
        with contextlib.closing(sqlite3.connect(name, uri=True, timeout=30)) as connection:
            [blocks] = connection.execute("SELECT count(*) FROM blocks").fetchone()
            assert isinstance(blocks, int)
            return blocks
    return 0


Blocks = dict[tuple[int, str, int], list[tuple[str, str, str]]]


def committed(db: Path) -> Blocks:
    """Return the blocks that are in the record, each with its games to the last microsecond."""
    if not count(db):
        return {}
    with contextlib.closing(sqlite3.connect(db, timeout=30)) as connection:
        rows = connection.execute(
            "SELECT tournament, entrants, number, games.id, result, steps "
            "FROM games JOIN blocks ON games.block = blocks.id ORDER BY blocks.id, position"
        )
        blocks: Blocks = {}
        for tournament, entrants, number, *game in rows:
            blocks.setdefault((tournament, entrants, number), []).append(tuple(game))
        return blocks


def check_whole(db: Path) -> None:
    with contextlib.closing(sqlite3.connect(db)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        [games] = connection.execute("SELECT count(*) FROM games").fetchone()
        [counted] = connection.execute("SELECT coalesce(sum(games), 0) FROM blocks").fetchone()
        assert games == counted


class Killer:
    """Kills what it is asked for at random moments, and counts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kills: Counter[str] = Counter()

    def kill(self, run: Run, what: str) -> bool:
        """Kill one of the processes of a run; tell whether it was there to be killed."""
        time.sleep(self.random.uniform(0, 0.3))
        if what == "arena":
            run.process.kill()
        else:
            found = run.workers() if what == "worker" else run.bots()
            if not found:
                return False
            try:
                os.kill(self.random.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                return False
        self.kills[what] += 1
        return True

    def plan(self, workers: int) -> list[str]:
        """Return what to kill in one run, the run itself at last."""
        kinds = ["worker"] * MAX_WORKER_KILLS
        # The third time that a bot is killed in a block is a forfeit. With one worker it can be
        # seen when a block is over: two blocks later.
        kinds += ["bot"] * 4 if workers == 1 else []
        kinds = self.random.sample(kinds, self.random.randint(1, len(kinds)))
        return [*kinds, "arena"]


def _has(db: Path, blocks: int) -> bool:
    return count(db) >= blocks


def disturb(killer: Killer, run: Run, plan: list[str]) -> None:
    """Kill what a plan says, once the run has committed a block and until it has ended."""
    # Before that it proves its isolation by other processes, which are no workers.
    run.until(partial(_has, run.db, count(run.db) + 1))
    for what in plan:
        if not run.until(lambda: bool(run.workers())):
            return
        if killer.kill(run, what) and what == "bot":
            run.until(partial(_has, run.db, count(run.db) + 2))


def check_same_games(db: Path, undisturbed: Path) -> bool:
    """Check that all games went as without kills, but for those whose bot was killed.

    Those are played again on other seeds. Return whether there are none.
    """
    disturbed, expected = results(db), results(undisturbed)
    assert disturbed.keys() == expected.keys()
    replayed = {game for game, (*_, attempt) in disturbed.items() if attempt}
    assert all(disturbed[game] == expected[game] for game in expected.keys() - replayed)
    return not replayed


def results(db: Path) -> dict[str, tuple[str, int, int, int]]:
    """Return how each game went, by its id; there are no forfeits."""
    with contextlib.closing(sqlite3.connect(db)) as connection:
        rows = connection.execute(
            "SELECT id, result, first_shots, second_shots, attempt, forfeit FROM games"
        ).fetchall()
    assert not any(forfeit for *_, forfeit in rows)
    return {game: tuple(result) for game, *result, _ in rows}


def play_through(killer: Killer, arguments: list[str], db: Path, level: str, workers: int) -> bytes:
    """Play a tournament to its end under kills; return what the last run printed."""
    while True:
        before = committed(db)
        run = Run(arguments, db, level, workers)
        disturb(killer, run, killer.plan(workers))
        acknowledged = committed(db)
        out, err = run.process.communicate(timeout=60)
        assert run.process.returncode in (0, -signal.SIGKILL), err.decode()
        assert _all_gone(str(db.parent)), list(map(_command, _strays(str(db.parent))))
        check_whole(db)
        after = committed(db)
        for kept in (before, acknowledged):
            assert {block: after.get(block) for block in kept} == kept
        if run.process.returncode == 0:
            assert not list(db.parent.glob("salvo-bots-*"))  # nor of those that were killed
            return out


def test_no_kill_loses_or_doubles_a_committed_block_or_changes_the_tables(
    arguments: list[str], tmp_path: Path
) -> None:
    undisturbed = Run(arguments, tmp_path / "undisturbed.sqlite3", "limits", 2)
    expected, _ = undisturbed.process.communicate(timeout=120)
    assert undisturbed.process.returncode == 0
    assert b'"forfeits": 0' in expected

    killer = Killer(seed=3)
    chain = 0
    while killer.kills.total() < KILLS:
        level, workers = CHAINS[chain % len(CHAINS)]
        db = tmp_path / f"{chain}.sqlite3"
        out = play_through(killer, arguments, db, level, workers)
        if check_same_games(db, undisturbed.db):
            assert out == expected
        chain += 1
    print(f"{killer.kills.total()} kills: {dict(killer.kills)}, in {chain} tournaments")  # noqa: T201
    assert min(killer.kills.values()) > KILLS // 10
