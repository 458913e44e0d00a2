"""Makes the options of every command that plays."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from arena.errors import UserError, not_installed
from arena.isolation import AUTO, Choice, Level, choose
from arena.records import Settings
from arena.rules import PRESETS
from arena.seeds import DEFAULT_SEED
from salvo.cli.options.bot_terms import terms_options
from salvo.cli.options.option_types import RULES, SECONDS, WholeRange
from salvo.cli.options.output_options import (
    format_option,
    log_option,
    refuse_table,
    table_option,
)
from salvo.cli.options.record_options import db_option, tournament_option
from salvo.cli.terminal.output import notify
from salvo.conditions import Conditions, cores
from salvo.reports.how_rated import Table


def _need_dask(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not ctx.resilient_parsing and find_spec("distributed") is None:
        raise UserError(f"--cluster {value}: {not_installed('Dask', 'cluster')}")
    return value


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    callback=_need_dask,
    help="Play on the workers of the Dask scheduler there, such as tcp://10.0.0.1:8786; `local` "
    "starts one with --workers.",
)
rules_option = click.option(
    "--rules",
    type=RULES,
    default="salvo",
    show_default=True,
    help=f"The rules: {', '.join(PRESETS)}, or a TOML file.",
)
isolation_option = click.option(
    "--isolation",
    type=click.Choice([AUTO, *(level.value for level in Level)]),
    default=AUTO,
    show_default=True,
    help="How isolated bots run; `salvo doctor` shows what holds here.",
)
workers_option = click.option(
    "--workers",
    type=WholeRange(min=1),
    default=cores,
    show_default="one per core",
    help="Blocks of games played in parallel.",
)


def _seconds_option(name: str, default: float, text: str) -> Callable[..., Callable[..., None]]:
    return click.option(name, type=SECONDS, default=default, show_default=True, help=text)


load_time_option = _seconds_option(
    "--load-time", Settings().load_s, "Seconds from a bot's start to its introduction."
)
move_time_option = _seconds_option("--move-time", Settings().move_s, "Seconds for one answer.")
game_time_option = _seconds_option(
    "--game-time", Settings().game_s, "Seconds for all answers of one game."
)


@dataclass(frozen=True, kw_only=True)
class RunOptions(Conditions):
    """The options of every command that plays games into the record."""

    db: Path
    format_: str
    table: Table | None = None


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
        game_time_option,
        move_time_option,
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


def choose_level(isolation: str) -> Choice:
    """Return the level that ``--isolation`` asks for; each step down to it is reported.

    Raises:
        UserError: If the level that was named does not hold here.
    """
    choice = choose(isolation)
    for step in choice.steps_down:
        notify(f"isolation '{choice.level}' is used: {step}")
    return choice
