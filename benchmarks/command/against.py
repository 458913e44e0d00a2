"""The option of benchmarks that measure another installation beside this one."""

from pathlib import Path

import click

against_option = click.option(
    "--against",
    metavar="VENV",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A virtual environment whose Salvo is measured in the same run.",
)
