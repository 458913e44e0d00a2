"""Starts the worker processes beside the one that answers requests, and restarts them."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from arena.isolation import end_orphans
from salvo.server.database.server_database import Database

_AGAIN_S = 2.0  # how long to wait before one that ended is started again
_LEAVE_S = 15.0


class Supervisor:
    """Starts the others, and starts again those that end. Use it in a ``with`` statement."""

    def __init__(self, league: Path, roles: Sequence[str]) -> None:
        self._league, self._roles = league, roles
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._ended: dict[str, float] = {}

    def __enter__(self) -> Self:
        """Start them; in the thread that lives as long as this process, since they end with it."""
        self.look_after()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running.values():
            process.terminate()
        deadline = time.monotonic() + _LEAVE_S
        for process in self._running.values():
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def look_after(self) -> None:
        """Start whoever is not running, and end the bots that one left behind which was killed."""
        end_orphans(())
        for role in self._roles:
            process = self._running.get(role)
            if process is not None and process.poll() is not None:
                self._ended.setdefault(role, time.monotonic())
                if time.monotonic() < self._ended[role] + _AGAIN_S:
                    continue
                del self._ended[role]
                if process.returncode:  # else it was to rest
                    told = f"'{role}' ended with code {process.returncode}; it is started again"
                    with Database(self._league) as db:
                        db.note(told)
                process = None
            if process is None:
                module = [sys.executable, "-m", "salvo.server.work.process"]
                command = [*module, role, str(self._league), str(os.getpid())]
                self._running[role] = subprocess.Popen(command, stdin=subprocess.DEVNULL)
