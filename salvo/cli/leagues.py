"""The option that the commands about leagues share."""

from pathlib import Path

import click

__all__ = ["league_option"]

league_option = click.option(
    "--league",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default="league",
    show_default=True,
    help="The folder of the league.",
)
