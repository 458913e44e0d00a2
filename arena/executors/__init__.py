"""Executors play blocks and return their records as they finish."""

from arena.executors.cargo import Answer, Cargo, Job, LogLine, to_parcel
from arena.executors.cluster import Cluster
from arena.executors.interface import Executor, NextBlock, Play, WorkerError
from arena.executors.local import LocalWorkers, ThisProcess

__all__ = [
    "Answer",
    "Cargo",
    "Cluster",
    "Executor",
    "Job",
    "LocalWorkers",
    "LogLine",
    "NextBlock",
    "Play",
    "ThisProcess",
    "WorkerError",
    "to_parcel",
]
