"""A cluster of one run begins with its address, and ends with the run; none is started."""

import asyncio
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from arena.executors import local_cluster as module
from arena.executors.local_cluster import local_cluster

GROUP = 4321


class Program:
    """Stands for the program that runs a cluster."""

    def __init__(self, said: bytes, complained: bytes, *, leaves: bool, left: bool) -> None:
        self.said, self.complained, self.leaves, self.left = said, complained, leaves, left
        self.pid = GROUP
        self.done: list[object] = []
        self.folder = Path()

    def start(self, command: list[str], **how: Any) -> "Program":  # noqa: ANN401 - as Popen takes it
        *first, workers, folder = command
        assert first == [sys.executable, "-P", "-m", "arena.executors.local_cluster"]
        assert workers == "3"
        self.folder = Path(folder)
        assert self.folder.stat().st_mode & 0o777 == 0o711
        assert how["start_new_session"]
        how["stderr"].write(self.complained)
        self.stdin, self.stdout = io.BytesIO(), io.BytesIO(self.said)
        return self

    def wait(self, patience_s: float | None = None) -> None:
        assert self.stdin.closed
        self.done.append(("waits", patience_s))
        if patience_s is not None and not self.leaves:
            raise subprocess.TimeoutExpired("cluster", patience_s)

    def poll(self) -> int | None:
        return 0 if self.left else None


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a function
    def use(said: bytes, complained: bytes = b"", *, leaves: bool = True) -> Program:
        program = Program(said, complained, leaves=leaves, left=leaves)
        monkeypatch.setattr(module.subprocess, "Popen", program.start)
        monkeypatch.setattr(os, "killpg", lambda *given: program.done.append(given))
        return program

    return use


def test_address_is_what_the_program_says_first(begin: Any) -> None:  # noqa: ANN401 - a function
    program = begin(b" tcp://127.0.0.1:5 \nmore\n")
    with local_cluster(3) as address:
        assert address == "tcp://127.0.0.1:5"
        assert program.folder.exists()
        assert program.done == []
    assert not program.folder.exists()
    assert program.done == [("waits", 2.0)]
    assert program.stdout.closed


def test_program_that_does_not_leave_is_killed_with_its_group(
    begin: Any,  # noqa: ANN401 - a function
) -> None:
    program = begin(b"tcp://127.0.0.1:5\n", leaves=False)
    with local_cluster(3):
        pass
    assert program.done == [("waits", 2.0), (GROUP, signal.SIGKILL), ("waits", None)]


@pytest.mark.parametrize(
    ("complained", "reason"),
    [(b"Traceback\nOSError: no port\n", "OSError: no port"), (b"", "it was killed")],
)
def test_cluster_that_does_not_start_says_why(
    begin: Any,  # noqa: ANN401 - a function
    complained: bytes,
    reason: str,
) -> None:
    program = begin(b"", complained)
    with pytest.raises(UserError) as caught, local_cluster(3):
        pass
    assert str(caught.value) == f"--cluster local: the cluster did not start ({reason})"
    assert program.done == [("waits", 2.0)]


def test_program_ends_with_its_workers_and_what_they_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done: list[object] = []
    monkeypatch.setattr(module, "end_children", lambda: done.append("children"))
    monkeypatch.setattr(os, "_exit", done.append)
    (tmp_path / "kept").mkdir()
    module._leave(str(tmp_path / "kept"))
    module._leave(str(tmp_path / "kept"))  # it is gone already
    assert done == ["children", 0] * 2
    assert not (tmp_path / "kept").exists()


def test_program_is_given_how_many_workers_and_where_they_keep_things(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served: list[object] = []
    monkeypatch.setattr(sys, "argv", ["cluster", "3", "/kept"])
    monkeypatch.setattr(module, "adopt_orphans", lambda: served.append("adopts"))
    monkeypatch.setattr(module, "_serve", lambda *given: given)
    monkeypatch.setattr(asyncio, "run", served.append)
    module.main()
    assert served == ["adopts", (3, "/kept")]
