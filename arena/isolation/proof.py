"""Proves the promises of each level by a probe, and chooses a level that holds.

The arena puts out live canaries (a file, a process, listening sockets, a variable) and starts
``probe.py`` as it starts a bot; a promise holds if the probe cannot break it. If the probe does
not report back, the whole level does not hold; if it was killed, it is tried again first.
"""

import contextlib
import functools
import json
import os
import secrets
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from arena.errors import UserError
from arena.isolation.child import Child
from arena.isolation.confinement import MAX_TASKS, tasks_running
from arena.isolation.fixes import how_to_fix
from arena.isolation.levels import Level, start
from arena.isolation.program import Program

AUTO = "auto"

PROBE_S = 10.0
"""Time limit of the probe, which usually takes about 0.1 s."""

ENDS_S = 1.0
"""How long a probe may take to exit after it has closed its output."""

PROBE_MB = 256

ATTEMPTS = 3
"""How many probes in a row may be killed before the level counts as broken."""

_LONGEST_FOLDER = 96
"""Bytes of the name of a folder in which a socket can lie: with its own, systems take 103."""

_IS_LINUX = sys.platform == "linux"
_NONE = ("environment", "descriptors", *(("death",) if _IS_LINUX else ()))
_LIMITS = (*_NONE, "memory", *(("tasks", "privileges") if _IS_LINUX else ()))
_LITE = (
    *_LIMITS,
    *("files", "writing", "locks", "processes", "counters", "forks", "network", "kernel"),
)

PROMISES: dict[Level, tuple[str, ...]] = {
    Level.NONE: _NONE,
    Level.LIMITS: _LIMITS,
    Level.LITE: _LITE,
    Level.SANDBOX: (*_LITE, "host"),
}
"""The promises of each level, explained in ``MEANINGS``."""

MEANINGS = {
    "environment": "it sees none of the arena's environment variables",
    "descriptors": "it inherits none of the arena's descriptors",
    "memory": "the memory of each process is limited, also that of files in memory",
    "tasks": "the number of threads and processes is limited",
    "privileges": "it is not root and cannot gain privileges",
    "death": "its own process dies with the arena",
    "files": "it can read only its own files and installed software",
    "writing": "it can write and change nothing on a disk",
    "locks": "it cannot leave messages in file locks",
    "processes": "it cannot signal, change, trace or inspect another process",
    "counters": "it reads no file that counts for the whole machine, nor changes its own /proc",
    "forks": "it cannot start processes, unless the bot declares that it must",
    "network": "it cannot reach the network, but for what it was allowed, or any socket",
    "kernel": "system calls that no bot needs are blocked",
    "host": "the host's files, processes and name do not exist for it",
}

NOT_PROMISED = (
    "a bot can tell from its own speed whether another one is computing",
    (
        "a bot can ask how busy the machine is as a whole: its load, its free memory, how many "
        "processes it runs"
    ),
    (
        "a bot that may start processes, or whose kernel has no Landlock, reads in the /proc of "
        "its box which installed files other processes have in memory, and how the box is mounted"
    ),
    (
        "a bot may leave bits in the machine's caches, at 'lite' also in file access times, for "
        "its next process or for another bot: no layout follows from another, so they tell how an "
        "opponent plays, and no more, unless --common-layouts is given or a block that was broken "
        "off is played again"
    ),
    (
        "when memory runs out, the bot that uses most is killed and forfeits, even if others use "
        "the rest"
    ),
    (
        "at 'none' and 'limits' a bot can kill itself so that it looks like a kill from outside: "
        "its game is replayed with other seeds, and the third time in a block is a forfeit"
    ),
    (
        "at 'none' and 'limits' a bot can start processes without leave, and gain time by those "
        "that end before anybody looks"
    ),
    "a bot that exploits a hole in the kernel can leave its sandbox",
)
"""Facts that no level prevents, or only levels that the sentence does not name."""


class Promise(Struct, frozen=True):
    """The outcome of proving one promise."""

    name: str
    held: bool
    detail: str = ""  # what the probe found, if it does not
    fix: str = ""  # what a user can do about it


class Choice(Struct, frozen=True):
    """A level and how it was chosen.

    Attributes:
        steps_down: For each stronger level, one line that says why it is not available.
    """

    level: Level
    promises: tuple[Promise, ...]
    steps_down: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the level and its promises as JSON, as stored with every block."""
        promises = {promise.name: promise.held for promise in self.promises}
        return json.dumps({"level": self.level.value, "promises": promises})


def choose(request: str) -> Choice:
    """Return the level for a request: a level's name, or ``auto`` for the strongest that holds.

    Raises:
        UserError: If the named level does not hold here; the message says why and how to fix it.
    """
    if request != AUTO:
        level = Level(request)
        broken = _broken(level)
        if broken is not None and level is not Level.NONE:
            raise UserError(
                f"isolation '{level}' does not hold here: {_reason(level, broken)}; fix: "
                f"{broken.fix}; see `salvo doctor`"
            )
        return Choice(level, prove(level))
    steps: list[str] = []
    for level in reversed(Level):
        broken = _broken(level)
        if broken is None or level is Level.NONE:
            return Choice(level, prove(level), tuple(steps))
        steps.append(f"no '{level}' here: {_reason(level, broken)}; fix: {broken.fix}")
    raise AssertionError("the weakest level is always available")


def _broken(level: Level) -> Promise | None:
    return next((promise for promise in prove(level) if not promise.held), None)


def _reason(level: Level, broken: Promise) -> str:
    if all(promise.detail == broken.detail for promise in prove(level)):
        return broken.detail  # the probe could not run at all
    return f"promise '{broken.name}': {broken.detail}"


@functools.cache
def prove(level: Level) -> tuple[Promise, ...]:
    """Return the outcome of each promise of a level, in the order of ``PROMISES``.

    Starts one process and takes about 0.1 s; the result is cached for the life of this process.
    """
    outcome = _try(level)
    if isinstance(outcome, str):
        outcome = dict.fromkeys(PROMISES[level], outcome)
    return tuple(
        Promise(name, held=True)
        if (detail := outcome.get(name, "it was not tried")) is None
        else Promise(name, held=False, detail=detail, fix=how_to_fix(level, detail))
        for name in PROMISES[level]
    )


def _try(level: Level) -> dict[str, str | None] | str:
    for _ in range(ATTEMPTS):
        with _canaries() as canaries:
            canaries |= {"promises": PROMISES[level], "boxed": level is Level.SANDBOX}
            try:
                child = start(level, _probe(canaries))
            except OSError as error:
                return str(error)
            try:
                outcome = _outcome(child)
                ended = child.status() or ""
            finally:
                child.kill()
        # The probe does not kill itself, so somebody else did: worth another attempt, unless it
        # was a filter around all of this (SIGSYS), which would do it again.
        if isinstance(outcome, dict) or not ended.startswith("was killed") or "SIGSYS" in ended:
            return outcome
    return f"its probe {ended}, {ATTEMPTS} times in a row"


def _probe(canaries: dict[str, Any]) -> Program:
    probe = str(Path(__file__).with_name("probe.py"))
    return Program(
        argv=(sys.executable, "-I", "-S", probe, msgspec.json.encode(canaries).decode()),
        folder=str(Path(probe).parent),
        files=(probe,),
        memory_mb=PROBE_MB,
    )


def _outcome(child: Child) -> dict[str, str | None] | str:
    deadline = time.monotonic() + PROBE_S
    words = {child.stdout: b"", child.stderr: b""}
    open_ones = set(words)
    while open_ones and (left := deadline - time.monotonic()) > 0:
        for descriptor in select.select(list(open_ones), [], [], left)[0]:
            data = os.read(descriptor, 65_536)
            words[descriptor] += data
            if not data:
                open_ones.discard(descriptor)
    try:
        return msgspec.json.decode(words[child.stdout], type=dict[str, str | None])
    except msgspec.DecodeError:
        child.wait(ENDS_S)
        last = words[child.stderr].decode("utf-8", "replace").strip().split("\n")[-1]
        return last or child.status() or f"no answer came within {PROBE_S:.0f} s"


@contextlib.contextmanager
def _canaries() -> Iterator[dict[str, Any]]:
    """Put out what a bot must not be able to reach; yield where it is, for the probe."""
    name = f"SALVO_CANARY_{secrets.token_hex(4)}"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="salvo-canary-"))
        # Open to everybody, so that only the isolation, not permissions, can keep the probe out.
        Path(folder).chmod(0o777)
        for file in ("file", "writable"):
            Path(folder, file).write_text("canary\n", encoding="utf-8")
            Path(folder, file).chmod(0o666)
        other = stack.enter_context(_sleeper())
        os.environ[name] = "canary"
        stack.callback(os.environ.pop, name)
        listeners = {
            "port": socket.create_server(("127.0.0.1", 0)),
            "socket": _listener(f"{stack.enter_context(_short_folder(folder))}/socket"),
            **({"abstract": _listener(f"\0{name}")} if _IS_LINUX else {}),
        }
        for listener in listeners.values():
            stack.enter_context(listener)
        yield {
            "variable": name,
            "folder": folder,
            "file": f"{folder}/file",
            "writable": f"{folder}/writable",
            "arena": os.getpid(),
            "other": other.pid,
            "port": listeners["port"].getsockname()[1],
            "abstract": name,
            "socket": listeners["socket"].getsockname(),
            "host": socket.gethostname(),
            "memory_mb": PROBE_MB,
            "most_tasks": (tasks_running() or 0) + 2 * MAX_TASKS,
            "root": os.geteuid() == 0,
        }


@contextlib.contextmanager
def _short_folder(folder: str) -> Iterator[str]:
    """Return a folder where sockets can lie: this one, or another where its name is too long."""
    if len(os.fsencode(folder)) <= _LONGEST_FOLDER:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="salvo-", dir="/tmp") as other:
        Path(other).chmod(0o777)
        yield other


def _listener(address: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(1)
    return listener


@contextlib.contextmanager
def _sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "input()"],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as sleeper:
        try:
            yield sleeper
        finally:
            sleeper.kill()
