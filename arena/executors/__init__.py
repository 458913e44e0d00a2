"""Where blocks run: blocks in, records out as they finish."""

from arena.executors.interface import Executor, Play, WorkerError
from arena.executors.local import LocalWorkers, ThisProcess

__all__ = ["Executor", "LocalWorkers", "Play", "ThisProcess", "WorkerError"]
