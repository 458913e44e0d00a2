"""The command ``salvo``: its subcommands, and how errors end it."""

import difflib
import importlib
import sys
from typing import NoReturn

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
    "train",
    "new",
    "check",
    "protocol",
    "doctor",
    "bench",
)


class _Commands(click.Group):
    """Subcommands that are imported on demand, so that each starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands in the order of a first session."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand: the object named like its module."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(importlib.import_module(f"salvo.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the first argument names, and the other arguments.

        Raises:
            UserError: If it names none.
        """
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], _COMMANDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "`salvo --help` lists them"
            raise UserError(f"no command is called '{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="salvo-arena", message="salvo %(version)s")
def salvo() -> None:
    """Battleship bot competitions: Salvo plays bots against each other and rates them."""


def main() -> None:
    """Run ``salvo``; a user's mistake is one line on stderr and exit code 2."""
    try:
        # What `ctx.exit` was given is returned, not raised, where Click does not end the process.
        sys.exit(salvo.main(standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        _end_by_mistake(_mistake(error))
    except UserError as error:
        _end_by_mistake(str(error))
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nsalvo: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of stdout closed it (`salvo games | head`): not an error.
        sys.stdout = None
        sys.exit(0)
    except OSError as error:
        # A file that no command checks by itself, or stdout on a full disk.
        where = error.filename or "standard output"
        if error.filename is None:
            sys.stdout = None
        _end_by_mistake(f"{where}: {error.strerror}")


def _mistake(error: click.ClickException) -> str:
    """Return Click's message about a mistake, and where to find help."""
    text = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{text}; see `{context.command_path} --help`" if context else text


def _end_by_mistake(text: str) -> NoReturn:
    click.echo(f"salvo: {text}", err=True)
    sys.exit(2)
