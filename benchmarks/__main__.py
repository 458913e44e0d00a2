"""Runs a benchmark: ``python -m benchmarks NAME``."""

from types import ModuleType
from typing import Any

import click

from benchmarks.lines import Note
from salvo.cli.main import run
from salvo.cli.options.settings import SettingsGroup, modules_with_settings


class _Benchmarks(SettingsGroup):
    """One subcommand a benchmark."""

    def run(self, module: ModuleType, settings: Any, **_: Any) -> None:  # noqa: ANN401 - its own
        """Print the lines of a benchmark: results on stdout, notes on how far it is on stderr."""
        for line in module.run(settings):
            click.echo(line, err=isinstance(line, Note))


_NAMES = [name.replace("_", "-") for name in modules_with_settings("benchmarks")]


@click.group(cls=_Benchmarks, package="benchmarks", names=_NAMES)
def bench() -> None:
    """Run a benchmark; its last line of output is JSON."""


if __name__ == "__main__":
    run(bench, "python -m benchmarks")
