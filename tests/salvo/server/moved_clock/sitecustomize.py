"""Moves the server's clock by the seconds in a file, in every process of it."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from salvo.server import clock


def moved() -> datetime:
    seconds = float(Path(os.environ["MOVED_CLOCK"]).read_text("utf-8"))
    return datetime.now(UTC) + timedelta(seconds=seconds)


clock.now = moved
