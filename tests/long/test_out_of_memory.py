"""A bot that the kernel kills for lack of memory is told from one that somebody kills.

Alone, since the kernel counts such kills for the whole machine: a test beside this one in which a
bot is killed from outside would take that bot for one that used up the memory.
"""

import contextlib
import os
import secrets
import select
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.isolation import Child, Level, Program, start

HOARDS = "print(flush=True); input(); held = b'x' * (300 << 20); print(len(held)); input()"
LIMIT = str(64 << 20)
PATIENCE_S = 20.0


@pytest.fixture
def crowded() -> Iterator[Path]:
    """A control group with little memory, which a process enters by its id."""
    folder, limit = Path("/sys/fs/cgroup"), "memory.max"
    if (folder / "memory").exists():  # the older kind has a tree of its own for memory
        folder, limit = folder / "memory", "memory.limit_in_bytes"
    group = folder / f"salvo-{secrets.token_hex(4)}"
    try:
        group.mkdir()
        (group / limit).write_text(LIMIT)
    except OSError as error:
        with contextlib.suppress(OSError):
            group.rmdir()
        pytest.skip(f"no control group of memory can be made here: {error}")
    yield group / "cgroup.procs"
    deadline = time.monotonic() + PATIENCE_S
    while group.exists() and time.monotonic() < deadline:
        with contextlib.suppress(OSError):  # until what was in it is gone
            group.rmdir()


@pytest.fixture(params=list(Level))
def hoarder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Child]:
    """A bot that takes much memory once it is told to, at every level of isolation."""
    level: Level = request.param
    if level is Level.SANDBOX and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    for place in (tmp_path, *tmp_path.parents[:2]):  # the bot has a user of its own
        place.chmod(0o755)
    script = tmp_path / "hoarder.py"
    script.write_text(HOARDS, encoding="utf-8")
    argv = (sys.executable, "-P", str(script))
    child = start(level, Program(argv, str(tmp_path), (str(script),)))
    yield child
    child.kill()


def test_kill_for_its_own_memory_is_no_kill_from_outside(hoarder: Child, crowded: Path) -> None:
    assert select.select([hoarder.stdout], [], [], PATIENCE_S)[0]
    assert os.read(hoarder.stdout, 100) == b"\n"
    crowded.write_text(str(hoarder.bot_pid))
    os.write(hoarder.stdin, b"\n")
    hoarder.wait(PATIENCE_S)
    assert hoarder.status() == "was killed because the system ran out of memory"
    assert not hoarder.was_killed()
