"""The command ``salvo``: its subcommands, and how errors end it."""

import importlib
import sys

import click

from arena.errors import UserError

__all__ = ["main"]

_COMMANDS = (
    "tournament",
    "match",
    "solo",
    "standings",
    "report",
    "games",
    "replay",
    "play",
    "submit",
    "withdraw",
    "bots",
    "rules",
    "new",
    "check",
    "protocol",
    "doctor",
    "bench",
)


class _Commands(click.Group):
    """Subcommands that are imported when they are asked for, so that each starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands in the order of a first session."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand: the object of its own name in the module of that name."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(importlib.import_module(f"arena.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="salvo-arena", message="salvo %(version)s")
def salvo() -> None:
    """Battleship bot competitions: bots are programs, Salvo lets them play and rates them."""


def main() -> None:
    """Run ``salvo``; a user's mistake is one line on stderr and exit code 2."""
    try:
        # What `ctx.exit` was given is returned, not raised, where Click does not end the process.
        sys.exit(salvo.main(standalone_mode=False))
    except click.ClickException as error:
        # Click tells usage errors with the usage line before them.
        error.show()
        sys.exit(error.exit_code)
    except UserError as error:
        click.echo(f"salvo: {error}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nsalvo: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output left (`salvo games | head`), which is no error.
        sys.stdout = None
        sys.exit(0)
