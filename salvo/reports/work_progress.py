"""Defines how long work reports its progress; the caller decides how it is shown."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

Step = TypeVar("Step")


class Progress(Protocol):
    """Passes on the steps of some work, and may show its progress."""

    def __call__(self, steps: Iterable[Step], total: int, unit: str) -> Iterable[Step]:
        """Return the same steps in the same order; a unit is what a step is, in the plural."""
        ...


def no_progress(steps: Iterable[Step], total: int, unit: str) -> Iterable[Step]:
    """Return the steps and show nothing."""
    del total, unit
    return steps
