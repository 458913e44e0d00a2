"""A Dask worker: its description, the copies of bots that it keeps, and how tasks end."""

import hashlib
import importlib.metadata
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.executors import dask_task
from arena.executors.dask_task import Software, Task, played_on_worker, run_on_worker, software


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder of a package with a module, in which the arena lies too."""
    folder = tmp_path / "package"
    (folder / "deep" / "__pycache__").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "deep" / "data.txt").write_text("text")
    (folder / "deep" / "__pycache__" / "data.pyc").write_text("compiled")
    origins = {
        "arena": SimpleNamespace(origin=str(folder / "__init__.py")),
        "namespace": SimpleNamespace(origin=None),
    }
    monkeypatch.setattr(dask_task, "find_spec", origins.get)
    software.cache_clear()
    yield folder
    software.cache_clear()


def test_software_is_its_version_its_files_and_python(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "python_version_tuple", lambda: ("3", "12", "7"))
    monkeypatch.setattr(importlib.metadata, "version", {"salvo-arena": "1.2"}.get)
    rows = (("arena/__init__.py", b""), ("arena/deep/data.txt", b"text"))
    told = "".join(f"{len(name)} {name} {hashlib.sha256(x).hexdigest()}\n" for name, x in rows)
    mine = software(("namespace", "missing"))
    assert mine == Software("1.2", hashlib.sha256(told.encode()).hexdigest(), "3.12")
    assert str(mine) == f"Salvo 1.2 ({mine.code[:8]}) on Python 3.12"
    (package / "deep" / "data.txt").write_text("other")
    software.cache_clear()
    assert software(()).code != mine.code


@pytest.mark.usefixtures("package")
def test_salvo_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert software(()).salvo == "unknown"


def test_task_is_wanted_while_the_worker_executes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    states = iter([SimpleNamespace(state="executing"), SimpleNamespace(state="cancelled"), None])
    worker = SimpleNamespace(
        local_directory=str(tmp_path),
        address="tcp://w:1",
        state=SimpleNamespace(tasks=SimpleNamespace(get=lambda key: key == "k" and next(states))),
    )
    dask = SimpleNamespace(get_worker=lambda: worker, thread_state=SimpleNamespace(key="k"))
    monkeypatch.setitem(sys.modules, "distributed.worker", dask)  # type: ignore[arg-type]

    def run(task: bytes, wanted: Any, folder: Path, address: str) -> bytes:  # noqa: ANN401 - a function
        assert (task, folder, address) == (b"task", tmp_path, "tcp://w:1")
        assert [wanted() for _ in range(3)] == [True, False, False]
        return b"outcome"

    monkeypatch.setattr(dask_task, "run", run)
    assert run_on_worker(b"task") == b"outcome"


def test_worker_tells_the_tasks_that_it_executes() -> None:
    executing = [SimpleNamespace(key="a"), SimpleNamespace(key="b")]
    worker = SimpleNamespace(state=SimpleNamespace(executing=executing))
    assert played_on_worker(worker) == ["a", "b"]


def test_packed_bots_are_kept_and_what_lacks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_task, "_play", lambda *given: given)
    task = Task("arena.plays", software(()), (), b"", ("a", "b", "c"), {"b": b"content"})
    outcome = dask_task._outcome(task, lambda: True, tmp_path, "tcp://w:1")
    assert outcome == dask_task.Missing("tcp://w:1", ("a", "c"))
    kept = tmp_path / "salvo-packed-bots"
    assert kept.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in kept.iterdir()] == ["b"]
    for name in "ac":
        (kept / name).write_bytes(b"")
    (kept / "b").write_bytes(b"as it was kept")
    assert dask_task._outcome(task, bool, tmp_path, "tcp://w:1") == (task, kept, bool)
    assert (kept / "b").read_bytes() == b"as it was kept"


@pytest.mark.parametrize(
    ("ended", "leaves", "done"),
    [
        (True, True, []),
        (False, True, ["terminate", 10.0]),
        (False, False, ["terminate", 10.0, "kill"]),
    ],
)
def test_program_is_told_to_end_and_killed_if_it_does_not(
    done: list[object], *, ended: bool, leaves: bool
) -> None:
    called: list[object] = []

    def wait(patience_s: float) -> None:
        called.append(patience_s)
        if not leaves:
            raise subprocess.TimeoutExpired("program", patience_s)

    process: Any = SimpleNamespace(
        poll=lambda: 0 if ended else None,
        terminate=lambda: called.append("terminate"),
        wait=wait,
        kill=lambda: called.append("kill"),
    )
    dask_task._end(process)
    assert called == done
