"""What the subcommands share: their options, and what these mean."""

import functools
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from arena.errors import UserError
from arena.isolation import AUTO, Choice, Level, choose
from arena.records import Settings
from arena.rules import PRESETS, Rules
from arena.seeds import DEFAULT_SEED
from salvo.cli.options.bot_terms import terms_options
from salvo.cli.options.clusters import cluster_option
from salvo.cli.options.completing import complete_rules, complete_tournaments
from salvo.cli.options.folders import log_option
from salvo.cli.options.numbers import FiniteRange, WholeRange
from salvo.cli.terminal.output import tell
from salvo.conditions import Conditions, cores
from salvo.reports.how_rated import TABLES, HowRated, Table
from salvo.rule_files import read_rules


class _RulesType(click.ParamType[Rules]):
    """A preset's name, or the path of a TOML file."""

    name = "preset|file"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Rules:
        del param, ctx
        return read_rules(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return complete_rules(ctx, param, incomplete)


def even(_ctx: click.Context, _param: click.Parameter, value: int | None) -> int | None:
    """Return how many games were asked for, an even number.

    Raises:
        UserError: If it is odd.
    """
    if value is not None and value % 2:
        raise UserError(
            f"--games {value}: games come in pairs with the seats swapped; "
            f"ask for an even number, {value - 1} or {value + 1}"
        )
    return value


RULES = _RulesType()
"""The type of an argument or option that names a rule set."""

rules_option = click.option(
    "--rules",
    type=RULES,
    default="salvo",
    show_default=True,
    help=f"The rules: {', '.join(PRESETS)}, or a TOML file.",
)
games_option = click.option(
    "--games",
    type=WholeRange(min=2),
    callback=even,
    default=200,
    show_default=True,
    help="Games per pairing, an even number; raise it later to extend the record.",
)
isolation_option = click.option(
    "--isolation",
    type=click.Choice([AUTO, *(level.value for level in Level)]),
    default=AUTO,
    show_default=True,
    help="How isolated bots run; `salvo doctor` shows what holds here.",
)
DEFAULT_DB = Path("salvo.sqlite3")

db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_DB,
    show_default=True,
    help="The record of games.",
)
tournament_option = click.option(
    "--tournament",
    "tournament_name",
    metavar="NAME",
    shell_complete=complete_tournaments,
    help="Tournament in the record; by default the newest, or this command's own.",
)


class _Anchor(click.ParamType[tuple[str, float]]):
    """BOT=ELO."""

    name = "bot=elo"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, float]:
        """Return the bot and its Elo."""
        if isinstance(value, tuple):
            return value
        bot, _, elo = str(value).rpartition("=")
        try:
            number = float(elo)
        except ValueError:
            number = math.nan
        if not bot.strip() or not math.isfinite(number):
            self.fail(f"{value!r} is not BOT=ELO, such as hunt_target=1500.", param, ctx)
        return bot.strip(), number


ANCHOR = _Anchor()
"""The type of an option that names a bot and the Elo at which it stands."""

_RATING = (
    click.option(
        "--prior",
        type=click.Choice(["weak", "none"]),
        default="weak",
        show_default=True,
        callback=lambda _ctx, _param, value: value == "weak",
        help="Whether ratings start from a weak prior, which keeps those of winless bots finite.",
    ),
    click.option(
        "--anchor",
        type=ANCHOR,
        metavar="BOT=ELO",
        help="This bot stands at this Elo, instead of the mean of the field at 1500.",
    ),
    click.option(
        "--without-forfeits",
        is_flag=True,
        help="Leave forfeited games out of the ratings; else they count as lost.",
    ),
)


def rating_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that rates two-player games, passed to it as ``how``."""

    @functools.wraps(command)
    def gathered(
        *,
        prior: bool,
        anchor: tuple[str, float] | None,
        without_forfeits: bool,
        **given: Any,  # noqa: ANN401 - the options of the command
    ) -> None:
        command(how=HowRated(prior, anchor, not without_forfeits), **given)

    with_options: Callable[..., None] = gathered
    for option in reversed(_RATING):
        with_options = option(with_options)
    return with_options


def refuse_anchor(how: HowRated, names: Iterable[str]) -> None:
    """Refuse an anchor that does not play: better before hours of games than after.

    Raises:
        UserError: If it is none of these names.
    """
    if how.anchor is not None and how.anchor[0] not in (there := sorted(names)):
        raise UserError(
            f"--anchor {how.anchor[0]}: no bot of that name plays here; anchor one of "
            f"{', '.join(there)}"
        )


def to_write(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Return the path of a page to write.

    Raises:
        UserError: If it cannot be written: better to say so before hours of games than after.
    """
    if value is not None:
        folder = value.absolute().parent
        if not folder.is_dir():
            raise UserError(f"{param.opts[0]} {value}: there is no folder {folder}; make it first")
        if not os.access(value if value.exists() else folder, os.W_OK):
            raise UserError(f"{param.opts[0]} {value}: cannot be written; name another file")
    return value


report_option = click.option(
    "--report",
    "report_path",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=to_write,
    default="salvo-report.html",
    show_default=True,
    help="The HTML file to write.",
)
format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "csv", "markdown"]),
    default="table",
    show_default=True,
    help="Output format.",
)
table_option = click.option(
    "--table",
    type=click.Choice(TABLES),
    help="Which table --format csv writes.  [default: elo, or turns of solo games]",
)


def refuse_table(table: Table | None, format_: str) -> None:
    """Refuse a choice of table where all are shown.

    Raises:
        UserError: If one was chosen for another format than CSV.
    """
    if table is not None and format_ != "csv":
        raise UserError(f"--table {table}: only --format csv is one table; add that, or leave out")


@dataclass(frozen=True, kw_only=True)
class RunOptions(Conditions):
    """The options of every command that plays games into the record.

    Attributes:
        db: The record.
        format_: The output format.
        table: Which table a CSV is; None for the usual one.
    """

    db: Path
    format_: str
    table: Table | None = None


workers_option = click.option(
    "--workers",
    type=WholeRange(min=1),
    default=cores,
    show_default="one per core",
    help="Blocks of games played in parallel.",
)


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that plays, passed to it as ``run``."""

    @functools.wraps(command)
    def gathered(
        *,
        load_time: float,
        move_time: float,
        game_time: float,
        isolation: str,
        **given: Any,  # noqa: ANN401 - the command's own options
    ) -> None:
        shared = {
            field.name: given.pop(field.name) for field in fields(RunOptions) if field.name in given
        }
        refuse_table(shared["table"], shared["format_"])
        settings = Settings(load_s=load_time, move_s=move_time, game_s=game_time)
        command(
            run=RunOptions(isolation=choose_level(isolation), settings=settings, **shared), **given
        )

    with_options = terms_options(gathered)
    for option in (
        table_option,
        format_option,
        tournament_option,
        db_option,
        _seconds_option("--game-time", Settings().game_s, "Seconds for all answers of one game."),
        _seconds_option("--move-time", Settings().move_s, "Seconds for one answer."),
        load_time_option,
        log_option,
        isolation_option,
        cluster_option,
        workers_option,
        click.option(
            "--seed",
            type=WholeRange(min=0),
            default=DEFAULT_SEED,
            show_default=True,
            help="Seed of all randomness.",
        ),
        rules_option,
    ):
        with_options = option(with_options)
    return with_options


def _seconds_option(name: str, default: float, text: str) -> Callable[..., Callable[..., None]]:
    seconds = FiniteRange(min=0.01, max=86_400)
    return click.option(name, type=seconds, default=default, show_default=True, help=text)


load_time_option = _seconds_option(
    "--load-time", Settings().load_s, "Seconds from a bot's start to its introduction."
)


def choose_level(isolation: str) -> Choice:
    """Return the level that ``--isolation`` asks for; each step down to it is reported.

    Raises:
        UserError: If the level that was named does not hold here.
    """
    choice = choose(isolation)
    for step in choice.steps_down:
        tell(f"isolation '{choice.level}' is used: {step}")
    return choice
