"""Runs a benchmark: ``python -m benchmarks NAME``."""

from benchmarks.command import bench
from salvo.cli.main import run

run(bench, "python -m benchmarks")
