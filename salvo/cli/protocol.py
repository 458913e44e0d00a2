"""`salvo protocol`: prints the wire format."""

from importlib.resources import files

import click


@click.command()
def protocol() -> None:
    """Print the protocol between the arena and a bot, in Markdown."""
    click.echo(files("arena").joinpath("PROTOCOL.md").read_text(encoding="utf-8"), nl=False)
