"""`salvo operate`: does from the command line what the operator of a served league does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import click
import msgspec

from arena.errors import UserError
from arena.league import League, amend, announce
from arena.league.amending import moment_of
from arena.store import Store
from arena.text import first_few
from salvo.cli.options.option_types import EXISTING_FILE, FOLDER, WholeRange, even
from salvo.cli.options.record_options import league_option
from salvo.cli.terminal.output import notify

if TYPE_CHECKING:
    from salvo.server.database.server_database import Database

_P = ParamSpec("_P")


@click.group()
def operate() -> None:
    """Operate a league that `salvo serve` serves, also while it does."""


def _command(
    function: Callable[Concatenate["Database", Path, _P], None],
) -> Callable[..., None]:
    """Return the body of a subcommand that is given the database and the folder of a league."""

    def opened(folder: Path, *args: _P.args, **given: _P.kwargs) -> None:
        if not (folder / "serve").is_dir():
            raise UserError(
                f"league folder {folder}: it was never served; `salvo serve --league {folder}` "
                "does it"
            )
        from salvo.server.database.server_database import Database

        with Database(folder) as db:
            function(db, folder, *args, **given)

    opened.__name__, opened.__doc__ = function.__name__, function.__doc__
    return league_option(opened)


@operate.command()
@_command
def pause(db: "Database", _folder: Path) -> None:
    """Finish the games in play, and begin none."""
    from salvo.server.web.operating import pause as pause_games

    click.echo(pause_games(db, paused=True))


@operate.command()
@_command
def resume(db: "Database", _folder: Path) -> None:
    """Go on playing."""
    from salvo.server.web.operating import pause as pause_games

    click.echo(pause_games(db, paused=False))


@operate.command()
@click.argument("count", type=WholeRange(min=1, max=64))
@_command
def workers(db: "Database", _folder: Path, *, count: int) -> None:
    """Play COUNT blocks of games at once."""
    from salvo.server.web.operating import set_workers

    click.echo(set_workers(db, count))


@operate.command()
@click.argument("count", type=WholeRange(min=0, max=200))
@_command
def people(db: "Database", _folder: Path, *, count: int) -> None:
    """Let up to COUNT people play on the page at once; 0 for none."""
    from salvo.server.web.operating import set_places

    click.echo(set_places(db, count))


@operate.command()
@click.argument("name")
@_command
def ban(db: "Database", folder: Path, *, name: str) -> None:
    """Withdraw NAME for good: neither its author nor its invite can submit any more."""
    from salvo.server.database.ownership import ban as ban_name

    click.echo(ban_name(db, folder, name))


@operate.command()
@click.argument("name", required=False)
@click.option(
    "--invite", type=WholeRange(min=1), help="The number of an invite, also of one without a bot."
)
@click.option("--yes", is_flag=True, help="Do it without asking.")
@_command
def forget(
    db: "Database", folder: Path, *, name: str | None, invite: int | None, yes: bool
) -> None:
    """Delete all data of NAME's author; its games stay, under a neutral name.

    That is label, invite, bot in all versions, and what it wrote to stderr.
    """
    from salvo.server.forgetting.deleting import forget as forget_person
    from salvo.server.forgetting.deleting import refuse_unknown

    who = name if invite is None else invite
    if who is None or None not in (name, invite):
        raise UserError("name a bot, or an invite with --invite")
    refuse_unknown(db, folder, who)
    if not yes:
        said = name or f"invite {invite}"
        click.confirm(f"Delete all data of {said} and its author, for good?", abort=True, err=True)
    click.echo(forget_person(db, folder, who))
    notify("backups, sites and downloads that were made before still have them: delete those too")


def _counting(name: str, *, out: bool, words: str) -> None:
    """Add a subcommand that leaves a pairing out of the ratings, or no longer."""

    @operate.command(name, help=words)
    @click.argument("bot")
    @click.argument("opponent")
    @_command
    def counting(db: "Database", folder: Path, *, bot: str, opponent: str) -> None:
        from salvo.server.web.operating import leave_out

        click.echo(leave_out(db, folder, (bot, opponent), out=out))


_counting("leave-out", out=True, words="Leave the games of BOT and OPPONENT out of the ratings.")
_counting("count", out=False, words="Let the games of BOT and OPPONENT count in the ratings again.")


@operate.command()
@click.argument("labels", nargs=-1)
@click.option(
    "--from",
    "roster",
    type=EXISTING_FILE,
    help="A CSV file with the labels: in a column `name` or `label`, or in its first.",
)
@_command
def invite(db: "Database", _folder: Path, *, labels: tuple[str, ...], roster: Path | None) -> None:
    """Make an invite for each of LABELS, such as names of students: a line each.

    It has the label, the code, and the link by which the code need not be typed. Who of a roster
    has an invite already gets no other.
    """
    from salvo.server.database.keys import invites, new_invite
    from salvo.server.roster import read_roster

    if not labels and roster is None:
        raise UserError("name whom to invite: LABELS, or a table with --from")
    known = {one.label for one in invites(db) if not one.revoked}
    listed = [] if roster is None else read_roster(roster)
    here = [label for label in listed if label in known]
    if here:
        notify(f"{roster}: {len(here)} already invited: {first_few(here)}")
    address = db.setting("address", "")
    for label in (*labels, *(label for label in listed if label not in known)):
        code = new_invite(db, label)
        link = [f"{address}/enter?key={code}"] if address else []
        click.echo("\t".join([label, code, *link]))
    notify("each is entered at /enter, and good for one bot and its author; none is shown again")


@operate.command("set")
@click.argument("field")
@click.argument("values", nargs=-1)
@league_option
def set_(field: str, values: tuple[str, ...], folder: Path) -> None:
    """Set FIELD of the charter, league.toml, to VALUES, which are several of grants and addresses.

    Also of a league that was never served. docs/league.md says what can be changed, and from when
    on it holds.
    """
    from salvo.server.database.server_database import Database, is_served

    done = amend(League(folder).folder, field, values)
    if is_served(folder):
        with Database(folder) as db:
            db.note(done)
            db.announce("queue")
    click.echo(done)


@operate.command()
@click.argument("name")
@click.argument("moment", metavar="MOMENT")
@click.option(
    "--games",
    type=WholeRange(min=2),
    callback=even,
    help="Games a pairing, at most.  [default: as many as in the league]",
)
@click.option(
    "--looks",
    type=WholeRange(min=1, max=10),
    help="How often the result is looked at, each time to end it if it is sure.  [default: 4]",
)
@_command
def tournament(  # noqa: PLR0913 - one parameter an option
    db: "Database", folder: Path, *, name: str, moment: str, games: int | None, looks: int | None
) -> None:
    """Announce a tournament NAME, such as final, that begins at MOMENT, or move it.

    MOMENT has a time zone, as in 2026-12-12T10:00+01:00. Everybody in the league then takes part;
    what is called final begins once the league has closed. docs/league.md has more.
    """
    from salvo.server.tournaments import note_announced

    at = moment_of(f"tournament {name}", moment)
    planned = announce(League(folder), name, at, games=games, looks=looks)
    click.echo(note_announced(db, planned))


@operate.command("call-off")
@click.argument("name")
@_command
def call_off(db: "Database", folder: Path, *, name: str) -> None:
    """Take a tournament that has not begun out of the calendar."""
    from salvo.server.tournaments import called_off

    click.echo(called_off(db, folder, name))


@operate.command()
@click.argument("copy", type=FOLDER, metavar="FOLDER")
@_command
def backup(db: "Database", folder: Path, *, copy: Path) -> None:
    """Copy the league into a new FOLDER, which can be served in its place.

    It holds the seed of all games, so only its owner may read it.
    """
    from salvo.server.backup import back_up
    from salvo.server.leagues import open_league

    back_up(db, open_league(folder), copy)
    click.echo(f"{copy} is a copy of the league; `salvo serve --league {copy}` serves it")


@operate.command()
@_command
def grades(db: "Database", folder: Path) -> None:
    """Print a table for grades as CSV: a row for each invite, with the label that it has.

    docs/league.md says what the columns mean.
    """
    from leaderboards.display.spreadsheet import csv_of
    from salvo.server.leagues import open_league
    from salvo.server.work.grades import grades as table_of

    league = open_league(folder)
    with Store(league.record, create=True) as store:
        click.echo(csv_of(table_of(league, store, db)), nl=False)


@operate.command()
@_command
def state(db: "Database", folder: Path) -> None:
    """Show what is going on, as JSON: workers, disk space, invites, the log."""
    from salvo.server.leagues import open_league
    from salvo.server.web.operating import state_of

    click.echo(json.dumps(msgspec.to_builtins(state_of(db, open_league(folder))), indent=2))
