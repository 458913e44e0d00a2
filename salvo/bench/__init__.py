"""`salvo bench NAME`: the benchmarks behind the figures in the documents.

Each prints what it measures and ends in one line of JSON with its headline under ``ratio``.
"""

import importlib

import click

__all__ = ["bench"]

_NAMES = (
    "transport",
    "start-up",
    "field",
    "coverage",
    "sources",
    "rules",
    "bayes",
    "optima",
    "placement",
)


class _Benchmarks(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _NAMES:
            return None
        module = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"salvo.bench.{module}"), module)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Benchmarks)
def bench() -> None:
    """Measure, and end in one line of JSON."""
