"""Starts the process of the workers beside the one that answers requests, and starts it again."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from arena.isolation import end_children, end_orphans
from salvo.server.database.server_database import Database

_AGAIN_S = 2.0  # how long to wait before it is started again
_LEAVE_S = 20.0


class Supervisor:
    """Has roles done in another process. Use it in a ``with`` statement."""

    def __init__(self, league: Path, roles: Sequence[str]) -> None:
        self._league = league
        module = [sys.executable, "-m", "salvo.server.work.process"]
        self._command = [*module, str(league), str(os.getpid()), *roles]
        self._ended_s: float | None = None

    def __enter__(self) -> Self:
        """Start it; in the thread that lives as long as this process, since it ends with it."""
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def look_after(self) -> None:
        """Start it again if it ended, and end the bots that it left behind if it was killed."""
        end_orphans(())
        if self._process.poll() is None:
            return
        if self._ended_s is None:
            self._ended_s = time.monotonic()
        if time.monotonic() >= self._ended_s + _AGAIN_S:
            told = f"the workers ended with code {self._process.returncode}; they are started again"
            with Database(self._league) as db:
                db.note(told)
            end_children()  # workers that it left behind have had time to end
            self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
        self._ended_s = None
