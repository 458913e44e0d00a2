"""`salvo submit BOT`: enters a bot in a league, and says where it stands."""

import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from arena.conformance import check
from arena.entrants import Terms, parse_path
from arena.errors import UserError
from arena.isolation import Choice
from arena.league import Anchor, Charter, Entry, League
from arena.records import Settings
from arena.rules import Rules, preset
from arena.seeds import LEAGUE_SEED_BITS
from arena.store import Look, Store
from salvo.bundled import bundled_bots
from salvo.cli.check import show_steps
from salvo.cli.options.bot_arguments import bot_argument
from salvo.cli.options.bot_terms import GRANTS, MEGABYTES, TEMPORARY, TERMS
from salvo.cli.options.option_types import (
    ADDRESS,
    ANCHOR,
    RULES,
    SECONDS,
    SECRET,
    WholeRange,
    even,
)
from salvo.cli.options.output_options import format_option, log_option, refuse_table, table_option
from salvo.cli.options.record_options import league_option
from salvo.cli.options.run_options import RunOptions, choose_level, isolation_option, workers_option
from salvo.cli.runs.forfeits import Unplayed, exit_if_unplayed
from salvo.cli.terminal.output import notify
from salvo.reports.how_rated import Table
from salvo.reports.words.check_text import failed, summary


def _of_new(
    name: str,
    type_: click.ParamType[Any],
    text: str,
    **more: Any,  # noqa: ANN401 - what click takes beside it
) -> Callable[..., Callable[..., None]]:
    return click.option(name, type=type_, help=f"Of a new league: {text}", **more)


@click.command()
@bot_argument("bot", required=False, metavar="[BOT]")
@click.option("--name", help="Its name in the league; by default that of its file.")
@league_option
@_of_new("--rules", RULES, "the rules, a preset or a TOML file.  [salvo]")
@_of_new("--seed", WholeRange(min=0), "what all randomness derives from; drawn unless given.")
@_of_new("--games", WholeRange(min=2), "games a pairing.  [100]", callback=even)
@_of_new("--layouts", WholeRange(min=0), "solo games a bot.  [200]")
@_of_new(
    "--anchor",
    ANCHOR,
    "this bot stands at this Elo for life.  [the first bot, at 1500]",
    metavar="BOT=ELO",
)
@_of_new("--move-time", SECONDS, "seconds for one answer.  [2]")
@_of_new("--game-time", SECONDS, "seconds for all answers of one game.  [60]")
@_of_new("--load-time", SECONDS, "seconds from a bot's start to its introduction.  [10]")
@_of_new("--max-memory", MEGABYTES, "the most memory that a bot may ask for.  [4096]", metavar="MB")
@_of_new(
    "--max-temporary",
    TEMPORARY,
    "the largest temporary folder that a bot may ask for.  [64]",
    metavar="MB",
)
@_of_new("--allow-processes", click.BOOL, "bots may start processes that ask to.", flag_value=True)
@_of_new(
    "--allow-network",
    ADDRESS,
    "an address that a bot may reach which asks for it.",
    multiple=True,
    metavar="HOST:PORT",
)
@_of_new(
    "--secret",
    SECRET,
    "this bot, which asks for it, is given a variable of your environment.",
    multiple=True,
    metavar="BOT=VARIABLE",
)
@_of_new("--grant", GRANTS, "a file or folder that every bot may read.", multiple=True)
@workers_option
@isolation_option
@log_option
@format_option
@table_option
def submit(  # noqa: PLR0913 - one parameter an option
    *,
    bot: str | None,
    name: str | None,
    folder: Path,
    workers: int,
    isolation: str,
    logs: Path | None,
    format_: str,
    table: Table | None,
    **given: Any,  # noqa: ANN401 - the options of a new league
) -> None:
    """Enter BOT in a league, play it against the field, and say where it stands.

    BOT is a bundled bot, a file or a folder. It is copied into the league's folder and checked.
    A new version takes the name; the old one stays in the record, and the two meet. Without BOT,
    missing games are played.
    """
    from salvo.cli.runs.running import play
    from salvo.reports.standings.league_standing import (
        describe_place,
        league_standing,
        submitted_place,
    )

    refuse_table(table, format_)
    league = _league(folder, given)
    if bot is None and (name is not None or league.is_new):
        raise UserError(
            "name a BOT to submit; without one, only the missing games of a league are played"
        )
    choice = choose_level(isolation)
    entry = None if bot is None else _enter(league, bot, name, choice)
    charter = league.charter
    run = RunOptions(
        rules=charter.rules,
        seed=int(charter.seed),
        workers=workers,
        isolation=choice,
        settings=charter.times,
        terms=charter.terms,
        db=league.record,
        tournament_name="league",
        format_=format_,
        table=table,
        logs=logs,
    )
    with Store(league.record, create=True) as store:
        for changed in league.changed():
            notify(f"{changed} is no longer what was submitted: its copy or Salvo's kit changed")
        league.extend(store)
        lineup = league.lineup()
        for full_name, reason in lineup.missing.items():
            notify(
                f"{full_name} cannot be started, plays no more and keeps its rating: {reason}; "
                f"mend that, or withdraw it: `salvo withdraw {full_name.rpartition('@')[0]}`"
            )
        missed = play(lineup.tournament, lineup.plan, run, store)
        league.pack_idle()
        standing = league_standing(league, store)
        former = standing
        if entry is not None and entry.version > 1:  # rating all versions may take minutes
            former = league_standing(league, store, all_versions=True)
        store.note_look("league", Look(charter.games // 2))
    submitted = None
    if entry is not None:
        submitted = submitted_place(standing, former, entry)
        place = describe_place(standing, entry, submitted)
        if standing.ratings is None:
            standing.notes[:0] = place
        else:  # whoever submits a bot asks first where it stands
            standing.elo_verdict = [*place, *standing.elo_verdict[:1]]
    if format_ == "json":
        click.echo(json.dumps({"submitted": submitted, **standing.plain()}))
    else:
        click.echo(standing.text(format_, table))
    exit_if_unplayed([match for match in missed if _concerns(match, league, entry)])


def _concerns(match: Unplayed, league: League, entry: Entry | None) -> bool:
    if entry is not None:
        return match.losers == {entry.full_name}
    return match.names <= {entry.full_name for entry in league.field}


def _league(folder: Path, given: dict[str, Any]) -> League:
    wanted = {option: value for option, value in given.items() if value not in (None, ())}
    if "anchor" in wanted:
        wanted["anchor"] = _anchor(*wanted["anchor"])
    league = League(folder, _charter(wanted), bundled_bots())
    _refuse_others(wanted, league)
    return league


_TIMES = {"load_time": "load_s", "move_time": "move_s", "game_time": "game_s"}
"""The fields of the charter's times, by the options that set them."""


def _charter(wanted: dict[str, Any]) -> Charter:
    """Return the charter of a new league."""

    def chosen(fields: dict[str, str]) -> dict[str, Any]:
        return {field: wanted[option] for option, field in fields.items() if option in wanted}

    # Whoever knows the seed can work out every layout; the league's charter keeps it.
    seed = str(wanted.get("seed", secrets.randbits(LEAGUE_SEED_BITS)))
    return Charter(
        rules=wanted.get("rules") or preset("salvo"),
        seed=seed,
        times=Settings(**chosen(_TIMES)),
        terms=Terms(**chosen(TERMS)),
        **chosen({option: option for option in ("games", "layouts", "anchor")}),
    )


def _refuse_others(wanted: dict[str, Any], league: League) -> None:
    """Refuse options that are not those of the league."""
    charter = league.charter
    played: dict[str, Any] = {
        **{option: getattr(charter, option) for option in ("rules", "games", "layouts", "anchor")},
        **{option: getattr(charter.times, field) for option, field in _TIMES.items()},
        **{option: getattr(charter.terms, field) for option, field in TERMS.items()},
        "seed": int(charter.seed),
    }
    for option, value in wanted.items():
        if value != played[option]:
            # What is printed here ends up in logs, and the seed is for the owner alone.
            shown = "another" if option == "seed" else _shown(played[option])
            raise UserError(
                f"--{option.replace('_', '-')}: league folder {league.folder} has {shown}; "
                "see its league.toml, of which `salvo operate set` changes what may be changed, or "
                "start another league with --league"
            )


def _shown(found: object) -> str:
    match found:
        case None | ():
            return "none"
        case Rules(name=name):
            return name
        case Anchor(bot=bot, elo=elo):
            return f"{bot}={elo:g}"
        case tuple():
            return ", ".join(found)
    return str(found)


def _anchor(bot: str, elo: float) -> Anchor:
    try:
        return msgspec.convert({"bot": bot if "@" in bot else f"{bot}@1", "elo": elo}, Anchor)
    except msgspec.ValidationError as error:
        raise UserError(f"--anchor {bot}: name a bot, or one version as NAME@2") from error


def _enter(league: League, bot: str, name: str | None, choice: Choice) -> Entry:
    """Check a bot and enter it in the league; exit with 1 if it fails the check."""
    from salvo.playing.entering import needs_of
    from salvo.server.database.ownership import refuse_banned
    from salvo.server.database.server_database import Database, is_served

    own_name, path = parse_path(bot, bundled_bots())
    if is_served(league.folder):
        with Database(league.folder) as db:
            refuse_banned(db, name or own_name)
    with league.candidate(path, name or own_name) as candidate:
        name, known = candidate.entrant.name, candidate.known
        if known is not None and known.state == "current":
            notify(f"{known.full_name} is in the league already, with the same content")
            return known
        for twin in candidate.twins:
            notify(f"{twin} has the same content")
        charter = league.charter
        notify(f"checking {name} by {charter.rules.name}, isolation {choice.level}")
        for needs in needs_of(candidate.entrant, choice.level):
            notify(needs)
        steps = check(candidate.entrant, charter.rules, charter.times, choice.level)
        done = list(show_steps(steps, err=True))
        if failed(done):
            notify(f"{name} is not accepted: {summary(done)}")
            raise click.exceptions.Exit(1)
        entry = league.admit(candidate)
        notify(f"{entry.full_name} is accepted")
        return entry
