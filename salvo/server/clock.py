"""Tells the time: dates of a league are compared with what this says, and nothing else."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the time of this machine, in UTC."""
    return datetime.now(UTC)
