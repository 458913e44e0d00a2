"""What a Dask worker does with a block: starts the program that plays it, and reads its answer.

Dask runs tasks in threads of a process that also talks to the scheduler. Nothing is played in it: a
task that held the interpreter would look like a dead worker, and bots have to be started by a
thread that lives on. So each task starts a program of its own and waits for it. That program ends
its bots when the worker ends, in whatever way.

This module needs nothing but the standard library and msgspec, so that a worker can answer what
Salvo it has, whichever that is.
"""

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import platform
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct

LOOK_UP_S = 0.5
"""How often a task looks whether it is still wanted."""

LEAVE_S = 10.0
"""How long the program may take to end its bots before it is killed."""

_CHUNK = 1 << 16


class Software(Struct, frozen=True):
    """What decides how a game comes out beside its bots.

    Attributes:
        salvo: The version of Salvo.
        code: The hash of the code and data of Salvo that play, and that bots may import.
        python: The version of Python, without the last part.
    """

    salvo: str
    code: str
    python: str

    def __str__(self) -> str:
        return f"Salvo {self.salvo} ({self.code[:8]}) on Python {self.python}"


class Errand(Struct, frozen=True):
    """A block to be played on another machine.

    Attributes:
        program: The module that plays it, as the main program of a process.
        software: What the machine must have.
        packages: The packages that bots may import beside the arena's.
        job: What the program reads, in its own words.
        parcels: The hashes of the parcels that it needs.
        enclosed: The parcels that come with the errand, by their hashes.
    """

    program: str
    software: Software
    packages: tuple[str, ...]
    job: bytes
    parcels: tuple[str, ...]
    enclosed: dict[str, bytes]


class Played(Struct, frozen=True, tag=True):
    """What the program printed.

    Attributes:
        answer: That.
    """

    answer: bytes


class Missing(Struct, frozen=True, tag=True):
    """Some parcels are to be sent along first.

    Attributes:
        worker: The address of the worker that lacks them.
        parcels: Their hashes.
    """

    worker: str
    parcels: tuple[str, ...]


class Refused(Struct, frozen=True, tag=True):
    """The worker cannot play this.

    Attributes:
        reason: Why, in words.
    """

    reason: str


class Broken(Struct, frozen=True, tag=True):
    """The program ended without an answer.

    Attributes:
        reason: What is known of it.
    """

    reason: str


Outcome = Played | Missing | Refused | Broken


@functools.cache
def software(packages: tuple[str, ...]) -> Software:
    """Return what is installed here.

    Args:
        packages: The packages that bots may import beside the arena's.
    """
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


def run(errand: bytes, wanted: Callable[[], bool], folder: Path, worker: str) -> bytes:
    """Play a block.

    Args:
        errand: An ``Errand``, encoded.
        wanted: Tells whether anybody still waits for the outcome.
        folder: Where parcels are kept; it goes with the worker.
        worker: The address of the worker.

    Returns:
        An ``Outcome``, encoded.
    """
    asked = msgspec.msgpack.decode(errand, type=Errand)
    return msgspec.msgpack.encode(_outcome(asked, wanted, folder, worker))


def _outcome(asked: Errand, wanted: Callable[[], bool], folder: Path, worker: str) -> Outcome:
    here = software(asked.packages)
    if here != asked.software:
        return Refused(f"worker {worker} has {here}, and {asked.software} is needed")
    kept = folder / "salvo-parcels"
    kept.mkdir(mode=0o755, exist_ok=True)
    keep(kept, asked.enclosed)
    missing = tuple(name for name in asked.parcels if not (kept / name).exists())
    if missing:
        return Missing(worker, missing)
    return _play(asked, kept, wanted)


def keep(folder: Path, parcels: Mapping[str, bytes]) -> None:
    """Keep parcels under their hashes; several threads may keep the same at once."""
    for name, content in parcels.items():
        if not (folder / name).exists():
            descriptor, path = tempfile.mkstemp(dir=folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(path).replace(folder / name)


def _play(asked: Errand, folder: Path, wanted: Callable[[], bool]) -> Outcome:
    # -P: the folder is no place to import from.
    command = [sys.executable, "-P", "-m", asked.program, str(os.getpid()), str(folder)]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        ) as process,
    ):
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
                pipe.write(asked.job)
            answer = _read(process.stdout.fileno(), wanted)
        finally:
            _end(process)
        if answer is None:
            return Refused("nobody waits for it any more")
        if process.returncode == 0:
            return Played(answer)
        errors.seek(0)
        text = errors.read().decode(errors="replace").strip()
        return Broken(f"the program that played ended with {process.returncode}: {text}")


def _read(descriptor: int, wanted: Callable[[], bool]) -> bytes | None:
    """Return all that comes, or None if it is not wanted any more."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([descriptor], [], [], LOOK_UP_S)
        if ready:
            part = os.read(descriptor, _CHUNK)
            if not part:
                return b"".join(parts)
            parts.append(part)
        elif not wanted():
            return None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the program, which ends its bots."""
    if process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)  # it has said what it had to say, mostly
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            process.kill()
