"""`salvo operate`: what the operator of a served league does, from the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from arena.errors import UserError
from salvo.cli.options.option_types import WholeRange
from salvo.cli.options.record_options import league_option
from salvo.cli.terminal.output import tell


@click.group()
def operate() -> None:
    """Operate a league that `salvo serve` serves, also while it does."""


def _command(function: Callable[..., None]) -> click.Command:
    return operate.command()(league_option(function))


def _need_served(folder: Path) -> None:
    if not (folder / "serve").is_dir():
        raise UserError(
            f"league folder {folder}: it was never served; `salvo serve --league {folder}` does it"
        )


@_command
def pause(folder: Path) -> None:
    """Finish the games in play, and begin none."""
    _need_served(folder)
    from salvo.server.database.server_database import Database
    from salvo.server.web.operating import pause as pause_games

    with Database(folder) as db:
        click.echo(pause_games(db, paused=True))


@_command
def resume(folder: Path) -> None:
    """Go on playing."""
    _need_served(folder)
    from salvo.server.database.server_database import Database
    from salvo.server.web.operating import pause as pause_games

    with Database(folder) as db:
        click.echo(pause_games(db, paused=False))


@operate.command()
@click.argument("count", type=WholeRange(min=1, max=64))
@league_option
def workers(*, count: int, folder: Path) -> None:
    """Play COUNT blocks of games at once."""
    _need_served(folder)
    from salvo.server.database.server_database import Database
    from salvo.server.web.operating import set_workers

    with Database(folder) as db:
        click.echo(set_workers(db, count))


@operate.command()
@click.argument("name")
@league_option
def ban(*, name: str, folder: Path) -> None:
    """Withdraw NAME for good: neither its author nor its invite can submit any more."""
    _need_served(folder)
    from salvo.server.database.ownership import ban as ban_name
    from salvo.server.database.server_database import Database

    with Database(folder) as db:
        click.echo(ban_name(db, folder, name))


def _counting(name: str, *, out: bool, words: str) -> None:
    """Add a subcommand that leaves a pairing out of the ratings, or no longer."""

    @operate.command(name, help=words)
    @click.argument("bot")
    @click.argument("opponent")
    @league_option
    def counting(*, bot: str, opponent: str, folder: Path) -> None:
        _need_served(folder)
        from salvo.server.database.server_database import Database
        from salvo.server.web.operating import leave_out

        with Database(folder) as db:
            click.echo(leave_out(db, folder, (bot, opponent), out=out))


_counting("leave-out", out=True, words="Leave the games of BOT and OPPONENT out of the ratings.")
_counting("count", out=False, words="Let the games of BOT and OPPONENT count in the ratings again.")


@operate.command()
@click.argument("labels", nargs=-1, required=True)
@league_option
def invite(*, labels: tuple[str, ...], folder: Path) -> None:
    """Make an invite for each of LABELS, such as names of students: a line each.

    It has the label, the code, and the link by which the code need not be typed.
    """
    _need_served(folder)
    from salvo.server.database.keys import new_invite
    from salvo.server.database.server_database import Database

    with Database(folder) as db:
        address = db.setting("address", "")
        for label in labels:
            code = new_invite(db, label)
            link = [f"{address}/enter?key={code}"] if address else []
            click.echo("\t".join([label, code, *link]))
    tell("each is entered at /enter, and good for one bot; it is not shown again")


@_command
def state(folder: Path) -> None:
    """Show what is going on, as JSON: workers, disk space, invites, the log."""
    _need_served(folder)
    from salvo.server.database.server_database import Database
    from salvo.server.leagues import open_league
    from salvo.server.web.operating import state_of

    with Database(folder) as db:
        state = state_of(db, open_league(folder))
        click.echo(json.dumps(msgspec.to_builtins(state), indent=2))
