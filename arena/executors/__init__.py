"""Plays blocks and yields their records as they finish: here, in workers, on a cluster."""

from arena.executors.cluster import Cluster
from arena.executors.executor import Executor, NextBlock, Play, WorkerError
from arena.executors.local import LocalWorkers, ThisProcess
from arena.executors.payload import Answer, Job, LogLine, Payload

__all__ = [
    "Answer",
    "Cluster",
    "Executor",
    "Job",
    "LocalWorkers",
    "LogLine",
    "NextBlock",
    "Payload",
    "Play",
    "ThisProcess",
    "WorkerError",
]
