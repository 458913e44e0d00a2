"""`salvo bench field`: how long `salvo tournament` takes as a newcomer runs it."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from salvo.bench.lines import outcome_line

__all__ = ["field"]

AIM_S = 120.0


def field(workers: int) -> Iterator[str]:
    """Time `salvo tournament` with its defaults in an empty folder; the target is two minutes.

    Args:
        workers: Blocks of games played in parallel.

    Yields:
        What the command prints, and the outcome.
    """
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        command = [sys.executable, "-m", "salvo", "tournament", "--workers", str(workers)]
        done = subprocess.run(command, check=True, cwd=folder, stdout=subprocess.PIPE, text=True)
        elapsed_s = time.perf_counter() - started
    yield from done.stdout.splitlines()
    outcome = {
        "benchmark": "field",
        "ratio": round(elapsed_s / AIM_S, 3),
        "seconds": round(elapsed_s, 1),
        "workers": workers,
    }
    yield outcome_line(outcome)
