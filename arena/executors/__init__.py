"""Executors play blocks and return their records as they finish."""

from arena.executors.interface import Executor, NextBlock, Play, WorkerError
from arena.executors.local import LocalWorkers, ThisProcess

__all__ = ["Executor", "LocalWorkers", "NextBlock", "Play", "ThisProcess", "WorkerError"]
