"""Starts a Dask cluster on this machine as a program of its own, which ends with the run.

    python -m arena.executors.local_cluster WORKERS FOLDER

The program prints the address of its scheduler. It has a session of its own, so that Ctrl-C at a
terminal reaches nothing of the cluster. When its standard input is closed, by the run or by the
kernel when the run is gone, it kills all that is below it, removes FOLDER and ends.
"""

import contextlib
import importlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from arena.errors import UserError
from arena.isolation import adopt_orphans, end_children

LEAVE_S = 2.0
"""How long the program may take to end before it is killed."""


@contextlib.contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Start a cluster, and yield the address of its scheduler; its workers join as they are up.

    Raises:
        UserError: If it does not start.
    """
    with (
        # What workers keep: a cluster that is killed cannot remove it.
        tempfile.TemporaryDirectory(prefix="salvo-cluster-", ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile() as errors,
    ):
        Path(folder).chmod(0o711)  # as root, bots have user ids of their own
        process = subprocess.Popen(
            # -P: the folder is no place to import from.
            [sys.executable, "-P", "-m", __name__, str(workers), folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        try:
            yield _address(process, errors)
        finally:
            _end(process)


def _address(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> str:
    assert process.stdout is not None
    address = process.stdout.readline().decode().strip()
    if address:
        return address
    errors.seek(0)
    reason = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
    raise UserError(f"--cluster local: the cluster did not start ({reason or 'it was killed'})")


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    try:
        process.wait(LEAVE_S)
    except subprocess.TimeoutExpired:
        pass  # it was stopped
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()


def main() -> None:
    """Run a cluster until standard input is closed."""
    import asyncio  # noqa: PLC0415 - all who play import this module, and few start a cluster

    workers, folder = int(sys.argv[1]), sys.argv[2]
    adopt_orphans()
    asyncio.run(_serve(workers, folder))


async def _serve(workers: int, folder: str) -> None:
    import asyncio  # noqa: PLC0415 - the same

    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _leave, folder)
    dask: Any = importlib.import_module("distributed")
    cluster = await dask.LocalCluster(
        n_workers=0,
        threads_per_worker=1,
        asynchronous=True,
        # A web server starts in any case: on any free port, not on 8787, which may be taken.
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        local_directory=folder,
        memory_limit=0,  # a worker only waits for programs, whose memory Dask does not count
        silence_logs=logging.CRITICAL,
    )
    cluster.scale(workers)
    print(cluster.scheduler_address, flush=True)  # noqa: T201 - this is a program
    await asyncio.Event().wait()


def _leave(folder: str) -> None:
    """End this process; nobody restarts workers meanwhile, since the event loop waits."""
    end_children()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


if __name__ == "__main__":
    main()
