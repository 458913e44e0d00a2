"""`salvo bench field`: how long `salvo tournament` takes as a newcomer runs it."""

import subprocess
import sys
import tempfile
import time

import click
import msgspec

__all__ = ["field"]

AIM_S = 120.0


@click.command()
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
def field(*, workers: int) -> None:
    """Time `salvo tournament` with its defaults in an empty folder; the aim is two minutes."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "salvo", "tournament", "--workers", str(workers)],
            check=True,
            cwd=folder,
        )
        elapsed_s = time.perf_counter() - started
    outcome = {
        "benchmark": "field",
        "ratio": round(elapsed_s / AIM_S, 3),
        "seconds": round(elapsed_s, 1),
        "workers": workers,
    }
    click.echo(msgspec.json.encode(outcome))
