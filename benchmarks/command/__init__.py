"""`python -m benchmarks NAME`: the benchmarks behind the numbers in the documents."""

import click

from salvo.cli.lazy import LazyGroup

__all__ = ["bench"]

_NAMES = (
    "transport",
    "start-up",
    "field",
    "tournament",
    "growth",
    "coverage",
    "ratings",
    "schedules",
    "sources",
    "rules",
    "bayes",
    "strength",
    "choices",
    "by-rules",
    "adjusted",
    "suspects",
    "optima",
    "placement",
    "learning",
    "serve",
    "board",
)


@click.group(cls=LazyGroup, package="benchmarks.command", names=_NAMES)
def bench() -> None:
    """Run a benchmark; its last line of output is JSON."""
