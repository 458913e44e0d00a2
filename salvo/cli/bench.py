"""`salvo bench NAME`."""

from salvo.bench import bench

__all__ = ["bench"]
