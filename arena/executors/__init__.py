"""Plays blocks and yields their records as they finish: here, in workers, on a cluster."""

from arena.executors.cluster import LOCAL, Cluster
from arena.executors.executor import Executor, NextBlock, Play, WorkerError
from arena.executors.local import LocalWorkers, ThisProcess
