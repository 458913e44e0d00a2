"""Shows progress bars on stderr."""

from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

_PATIENCE_S = 2  # seconds before a bar appears
Step = TypeVar("Step")


def progress_bar(steps: Iterable[Step], total: int, unit: str) -> Iterable[Step]:
    """Return steps with a bar at a terminal; see ``salvo.reports.work_progress.Progress``."""
    tqdm.monitor_interval = 0  # workers are forked, and its thread would be in the way
    bar: Iterable[Step] = tqdm(
        steps, total=total, unit=f" {unit}", delay=_PATIENCE_S, leave=False, disable=None
    )
    return bar
