"""`salvo serve`: serves a league as a web page."""

import re
import secrets
from ipaddress import ip_network
from pathlib import Path

import click

from arena.entrants import Terms
from arena.errors import UserError, not_installed
from arena.isolation import AUTO, Level, choose
from arena.league import Anchor, Charter, League
from arena.rules import Rules, preset
from arena.seeds import LEAGUE_SEED_BITS
from salvo.bundled import bundled_bots
from salvo.cli.options.bot_terms import GRANTS
from salvo.cli.options.option_types import RULES, WholeRange
from salvo.cli.options.record_options import league_option
from salvo.cli.terminal.output import notify
from salvo.conditions import cores

_ANY = ("0.0.0.0", "::")  # noqa: S104 - the user's choice, of which is spoken
_FIRST = ("hunt_target", "uniform_random")
"""Whom newcomers of a new league meet; the first is its anchor."""


def _networks(
    _ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    for one in value:
        try:
            ip_network(one)
        except ValueError as error:
            raise UserError(
                f"{param.opts[0]} {one}: {error}; give an address, or a network as 10.0.0.0/8"
            ) from error
    return value


def _names(_ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for one in value:
        if not re.fullmatch(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]", one):
            raise UserError(
                f"{param.opts[0]} {one}: give the name alone, as league.example.edu or 192.0.2.17, "
                "without https://, port and path"
            )
    return value


@click.command()
@league_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=WholeRange(min=0, max=65_535),
    default=8000,
    show_default=True,
    help="The port to listen at; 0 for any that is free.",
)
@click.option("--public", is_flag=True, help="Everybody may read; else only who has a key.")
@click.option(
    "--host-name",
    "names",
    multiple=True,
    metavar="NAME",
    callback=_names,
    help="A name by which browsers call it, beside localhost; may be repeated.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    callback=_networks,
    help="A proxy, or a network of them, whose word on addresses is believed; may be repeated.",
)
@click.option(
    "--workers",
    type=WholeRange(min=1, max=64),
    help="Blocks of games played in parallel.  [as last time; one core is left to the pages]",
)
@click.option(
    "--max-upload",
    "upload_mb",
    type=WholeRange(min=1, max=1024),
    default=16,
    show_default=True,
    metavar="MB",
    help="The largest file that can be submitted.",
)
@click.option("--rules", type=RULES, help="Of a new league: the rules, a preset or a TOML file.")
@click.option(
    "--grant",
    "grants",
    type=GRANTS,
    multiple=True,
    metavar="PATH",
    help="Of a new league: a file or folder that every bot may read; may be repeated.",
)
def serve(  # noqa: PLR0913 - one parameter an option
    *,
    folder: Path,
    host: str,
    port: int,
    public: bool,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    workers: int | None,
    upload_mb: int,
    rules: Rules | None,
    grants: tuple[str, ...],
) -> None:
    """Serve a league as a web page, to which bots are submitted.

    The first line of stdout is the operator's address, with a secret key. Bots that are submitted
    run in the sandbox alone: where `salvo doctor` shows none, the page takes no bots.
    """
    try:
        from salvo.server.database.server_database import Database
        from salvo.server.serving import bound, only_one, run, token_of
        from salvo.server.web.guard import Policy
    except ModuleNotFoundError as error:
        raise UserError(f"salvo serve: {not_installed(str(error.name), 'serve')}") from error

    _begin(folder, rules, grants)
    choice = choose(AUTO)
    closed = "" if choice.level is Level.SANDBOX else choice.steps_down[0]
    if closed:
        notify(f"bots cannot be submitted: {closed}")
    own = {"localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host}
    hosts = frozenset(name.lower() for name in own.union(names))
    policy = Policy(hosts=hosts, public=public, trusted=proxies, upload_mb=upload_mb)
    with only_one(folder), bound(host, port) as listening:
        base = _address(host, listening.getsockname()[1], names, proxies)
        with Database(folder) as db:
            db.settle("address", base)
            if workers is not None or not db.setting("workers", ""):
                db.settle("workers", str(workers or max(1, cores() - 1)))
        if host in _ANY:
            notify(_open_to_all(names, proxies))
        click.echo(f"{base}/enter?key={token_of(folder)}")
        sandboxed = [] if closed else ["check", "challenge"]
        roles = (*sandboxed, "play", "rate", "host", "coach")
        run(folder.resolve(), policy, closed, listening, roles)


def _begin(folder: Path, rules: Rules | None, grants: tuple[str, ...]) -> None:
    """Make a league of two bundled bots, unless there is one; no other user may read it."""
    from salvo.server.leagues import make_private

    charter = Charter(
        rules=rules or preset("salvo"),
        seed=str(secrets.randbits(LEAGUE_SEED_BITS)),
        anchor=Anchor(bot=f"{_FIRST[0]}@1"),
        terms=Terms(grants=grants),
    )
    bundled = bundled_bots()
    league = League(folder, charter, bundled)
    if rules is not None and rules != league.charter.rules:
        raise UserError(
            f"--rules: league folder {folder} has {league.charter.rules.name}; see its "
            "league.toml, or start another league with --league"
        )
    if grants and grants != league.charter.terms.grants:
        has = ", ".join(league.charter.terms.grants) or "none"
        raise UserError(
            f"--grant: league folder {folder} has {has}; change that with "
            f"`salvo operate set grants PATH ... --league {folder}`"
        )
    make_private(folder)
    for name in _FIRST if league.is_new else ():
        with league.candidate(bundled[name], name) as candidate:
            notify(f"a new league in {folder}: {league.admit(candidate).full_name} is entered")


def _address(host: str, port: int, names: tuple[str, ...], proxies: tuple[str, ...]) -> str:
    if names and proxies:
        return f"https://{names[0]}"
    if host in _ANY:
        host = names[0] if names else "127.0.0.1"
    elif ":" in host:
        host = "[::1]"
    return f"http://{host}:{port}"


def _open_to_all(names: tuple[str, ...], proxies: tuple[str, ...]) -> str:
    told = "it listens at every address of this machine"
    if not names:
        return (
            f"{told}, but answers to localhost alone: say --host-name ADDRESS, the address or name "
            "by which others call this machine"
        )
    if proxies:
        return f"{told}: whoever reaches this port passes by the proxy and its TLS"
    return f"{told}, without TLS: whoever can listen on the network can read keys and cookies"
