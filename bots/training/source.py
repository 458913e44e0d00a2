"""Tells which code trained weights: its hash, and a commit that has it."""

import hashlib
import subprocess
import time
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from bots.tactics.learned.weight_files import Origin

PACKAGE = Path(str(files("bots")))

ROOMS = ("training", "tactics/learned")
"""The trainers, and what they share with the bots; the modules of these folders, no deeper."""


def origin_of(command: str, seed: int, games: int, **purpose: Any) -> Origin:  # noqa: ANN401 - fields of Origin
    """Return where weights come from that the code of this package made today."""
    return Origin(
        command=command,
        seed=seed,
        date=time.strftime("%Y-%m-%d"),
        code=code_hash(code_files(PACKAGE)),
        commit=commit_of(PACKAGE),
        games=games,
        **purpose,
    )


def code_files(package: Path) -> list[bytes]:
    """Return the contents of the modules, in the order that they are hashed in.

    Args:
        package: The folder of the package ``bots``.
    """
    return [path.read_bytes() for room in ROOMS for path in sorted((package / room).glob("*.py"))]


def code_hash(files: Iterable[bytes]) -> str:
    """Return the SHA-256 of the contents of the modules."""
    hasher = hashlib.sha256()
    for content in files:
        hasher.update(content)
    return hasher.hexdigest()


def commit_of(package: Path) -> str:
    """Return the commit that is checked out; "" if its code is not what runs here, or none is.

    Anybody can then train the same from that commit.
    """
    try:
        commit = _git(package, "rev-parse", "HEAD").decode().strip()
        if code_hash(committed_files(package, commit)) == code_hash(code_files(package)):
            return commit
    except (OSError, subprocess.CalledProcessError):
        pass  # no git, or no clone: installed from a wheel
    return ""


def committed_files(package: Path, commit: str) -> list[bytes]:
    """Return ``code_files`` as they were in a commit.

    Raises:
        OSError: If there is no git.
        subprocess.CalledProcessError: If there is no such commit here.
    """
    contents = []
    for room in ROOMS:
        listed = _git(package, "ls-tree", "-z", "--name-only", commit, f"./{room}/").decode()
        names = sorted(name for name in listed.split("\0") if name.endswith(".py"))
        contents += [_git(package, "show", f"{commit}:./{name}") for name in names]
    return contents


def _git(folder: Path, *arguments: str) -> bytes:
    done = subprocess.run(
        ["git", *arguments],  # noqa: S607 - whichever is installed
        cwd=folder,
        capture_output=True,
        check=True,
    )
    return done.stdout
