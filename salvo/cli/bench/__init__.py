"""`salvo bench NAME`: the benchmarks behind the numbers in the documents."""

import importlib

import click

__all__ = ["bench"]

_NAMES = (
    "transport",
    "start-up",
    "field",
    "coverage",
    "ratings",
    "schedules",
    "sources",
    "rules",
    "bayes",
    "adjusted",
    "optima",
    "placement",
    "learning",
)


class _Benchmarks(click.Group):
    """Benchmarks that are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the benchmarks."""
        del ctx
        return list(_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a benchmark: the object named like its module."""
        del ctx
        if cmd_name not in _NAMES:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"salvo.cli.bench.{name}"), name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Benchmarks)
def bench() -> None:
    """Run a benchmark; its last line of output is JSON."""
