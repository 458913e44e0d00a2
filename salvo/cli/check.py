"""`salvo check`: checks that a bot follows the protocol and the rules; shows where it fails."""

from collections.abc import Iterator

import click
import msgspec

from arena.conformance import Step
from arena.conformance import check as check_bot
from arena.entrants import Terms, parse_entrant, refuse_unasked
from arena.records import Settings
from arena.rules import Rules
from salvo.bundled import bundled_bots
from salvo.cli.options.bot_arguments import bot_argument
from salvo.cli.options.bot_terms import terms_options
from salvo.cli.options.output_options import table_or_json_option
from salvo.cli.options.run_options import (
    choose_level,
    game_time_option,
    isolation_option,
    load_time_option,
    move_time_option,
    rules_option,
)
from salvo.cli.terminal.filtering import echo_coloured
from salvo.reports.words.check_text import describe_step, failed, summary

_COLOURS = {"ok": "green", "warning": "yellow", "failed": "red", "skipped": None}


@click.command()
@bot_argument("bot")
@rules_option
@isolation_option
@load_time_option
@move_time_option
@game_time_option
@table_or_json_option
@terms_options
def check(  # noqa: PLR0913 - one parameter an option
    *,
    bot: str,
    rules: Rules,
    isolation: str,
    load_time: float,
    move_time: float,
    game_time: float,
    format_: str,
    terms: Terms,
) -> None:
    """Check that BOT follows the protocol and the rules.

    BOT is a bundled bot, a file, a folder with a bot.py, or a command in quotes. Where a step
    fails, the exchange that failed is shown, and the exit code is 1. A warning costs a bot no game.
    """
    entrant = parse_entrant(bot, bundled_bots(), terms)
    refuse_unasked(terms.secrets, {entrant.name: entrant.program.secrets})
    settings = Settings(load_s=load_time, move_s=move_time, game_s=game_time)
    level = choose_level(isolation).level
    steps = check_bot(entrant, rules, settings, level)
    if format_ == "json":
        done = list(steps)
        report = {
            "bot": entrant.name,
            "rules": rules.name,
            "isolation": level.value,
            "ok": not failed(done),
            "steps": msgspec.to_builtins(done),
        }
        click.echo(msgspec.json.format(msgspec.json.encode(report), indent=2))
    else:
        click.echo(f"{entrant.name}: {rules.name}, isolation {level}, {move_time:g} s a move\n")
        done = list(show_steps(steps))
        click.echo(f"\n{summary(done)}")
    if failed(done):
        raise click.exceptions.Exit(1)


def show_steps(steps: Iterator[Step], *, err: bool = False) -> Iterator[Step]:
    """Print each step as it is done, on stderr if ``err``, and yield it."""
    for step in steps:
        for line in describe_step(step, _coloured):
            echo_coloured(line, err=err)
        yield step


def _coloured(mark: str, step: Step) -> str:
    return click.style(mark, fg=_COLOURS[step.verdict])
