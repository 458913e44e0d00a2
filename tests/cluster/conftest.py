"""Schedulers and workers of Dask as processes, and tournaments that are played on them."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pexpect
import pytest

from arena.records import comparable
from arena.store import Store

if find_spec("distributed") is None:
    collect_ignore_glob = ["*"]

PATIENCE_S = 120
RULES = """
name = "mini"
rows = 5
columns = 5
shots = 1
fleet = [{ name = "Cutter", length = 3 }, { name = "Boat", length = 2 }]
"""
SLOW = """
import time

from arena import Bot, run

class {name}(Bot):
    def choose_shots(self, count):
        time.sleep({pause_s})
        return self.random.sample(self.untried, count)

run({name})
"""
GATED = """
import pathlib
import time

from arena import Bot, run

HERE = pathlib.Path({folder!r})
START = len(list(HERE.glob("start-*")))
(HERE / f"start-{{START}}").touch()


class Gated(Bot):
    def choose_shots(self, count):
        while START > {free} and not (HERE / "go").exists():
            time.sleep(0.01)
        return self.untried[:count]


run(Gated)
"""
"""Plays its introduction and some blocks at once, and the others when there is a file `go`."""
UNHURRIED = ("--move-time", "600", "--game-time", "6000")


class Process:
    """A process of a group of its own, with what it wrote."""

    def __init__(self, command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
        self.err = folder / f"{time.monotonic_ns()}.err"
        with self.err.open("wb") as err:
            self.popen = subprocess.Popen(
                command,
                cwd=folder,
                env=os.environ | environment,
                stdout=subprocess.DEVNULL,
                stderr=err,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self.popen.pid

    def runs(self) -> bool:
        return self.popen.poll() is None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.popen.kill()
        self.popen.wait()

    def end(self, patience_s: float = PATIENCE_S) -> tuple[int, str]:
        """Wait until it has ended, and return its exit code and what it wrote to stderr."""
        self.popen.wait(patience_s)
        err = self.err.read_text()
        assert "Traceback" not in err, err
        return self.popen.returncode, err


class Terminal:
    """A command at a terminal, with what it showed."""

    def __init__(self, command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
        self._shown = io.StringIO()
        self._child = pexpect.spawn(
            command[0],
            list(command[1:]),
            cwd=str(folder),
            env=os.environ | environment,
            timeout=PATIENCE_S,
            encoding="utf-8",
            dimensions=(24, 200),
        )
        self._child.logfile_read = self._shown

    @property
    def pid(self) -> int:
        return self._child.pid

    def wait_for(self, text: str) -> None:
        self._child.expect_exact(text)

    def interrupt(self) -> None:
        self._child.sendintr()

    def end(self) -> tuple[int, str]:
        """Wait until it has ended, and return its exit code and all that it showed."""
        self._child.expect(pexpect.EOF)
        self._child.close()
        shown = self._shown.getvalue()
        assert "Traceback" not in shown, shown
        code = self._child.exitstatus
        # A Ctrl-C while Python itself ends is taken by the kernel.
        return 128 + self._child.signalstatus if code is None else code, shown

    def kill(self) -> None:
        self._child.close(force=True)


def wait_for(is_so: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, f"{what} never came to be"
        time.sleep(0.1)


def running(mark: str, *, where: Sequence[str] = ("cmdline",)) -> list[int]:
    """Return the processes with a mark in their command, or elsewhere in /proc."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if any(mark.encode() in (entry / name).read_bytes() for name in where):
                    found.append(int(entry.name))
    return found


class Site:
    """A folder with bots and rules, and the processes that are started there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[Process] = []
        self.terminals: list[Terminal] = []
        # All that is started has the folder in its environment or, as bots, in its command.
        self.environment = {"TMPDIR": str(folder)}
        self.bots: list[str] = []
        (folder / "mini.toml").write_text(RULES)

    wait_for = staticmethod(wait_for)
    running = staticmethod(running)

    def start(self, *command: str, prefix: Sequence[str] = (), **environment: str) -> Process:
        process = Process([*prefix, *command], self.folder, {**self.environment, **environment})
        self.started.append(process)
        return process

    def bot(self, name: str, pause_s: float = 0.0) -> str:
        self.bots.append(name)
        path = self.folder / f"{name}.py"
        path.write_text(SLOW.format(name=name.capitalize(), pause_s=pause_s))
        return str(path)

    def scheduler(self, host: str = "127.0.0.1", port: int = 0, prefix: Sequence[str] = ()) -> str:
        """Start a scheduler, and return its address."""
        file = self.folder / f"scheduler-{len(self.started)}.json"
        self.start(
            *(sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"),
            *("--host", host, "--port", str(port), "--scheduler-file", str(file)),
            prefix=prefix,
        )
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), "the scheduler")
        [address] = [
            line.split('"')[3] for line in file.read_text().splitlines() if '"address"' in line
        ]
        return address

    def worker(self, address: str, prefix: Sequence[str] = (), **environment: str) -> Process:
        return self.start(
            *(sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"),
            *("--nthreads", "1", "--local-directory", str(self.folder / "dask")),
            prefix=prefix,
            **environment,
        )

    def gated(self, free: int) -> str:
        """Write a bot that plays so many blocks, and the others when ``open_gate`` was called."""
        path = self.folder / "gated.py"
        path.write_text(GATED.format(folder=str(self.folder), free=free))
        return str(path)

    def started_gated(self) -> int:
        """Return how often that bot was started, of which once to introduce itself."""
        return len(list(self.folder.glob("start-*")))

    def open_gate(self) -> None:
        (self.folder / "go").touch()

    def left(self) -> list[int]:
        """Return every process that was started here, by whomever."""
        return running(str(self.folder), where=("cmdline", "environ"))

    def play(self, *words: str, db: str, prefix: Sequence[str] = ()) -> Process:
        """Start a tournament of some bots by the small rules."""
        return self.start(*self._tournament(words, db), prefix=prefix)

    def play_at_terminal(self, *words: str, db: str) -> Terminal:
        """Start a tournament at a terminal."""
        terminal = Terminal(self._tournament(words, db), self.folder, self.environment)
        self.terminals.append(terminal)
        return terminal

    def _tournament(self, words: Sequence[str], db: str) -> tuple[str, ...]:
        return (
            *(sys.executable, "-m", "salvo", "tournament", *words, "--rules", "mini.toml"),
            *("--isolation", "none", "--db", db, "--tournament", "cup"),
        )

    def blocks(self, db: str) -> int:
        """Return how many blocks are in a record."""
        if not (self.folder / db).exists():
            return 0
        with contextlib.suppress(Exception), Store(self.folder / db, create=False) as store:
            return len(store.played(store.tournament().name))
        return 0

    def games(self, db: str) -> list[bytes]:
        with Store(self.folder / db, create=False) as store:
            return list(map(comparable, store.games(store.tournament().name)))

    def played_here(self, *words: str) -> list[bytes]:
        """Return the games of a tournament that is played without a cluster, and pauses."""
        for name in list(self.bots):
            self.bot(name)
        run = self.play(*words, "--workers", "2", db="here.sqlite3")
        assert run.end(5 * PATIENCE_S)[0] == 0
        return self.games("here.sqlite3")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Return a site, at whose end every process is killed."""
    site = Site(tmp_path)
    yield site
    for process in reversed(site.started):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
    for terminal in site.terminals:
        terminal.kill()
    for pid in site.left():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
