"""The tasks that Dask runs; workers find them by their names, so they must have Salvo too."""

import importlib
from pathlib import Path
from typing import Any

from arena.executors.errand import Software, run, software


def installed(packages: tuple[str, ...]) -> Software:
    """Return what is installed on a worker; see ``software``."""
    return software(packages)


def play_errand(errand: bytes) -> bytes:
    """Play a block on the worker that this is called in; see ``arena.executors.errand.run``."""
    dask: Any = importlib.import_module("distributed.worker")
    worker, key = dask.get_worker(), dask.thread_state.key

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return run(errand, wanted, Path(worker.local_directory), worker.address)
