"""Runs the command `salvo`, and reports errors that end it."""

import difflib
import os
import signal
import sys
import threading
from typing import NoReturn

import click

from arena.errors import UserError
from salvo.cli.lazy import LazyGroup
from salvo.cli.terminal.filtering import filter_terminals

_COMMANDS = (
    "tournament",
    "match",
    "solo",
    "merge",
    "verify",
    "standings",
    "report",
    "tournaments",
    "games",
    "replay",
    "play",
    "submit",
    "withdraw",
    "serve",
    "operate",
    "site",
    "bots",
    "rules",
    "train",
    "benchmark",
    "new",
    "check",
    "protocol",
    "doctor",
    "completion",
)
_AGAIN_S = 0.05


class _Commands(LazyGroup):
    """The subcommands; one that does not exist is answered with the nearest that does."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; that the reader of stdout closes it (`salvo games | head`) is no error.

        Here, since Click itself would exit with 1.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stdout = None
            ctx.exit(0)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = args[0] in _COMMANDS or args[0].startswith("-")
        if not known and not ctx.resilient_parsing:  # which is how completion looks
            near = difflib.get_close_matches(args[0], _COMMANDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "`salvo --help` lists them"
            raise UserError(f"no command is called '{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    package="salvo.cli",
    names=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="salvo-arena", message="salvo %(version)s")
def salvo() -> None:
    """Battleship bot competitions: Salvo plays bots against each other and rates them."""


def main() -> None:
    """Run ``salvo``."""
    run(salvo, "salvo")


def run(command: click.Command, name: str) -> NoReturn:
    """Run a command; a user's mistake is one line on stderr and exit code 2."""
    # Before numpy is imported: threads cost more than they bring to matrices so small, ten times as
    # much on a busy machine, and sums in another order would be other weights.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    filter_terminals()
    sys.unraisablehook = _interrupt_again
    try:
        # What `ctx.exit` was given is returned, not raised, where Click does not end the process.
        sys.exit(command.main(prog_name=name, standalone_mode=False))
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
    except OSError as error:
        # A file that no command checks by itself, or stdout on a full disk.
        where = error.filename or "standard output"
        if error.filename is None:
            sys.stdout = None
        _end_by_mistake(f"{where}: {error.strerror or error}")


def _interrupt_again(ignored: "sys.UnraisableHookArgs") -> None:
    """Repeat a Ctrl-C that Python drops, since it came in a destructor or a callback of weakref."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        # To the main thread itself, whose sleep or reading it has to break off.
        main = threading.main_thread().ident
        again = threading.Timer(_AGAIN_S, signal.pthread_kill, (main, signal.SIGINT))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(ignored)


def _mistake(error: click.ClickException) -> str:
    text = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{text}; see `{context.command_path} --help`" if context else text


def _end_by_mistake(text: str) -> NoReturn:
    click.echo(f"salvo: {text}", err=True)
    sys.exit(2)
