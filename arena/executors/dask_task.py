"""Plays a block on a Dask worker: starts the program that plays it, and reads its answer.

Dask runs tasks in threads of a process that also talks to the scheduler. Nothing is played in it: a
task that held the interpreter would look like a dead worker, and bots have to be started by a
thread that lives on. So each task starts a program of its own and waits for it. That program ends
its bots when the worker ends, in whatever way.

Workers find these functions by their names, so they must have Salvo too. This module needs nothing
but the standard library and msgspec, so that a worker can answer what Salvo it has, whichever that
is.
"""

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

LOOK_UP_S = 0.5
"""Interval at which a task checks that it is still wanted."""

LEAVE_S = 10.0
"""Time for the program to end its bots before it is killed."""


class Software(Struct, frozen=True):
    """The versions that decide how a game comes out, beside its bots."""

    salvo: str
    code: str  # the hash of the code and data of Salvo that play, and that bots may import
    python: str  # the version of Python, without the last part

    def __str__(self) -> str:
        return f"Salvo {self.salvo} ({self.code[:8]}) on Python {self.python}"


class Task(Struct, frozen=True):
    """A block to be played on another machine."""

    program: str
    software: Software
    packages: tuple[str, ...]
    job: bytes
    hashes: tuple[str, ...]  # the hashes of the packed bots that it needs
    enclosed: dict[str, bytes]  # the packed bots that come with the task, by their hashes


class Played(Struct, frozen=True, tag=True):
    """The answer that the program printed."""

    answer: bytes


class Missing(Struct, frozen=True, tag=True):
    """A worker lacks some packed bots, whose hashes these are."""

    worker: str
    hashes: tuple[str, ...]


class Refused(Struct, frozen=True, tag=True):
    """The worker cannot play this, for a reason."""

    reason: str


class Broken(Struct, frozen=True, tag=True):
    """The program ended without an answer; ``reason`` has what it wrote."""

    reason: str


Outcome = Played | Missing | Refused | Broken


@functools.cache
def software(packages: tuple[str, ...]) -> Software:
    """Return the software of this machine, with the packages that bots may import."""
    hasher = hashlib.sha256()
    for package in ("arena", *packages):
        spec = find_spec(package)
        root = Path(spec.origin).parent if spec is not None and spec.origin else None
        files = sorted(root.rglob("*")) if root is not None else []
        for path in files:
            if path.is_file() and "__pycache__" not in path.parts:
                name = f"{package}/{path.relative_to(root or path)}"
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                hasher.update(f"{len(name)} {name} {content}\n".encode())
    try:
        salvo = importlib.metadata.version("salvo-arena")
    except importlib.metadata.PackageNotFoundError:
        salvo = "unknown"
    python = ".".join(platform.python_version_tuple()[:2])
    return Software(salvo, hasher.hexdigest(), python)


def run_on_worker(task: bytes) -> bytes:
    """Play a block on the Dask worker in whose thread this is called; see ``run``."""
    dask: Any = importlib.import_module("distributed.worker")
    worker, key = dask.get_worker(), dask.thread_state.key

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state == "executing"

    return run(task, wanted, Path(worker.local_directory), worker.address)


def played_on_worker(dask_worker: Any = None) -> list[str]:  # noqa: ANN401 - no types without the extra
    """Return the keys of the tasks that a worker runs; Dask calls this on the worker."""
    return [task.key for task in dask_worker.state.executing]


def run(task: bytes, wanted: Callable[[], bool], folder: Path, worker: str) -> bytes:
    """Play a block: decode a ``Task``, and return an ``Outcome``, encoded.

    Packed bots are kept in ``folder``, which goes with the worker. ``wanted`` says whether anybody
    still waits for the outcome.
    """
    asked = msgspec.msgpack.decode(task, type=Task)
    return msgspec.msgpack.encode(_outcome(asked, wanted, folder, worker))


def _outcome(task: Task, wanted: Callable[[], bool], folder: Path, worker: str) -> Outcome:
    here = software(task.packages)
    if here != task.software:
        return Refused(f"worker {worker} has {here}, and {task.software} is needed")
    kept = folder / "salvo-packed-bots"
    kept.mkdir(mode=0o755, exist_ok=True)
    _keep(kept, task.enclosed)
    missing = tuple(name for name in task.hashes if not (kept / name).exists())
    return Missing(worker, missing) if missing else _play(task, kept, wanted)


def _keep(folder: Path, packed: Mapping[str, bytes]) -> None:
    """Keep packed bots under their hashes; several threads may keep the same at once."""
    for name, content in packed.items():
        if not (folder / name).exists():
            write_whole(folder / name, content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that others see whole or not at all."""
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    Path(name).replace(path)


def _play(task: Task, folder: Path, wanted: Callable[[], bool]) -> Outcome:
    # -P: the folder is no place to import from.
    command = [sys.executable, "-P", "-m", task.program, str(os.getpid()), str(folder)]
    with (
        _readable(task.job) as job,
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command,
            stdin=job,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        ) as process,
    ):
        try:
            answer = _answer(process, wanted)
        finally:
            _end(process)
        if answer is None:
            return Refused("nobody waits for it any more")
        if process.returncode == 0:
            return Played(answer)
        errors.seek(0)
        text = errors.read().decode(errors="replace").strip()
        return Broken(f"the program that played ended with {process.returncode}: {text}")


@contextlib.contextmanager
def _readable(content: bytes) -> Iterator[IO[bytes]]:
    """Give a file to read from: ``communicate`` sends nothing more to a pipe after a timeout."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield file


def _answer(process: "subprocess.Popen[bytes]", wanted: Callable[[], bool]) -> bytes | None:
    """Return what the program prints, or None if that is not wanted any more."""
    while True:
        try:
            return process.communicate(timeout=LOOK_UP_S)[0]
        except subprocess.TimeoutExpired:
            if not wanted():
                return None


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            process.kill()
