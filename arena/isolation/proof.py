"""What a level promises, proved by trying in a box what it says cannot be done.

The arena puts out live canaries (a file, a process, sockets that listen, a variable), starts
``probe.py`` as a bot is started, and believes what that could not do. A level that no probe comes
back from does not hold at all; one whose probe was killed is tried again first.
"""

import contextlib
import functools
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

from arena.isolation.child import Child
from arena.isolation.fixes import mend
from arena.isolation.levels import Level, start
from arena.isolation.limits import MAX_TASKS, tasks_running
from arena.isolation.program import Program

__all__ = ["MEANINGS", "NOT_PROMISED", "PROMISES", "Promise", "prove"]

PROBE_S = 10.0
"""How long the probe may take; it takes about 0.1 s."""

ENDS_S = 1.0
"""How long a probe may take to end after it has closed what it writes to."""

PROBE_MB = 256

ATTEMPTS = 3
"""How many probes may be killed before a level is given up."""

_IS_LINUX = sys.platform == "linux"
_NONE = ("environment", "descriptors", *(("death",) if _IS_LINUX else ()))
_LIMITS = (*_NONE, "memory", *(("tasks", "privileges") if _IS_LINUX else ()))
_LITE = (*_LIMITS, "files", "writing", "locks", "processes", "forks", "network", "kernel")

PROMISES: dict[Level, tuple[str, ...]] = {
    Level.NONE: _NONE,
    Level.LIMITS: _LIMITS,
    Level.LITE: _LITE,
    Level.SANDBOX: (*_LITE, "host"),
}
"""The promises of each level; what each means stands in ``MEANINGS``."""

MEANINGS = {
    "environment": "no variable of the arena's is seen",
    "descriptors": "no descriptor of the arena's is open",
    "memory": "the memory of a process is bounded, that of files in memory too",
    "tasks": "the number of threads and processes is bounded",
    "privileges": "it is not root, and can gain no privilege",
    "death": "its own process ends with the arena",
    "files": "only its own files and installed software can be read",
    "writing": "nothing can be written or changed on a disk",
    "locks": "no message can be left in the lock of a file",
    "processes": "no other process can be signalled, changed, traced or looked into",
    "forks": "no process can be started, unless the bot asks to be allowed",
    "network": "no network and no socket can be reached",
    "kernel": "parts of the kernel that a bot has no use for are closed",
    "host": "the host's files, processes and name are not there at all",
}

NOT_PROMISED = (
    "a bot can tell from its own speed whether another computes",
    (
        "a bot may pass a little to its next process through what the machine keeps in its caches, "
        "at 'lite' also through when a file was last read: it is worth nothing, since no game's "
        "seed tells anything of another's"
    ),
    (
        "where memory runs short, the bot that has taken most is ended, and it forfeits, "
        "even if others have taken the rest"
    ),
    (
        "at 'none' and 'limits' a bot can end itself so that it seems killed from outside: its "
        "game is played again on other seeds, and the third time in a block is a forfeit"
    ),
    "a bot that breaks the kernel breaks its box",
)
"""What no level keeps a bot from, or not those that are named."""


class Promise(Struct, frozen=True):
    """What came of proving one promise.

    Attributes:
        name: Which promise.
        held: Whether it holds here.
        detail: What was seen, if it does not.
        mend: What a user can do about that.
    """

    name: str
    held: bool
    detail: str = ""
    mend: str = ""


@functools.cache
def prove(level: Level) -> tuple[Promise, ...]:
    """Return what each promise of a level came to, in the order of ``PROMISES``.

    It starts one process, and takes about 0.1 s; the result is kept for this process's life.
    """
    outcome = _try(level)
    if isinstance(outcome, str):
        outcome = dict.fromkeys(PROMISES[level], outcome)
    return tuple(
        Promise(name, held=True)
        if (detail := outcome.get(name, "it was not tried")) is None
        else Promise(name, held=False, detail=detail, mend=mend(level, detail))
        for name in PROMISES[level]
    )


def _try(level: Level) -> dict[str, str | None] | str:
    """Return what could be done against each promise, or why nothing could be tried."""
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
        # A program of the arena's own is killed by somebody else, but for a call that a filter
        # round the whole of it forbids.
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
        said = words[child.stderr].decode("utf-8", "replace").strip().split("\n")[-1]
        return said or child.status() or f"no word came within {PROBE_S:.0f} s"


@contextlib.contextmanager
def _canaries() -> Iterator[dict[str, Any]]:
    """Put out what a box must not be able to reach, and tell the probe where it is."""
    name = f"SALVO_CANARY_{secrets.token_hex(4)}"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="salvo-canary-"))
        # Open to everybody, so that the box and not the permissions have to keep a bot out.
        Path(folder).chmod(0o777)
        for file in ("file", "writable"):
            Path(folder, file).write_text("canary\n", encoding="utf-8")
            Path(folder, file).chmod(0o666)
        other = stack.enter_context(_sleeper())
        os.environ[name] = "canary"
        stack.callback(os.environ.pop, name)
        listeners = {
            "port": socket.create_server(("127.0.0.1", 0)),
            **{place: _listener(path) for place, path in _local(folder, name).items()},
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
            "socket": f"{folder}/socket",
            "host": socket.gethostname(),
            "memory_mb": PROBE_MB,
            "most_tasks": (tasks_running() or 0) + 2 * MAX_TASKS,
            "root": hasattr(os, "geteuid") and os.geteuid() == 0,
        }


def _local(folder: str, name: str) -> dict[str, str]:
    if not hasattr(socket, "AF_UNIX"):
        return {}
    names = {"socket": f"{folder}/socket"}
    return names | ({"abstract": f"\0{name}"} if sys.platform == "linux" else {})


def _listener(address: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(1)
    return listener


@contextlib.contextmanager
def _sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process that waits to be ended."""
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "input()"],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as sleeper:
        try:
            yield sleeper
        finally:
            sleeper.kill()
